package target

import (
	"testing"
	"time"
)

func TestZoneHasAnotherDate(t *testing.T) {
	for minutes := range 24 * 60 {
		now := time.Date(2026, 3, 1, 0, minutes, 0, 0, time.UTC)
		zone, err := time.LoadLocation(Zone(now))
		if err != nil {
			t.Fatal(err)
		}
		if here := now.In(zone).Format(time.DateOnly); here == now.Format(time.DateOnly) {
			t.Errorf("at %s it is %s in %s too", now, here, zone)
		}
	}
}
