package explore

import (
	"testing"

	servers "github.com/storespec/storespec/reference"
)

// BenchmarkSteps walks each reference server against itself; a step is two requests, one on each side. Rows are
// compared after each, and coverage is on.
func BenchmarkSteps(b *testing.B) {
	for _, name := range servers.Names() {
		b.Run(name, func(b *testing.B) {
			o := optionsOf(b, name, unchanged)
			o.Steps = max(b.N, 100)
			b.ResetTimer()
			result, err := Run(b.Context(), o)
			if err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			for _, f := range result.Findings {
				b.Errorf("a false alarm: %s", f.Kind)
			}
			b.ReportMetric(float64(result.Steps)/result.Duration.Seconds(), "steps/s")
		})
	}
}
