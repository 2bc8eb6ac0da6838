package c4lendar

import (
	"testing"
	"time"
)

func TestEncodeULID(t *testing.T) {
	for want, bytes := range map[string][16]byte{
		"00000000000000000000000000": {},
		"7ZZZZZZZZZZZZZZZZZZZZZZZZZ": {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255},
		"00000000000000000000000001": {15: 1},
		"01ARZ3NDEKTSV4RRFFQ69G5FAV": { // the example of the specification of ULID
			0x01, 0x56, 0x3e, 0x3a, 0xb5, 0xd3, 0xd6, 0x76, 0x4c, 0x61, 0xef, 0xb9, 0x93, 0x02, 0xbd, 0x5b},
	} {
		if got := encodeULID(bytes); got != want {
			t.Errorf("%x is %s, not %s", bytes, got, want)
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
