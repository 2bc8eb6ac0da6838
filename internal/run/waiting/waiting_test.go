package waiting

import (
	"testing"
	"time"
)

func says(text string) func(time.Duration) string { return func(time.Duration) string { return text } }

func TestTheDeepestWaitIsTold(t *testing.T) {
	var b Board
	later := func() time.Time { return time.Now().Add(Notable + time.Second) }
	if got := b.At(later()); got != "" {
		t.Errorf("nothing is waited for, and it says %q", got)
	}
	endScenario := b.Begin(Scenario, says("scenario"))
	if got := b.At(time.Now()); got != "" {
		t.Errorf("a wait that has just begun is shown: %q", got)
	}
	endReason := b.Begin(Reason, says("reason"))
	b.Begin(Reason, says("a later reason"))
	silent := b.Begin(Reason, says(""))
	if got := b.At(later()); got != "reason" {
		t.Errorf("it says %q", got)
	}
	endReason()
	endReason()
	if got := b.At(later()); got != "a later reason" {
		t.Errorf("after the end of one it says %q", got)
	}
	silent()
	endScenario()
	if got := len(b.entries); got != 1 {
		t.Errorf("%d are left, not 1", got)
	}
}

func TestHowLongAWaitHasLasted(t *testing.T) {
	var b Board
	b.Begin(Answer, func(lasted time.Duration) string { return Of(lasted, time.Minute) })
	if got := b.At(time.Now().Add(12*time.Second + 500*time.Millisecond)); got != "12 of 60 s" {
		t.Errorf("it says %q", got)
	}
	if got := Of(3*time.Second, 0); got != "3 s" {
		t.Errorf("without a limit it is %q", got)
	}
}

func TestNoBoardForgets(t *testing.T) {
	var b *Board
	b.Begin(Reason, says("reason"))()
	if got := b.At(time.Now().Add(time.Hour)); got != "" {
		t.Errorf("it says %q", got)
	}
}
