package web

import (
	"testing"
	"time"
)

// A machine on which every round trip is slow takes nothing from a server, and gives it nothing.
func TestWhatRequestsTookBeyondRoundTrips(t *testing.T) {
	ms := func(all ...int) (times []time.Duration) {
		for _, n := range all {
			times = append(times, time.Duration(n)*time.Millisecond)
		}
		return times
	}
	for name, c := range map[string]struct {
		took      []time.Duration
		calls     []int
		roundTrip time.Duration
		want      time.Duration
	}{
		"an idle machine":           {ms(4, 5, 900), []int{2, 2, 2}, time.Millisecond, 2 * time.Millisecond},
		"a busy one":                {ms(130, 140, 900), []int{2, 2, 2}, 40 * time.Millisecond, 20 * time.Millisecond},
		"a server that waits":       {ms(104, 105, 106), []int{2, 2, 2}, time.Millisecond, 102 * time.Millisecond},
		"one that waits on a busy":  {ms(230, 240, 250), []int{2, 2, 2}, 40 * time.Millisecond, 120 * time.Millisecond},
		"more calls take more time": {ms(12, 22, 32), []int{1, 2, 3}, 5 * time.Millisecond, 7 * time.Millisecond},
	} {
		if got := beyondRoundTrips(c.took, c.calls, c.roundTrip); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
