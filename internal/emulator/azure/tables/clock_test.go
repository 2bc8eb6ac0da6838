package tables

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/azure"
	"github.com/storespec/storespec/internal/emulator/odata"
	"pgregory.net/rapid"
)

func TestTimes(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, at ticks) {
		want := time.Unix(int64(at/secondTicks)-azure.UnixTicks/azure.SecondTicks, int64(at%secondTicks)*100).UTC()
		if got := string(at.appendTime(nil)); got != want.Format(timeLayout) {
			t.Fatalf("%d is %s, want %s", at, got, want.Format(timeLayout))
		}
		if back, ok := odata.ParseDateTime(string(at.appendTime(nil))); !ok || ticksOf(back) != at {
			t.Fatalf("%d comes back as %d, %v", at, ticksOf(back), ok)
		}
		if back := ticksOf(want); back != at {
			t.Fatalf("%s is %d, want %d", want, back, at)
		}
		tag := string(at.appendETag(nil))
		if c, ok := parseCondition(tag); !ok || !c.holds(at) || c.holds(at+1) {
			t.Fatalf("ETag %s of %d: %+v, %v", tag, at, c, ok)
		}
	}
	for day := range ticks(4 * 366) { // a leap year and its neighbours, and both ends of a century
		for _, year := range []int{1, 1599, 1899, 1970, 1999, 2023, 2099} {
			check(t, ticksOf(time.Date(year, 1, 1, 23, 59, 59, 0, time.UTC))+day*86400*secondTicks)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, ticks(rapid.Int64Range(0, int64(maxDateTime)).Draw(t, "ticks")))
	})
}

func TestClockNeverRepeats(t *testing.T) {
	var c clock
	now := time.Now()
	last := c.Next(ticksOf(now))
	for _, at := range []time.Time{now, now, now.Add(-time.Hour), now.Add(time.Second), now} {
		next := c.Next(ticksOf(at))
		if next <= last {
			t.Errorf("%d after %d", next, last)
		}
		last = next
	}
}

// TestAppendString compares with encoding/json, which reads what is written.
func TestAppendString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.RuneFrom([]rune("abc \"\\/\n\t\x00\x1f\x7fü€😀")),
			rapid.Rune())).Draw(t, "text")
		var back string
		written := appendString(nil, []byte(text))
		if err := json.Unmarshal(written, &back); err != nil || back != text {
			t.Fatalf("%q is written %s and read %q (%v)", text, written, back, err)
		}
	})
}
