package wire_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// A call without a trace that comes after the answer may belong to an earlier request, and so may one with the trace
// of a request that was forgotten; a long quiet time leaves no doubt.
func TestLateCallsWithoutATrace(t *testing.T) {
	rec := wire.NewRecorder()
	pointRead("0").Through(t, rec)
	if !rec.ByArrival() {
		t.Error("before the first call with a trace, calls are told apart by more than their arrival")
	}
	earlier := rec.Begin("GET /earlier")
	traced("1", "Traceparent", earlier.Traceparent()).Through(t, rec)
	earlier.End()
	traced("2", "Traceparent", earlier.Traceparent()).Through(t, rec)
	if got := earlier.Attempts(); got != 2 {
		t.Errorf("%d attempts of its calls have come, not 2", got)
	}
	if rec.ByArrival() || rec.Strays() != 0 || earlier.Overdue() {
		t.Error("calls with a trace are not attributed by it")
	}

	rec.Reset()
	if got := earlier.Attempts(); got != 2 {
		t.Errorf("after a Reset %d attempts of its calls have come, not 2", got)
	}
	now := rec.Begin("GET /now")
	traced("3", "Traceparent", earlier.Traceparent()).Through(t, rec)
	if !earlier.Overdue() || now.Overdue() || rec.ByArrival() {
		t.Error("a call with the trace of an earlier request is not known to be its")
	}
	pointRead("4").Through(t, rec)
	now.End()
	pointRead("5").Through(t, rec)
	traced("6", "Traceparent", earlier.Traceparent()).Through(t, rec)
	if before := rec.SetQuiet(wire.CertainQuiet); before != wire.QuietTime {
		t.Errorf("the quiet time was %s, not %s", before, wire.QuietTime)
	}
	pointRead("7").Through(t, rec)
	done := rec.Command()
	pointRead("8").Through(t, rec)
	done()
	unsure, late := "", ""
	for _, call := range now.Calls() {
		if call.Key[1] == "8" {
			t.Error("a call of the harness's own command is said to be of the request before it")
		}
		if call.Unsure {
			unsure += call.Key[1]
		}
		if call.Late {
			late += call.Key[1]
		}
	}
	if unsure != "35" || late != "57" {
		t.Errorf("unsure are %s, not 35; late are %s, not 57", unsure, late)
	}
	if got := rec.Strays(); got != 2 || !rec.ByArrival() {
		t.Errorf("%d calls have come after the answer, not 2", got)
	}
}

// What comes later than a run waits for is counted, unless it is known whose it is, or no request can have caused it.
func TestCallsThatComeTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := wire.NewRecorder()
		pointRead("before-any-request").Through(t, rec)
		first := rec.Begin("GET /first")
		first.End()
		time.Sleep(wire.CertainQuiet)
		pointRead("in-time").Through(t, rec)
		time.Sleep(time.Millisecond)
		traced("known", "Traceparent", first.Traceparent()).Through(t, rec)
		expectTooLate(t, rec, 0)
		pointRead("of-the-lane").Through(t, rec)
		expectTooLate(t, rec, 1)
		rec.Reset()
		pointRead("of-nobody").Through(t, rec)
		expectTooLate(t, rec, 2)
		second := rec.Begin("GET /second")
		pointRead("while-another-is-open").Through(t, rec)
		expectTooLate(t, rec, 2)
		traced("of-one-that-is-forgotten", "Traceparent", first.Traceparent()).Through(t, rec)
		expectTooLate(t, rec, 3)
		second.End()
		rec.SetQuiet(time.Minute)
		time.Sleep(time.Second)
		pointRead("a-run-that-waits-longer").Through(t, rec)
		rec.SetQuiet(wire.QuietTime)
		rec.Started()
		time.Sleep(time.Second)
		pointRead("of-a-new-process").Through(t, rec)
		expectTooLate(t, rec, 3)
	})
}

func expectTooLate(t *testing.T, rec *wire.Recorder, want int) {
	t.Helper()
	if got := rec.Attributed().TooLate; got != want {
		t.Errorf("%d calls came too late, not %d", got, want)
	}
}
