package proof

import (
	"errors"
	"strings"
	"testing"
)

func aReplay() Replay {
	return Replay{System: "familyscheduler", Suite: "0a1b2c", Seed: 42, Scenario: "familyscheduler/faults.feature:12",
		Kind: "fault", Case: "busy 1 table point read on Groups group {Family}"}
}

func TestReplayTokens(t *testing.T) {
	want := aReplay()
	got, err := ParseReplay(want.String())
	if err != nil || *got != want {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := got.For("familyscheduler", "0a1b2c", 42); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{
		"made for familyscheduler, not for actions": got.For("actions", "0a1b2c", 42),
		"with the digest 0a1b2c, and these have 77": got.For("familyscheduler", "77", 42),
		"made with --seed 42, not 1":                got.For("familyscheduler", "0a1b2c", 1),
	} {
		if !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want %q", err, what)
		}
	}
}

func FuzzParseReplay(f *testing.F) {
	whole := aReplay().String()
	for _, token := range []string{whole, whole[:len(whole)-1], whole + "A", "", "x", strings.ToUpper(whole),
		"MDAwMDAwMDA"} {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		replay, err := ParseReplay(token)
		if err != nil {
			if !errors.Is(err, ErrReplay) {
				t.Errorf("error %v does not wrap ErrReplay", err)
			}
			return
		}
		again, err := ParseReplay(replay.String())
		if err != nil || *again != *replay {
			t.Errorf("%+v became %+v, %v", replay, again, err)
		}
	})
}
