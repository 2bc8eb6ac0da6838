package calendsync_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/storespec/storespec/reference/calendsync"
)

// sizes are how many entries a calendar has.
var sizes = []int{1_000, 10_000, 100_000}

// seeded is a calendar with entries, two a day, of which 62 are in January 2024.
func seeded(b *testing.B, h *host, owner *person, entries int) (calendar string) {
	b.Helper()
	calendar = owner.calendar("Team")
	tools := h.tools()
	defer tools.Close()
	seeding := calendsync.Seeding{Calendar: calendar, Around: "2024-01-15", Count: entries}
	if _, err := tools.Seed(b.Context(), seeding); err != nil {
		b.Fatal(err)
	}
	return calendar
}

// The month costs the same, however many entries the calendar has.
func BenchmarkMonthOfACalendarOf(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			h := newHost(b)
			ana := h.person("ana")
			path := "GET /api/calendars/" + seeded(b, h, ana, size) + "/entries?start=2024-01-01&end=2024-01-31"
			listed := 0
			for b.Loop() {
				listed = len(ana.must(http.StatusOK, path, "")["entries"].([]any))
			}
			b.ReportMetric(float64(listed), "entries")
		})
	}
}

// A deletion costs the same for each entry. One request ends after 12 s at most, and the next one goes on.
func BenchmarkDeleteACalendarOf(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			h := newHost(b)
			ana := h.person("ana")
			requests := 0
			for b.Loop() {
				b.StopTimer()
				path := "DELETE /api/calendars/" + seeded(b, h, ana, size)
				b.StartTimer()
				for status := http.StatusServiceUnavailable; status == http.StatusServiceUnavailable; requests++ {
					status = ana.ask(path, "").Code
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*size), "µs/entry")
			b.ReportMetric(float64(requests)/float64(b.N), "requests")
		})
	}
}
