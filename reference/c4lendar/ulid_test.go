package c4lendar

import (
	"testing"
	"time"
)

// The time of the example of the specification of ULID is written as there.
func TestAUIDBeginsWithItsTime(t *testing.T) {
	for want, millis := range map[string]int64{"01ARZ3NDEK": 1469922850259, "0000000000": 0, "7ZZZZZZZZZ": 1<<48 - 1} {
		if got := eventUID(time.UnixMilli(millis), "-100", 1); got[:10] != want || !uidForm.MatchString(got) {
			t.Errorf("%d is %s, not %s", millis, got, want)
		}
	}
}

func TestUIDsSortAsTheirUpdates(t *testing.T) {
	second := time.Date(2026, 1, 5, 10, 30, 0, 0, time.UTC)
	last := ""
	for i := range 5000 {
		uid := eventUID(second.Add(time.Duration(i/100)*time.Second), "-100", int64(1_000_000+i))
		if !uidForm.MatchString(uid) || uid <= last {
			t.Fatalf("%s after %s", uid, last)
		}
		if again := eventUID(second.Add(time.Duration(i/100)*time.Second), "-100", int64(1_000_000+i)); again != uid {
			t.Fatalf("%s, then %s", uid, again)
		}
		last = uid
	}
	if eventUID(second, "-100", 1) == eventUID(second, "-101", 1) {
		t.Error("two chats share a uid")
	}
}
