package lovehunt_test

import (
	"net/http"
	"slices"
	"testing"
	"time"
)

// BenchmarkMigrate migrates 10,000 hunts of one day, of 100 organizations on 100 dates: what is aimed at is 2,000 a
// second.
func BenchmarkMigrate(b *testing.B) {
	const organizations, hunts, days = 100, 100, 100
	for b.Loop() {
		b.StopTimer()
		a := lease(b)
		a.fill(b, organizations, hunts, days)
		tools := a.tools(b, "dual-write", nil)
		b.StartTimer()
		report, err := tools.Migrate(b.Context())
		if err != nil || report.Hunts != organizations*hunts || report.Index != organizations*hunts {
			b.Fatalf("%+v, %v", report, err)
		}
	}
	b.ReportMetric(float64(organizations*hunts*b.N)/b.Elapsed().Seconds(), "hunts/s")
}

// BenchmarkToday asks for the hunts of a day: what is aimed at is 1 ms at the median.
func BenchmarkToday(b *testing.B) {
	a := lease(b)
	a.fill(b, 20, 10, 10)
	if _, err := a.tools(b, "dual-write", nil).Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	s := a.start(b, "tables-only")
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		s.ask(http.MethodGet, "/api/v2/events?date=2024-01-05", "", 200)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
}
