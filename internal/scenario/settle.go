package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// Settle waits until no storage call is in progress, so that late calls are seen. It waits at most once after each
// request.
func (w *World) Settle(ctx context.Context) error {
	if w.settled {
		return nil
	}
	if err := w.Lane().Recorder.Settle(ctx); err != nil {
		return fmt.Errorf("wait for the last storage calls: %w", err)
	}
	w.settled = true
	return nil
}

// BeginRequest announces a request that is about to be sent. While storage calls can be told apart only by their time
// of arrival, it first waits until the calls of the request before have ended.
func (w *World) BeginRequest(ctx context.Context, name string) (*wire.Request, error) {
	if err := w.Drain(ctx); err != nil {
		return nil, err
	}
	if w.careful {
		w.Lane().Recorder.AfterPoll(ctx)
	}
	w.remember(ctx)
	return w.Lane().Recorder.Begin(name), nil
}

// longestHang bounds the wait for a call that a request has left behind: it may hang for as long as the target likes.
const longestHang = 5 * time.Second

// Drain waits until no storage call is in progress if calls can be told apart only by their time of arrival. A call
// that hangs is not waited for until its end.
func (w *World) Drain(ctx context.Context) error {
	recorder := w.Lane().Recorder
	if !recorder.ByArrival() {
		return nil
	}
	short, cancel := context.WithTimeout(ctx, longestHang)
	defer cancel()
	if err := recorder.Settle(short); err != nil && ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	return nil
}

// BeCareful makes the quiet time long enough for calls without a trace to be attributed with certainty: before each
// request if they can be told apart only by their time of arrival, and before calls are judged. undo ends that.
func (w *World) BeCareful() (undo func()) {
	w.careful = true
	recorder := w.Lane().Recorder
	before := careful(recorder)
	return func() {
		w.careful = false
		recorder.SetQuiet(before)
	}
}

func careful(r *wire.Recorder) (before time.Duration) {
	quiet := r.Certain()
	before = r.SetQuiet(quiet)
	if before > quiet {
		r.SetQuiet(before)
	}
	return before
}

// Weigh notes that a step has judged the storage calls that a request has made so far.
func (w *World) Weigh(e *RoundTrip) {
	w.weighed = append(w.weighed, Weighed{e.Request, e.Request.Attempts()})
}

// Weighed is a request whose calls were judged.
type Weighed struct {
	request  *wire.Request
	attempts int // how many there were
}

// Grew reports whether the request has made more calls since: each attempt counts.
func (w Weighed) Grew() bool { return w.request.Overdue() || w.request.Attempts() > w.attempts }

// Weighed returns the requests whose calls were judged.
func (w *World) Weighed() []Weighed { return w.weighed }

// Hurry notes that the target may pass over something that does not answer in time, such as a cache, and call its store
// instead: more calls than were expected may be a busy machine's doing.
func (w *World) Hurry() { w.hurried = true }

// Hurried reports whether Hurry was called.
func (w *World) Hurried() bool { return w.hurried }

// Disturbed reports whether calls were made to fail or held back: what comes late then says nothing about the target.
func (w *World) Disturbed() bool {
	for _, e := range w.exchanges {
		if e.Faulted {
			return true
		}
	}
	return w.done
}
