package cases

import (
	"testing"
	"time"
)

func TestBackoffIsWhatLiesBetweenAttempts(t *testing.T) {
	at := func(ms int) time.Time { return time.UnixMilli(1_000_000 + int64(ms)) }
	var b backoff
	// at once, after 600 ms, after 1800 ms
	for _, attempt := range [][2]int{{0, 50}, {60, 70}, {670, 700}, {2500, 2600}} {
		b.began(at(attempt[0]))
		b.over(at(attempt[1]))
	}
	if got := b.total(); got != 2400*time.Millisecond {
		t.Errorf("waited %s, want 2.4s", got)
	}
}
