package progress

import (
	"io"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/verify"
)

func TestStatusSaysHowFarARunIsAndWhatItWaitsFor(t *testing.T) {
	s := New(io.Discard, false, "notes")
	now := time.Now().Add(12*time.Second + time.Millisecond)
	if got, want := s.text(now, 0), "notes: starting"; got != want {
		t.Errorf("at first it is %q, not %q", got, want)
	}
	s.Show(verify.Progress{Rules: 2, Done: 1, Total: 3, Passed: 1})
	counts := "notes: 0 of 2 rules done; 1 of 3 scenarios: 1 passed, 0 failed"
	if got := s.text(now, 0); got != counts {
		t.Errorf("then it is %q, not %q", got, counts)
	}
	const fewer = "notes: 1 of 3 scenarios, 0 failed"
	if got := s.text(now, len(counts)-1); got != fewer {
		t.Errorf("in a narrow line it is %q, not %q", got, fewer)
	}
	end := s.Waits.Begin(waiting.Reason, func(lasted time.Duration) string {
		return "waiting for GET /up, " + waiting.Of(lasted, time.Minute)
	})
	const why = "waiting for GET /up, 12 of 60 s"
	for columns, want := range map[int]string{
		0:                          counts + "; " + why,
		len(counts) + 2 + len(why): counts + "; " + why,
		len(counts) + 1 + len(why): "notes: " + why,
		len("notes: " + why):       "notes: " + why,
		len("notes: "+why) - 1:     why,
		10:                         why, // and is cut there
	} {
		if got := s.text(now, columns); got != want {
			t.Errorf("in %d columns it is %q, not %q", columns, got, want)
		}
	}
	if end(); s.text(now, 0) != counts {
		t.Errorf("afterwards it is %q", s.text(now, 0))
	}
}
