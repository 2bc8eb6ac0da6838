package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

// Storage is what a scenario's requests do in the store: waiting for their calls, and judging them.
type Storage struct {
	stage   *Stage
	settled bool
	given   int              // how many of the lane's calls only prepared the scenario; those of a case, the case
	begun   bool             // given is known
	weighed []Weighed        // requests whose calls were judged
	careful bool             // BeCareful
	hurried bool             // Hurry
	budgets []*budget.Budget // every budget that was judged
	shown   *Storage         // of the case that reports show; nil: none
}

// Settle waits until no storage call is in progress, so that late calls are seen. It waits at most once after each
// request.
func (s *Storage) Settle(ctx context.Context) error {
	if s.settled {
		return nil
	}
	if err := s.stage.Lane().Recorder.Settle(ctx); err != nil {
		return fmt.Errorf("wait for the last storage calls: %w", err)
	}
	s.settled = true
	return nil
}

// BeginRequest announces a request that is about to be sent. While storage calls differ only by their time
// of arrival, it first waits until the calls of the request before have ended.
func (r *Requests) BeginRequest(ctx context.Context, name string) (*wire.Request, error) {
	if err := r.storage.Drain(ctx); err != nil {
		return nil, err
	}
	if r.storage.careful {
		r.stage.Lane().Recorder.AfterPoll(ctx)
	}
	r.remember(ctx)
	return r.stage.Lane().Recorder.Begin(name), nil
}

// longestHang bounds the wait for a call that a request has left behind: it may hang for as long as the target likes.
const longestHang = 5 * time.Second

// Drain waits until no storage call is in progress if calls differ only by their time of arrival. A call
// that hangs is not waited for until its end.
func (s *Storage) Drain(ctx context.Context) error {
	recorder := s.stage.Lane().Recorder
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
// request if they differ only by their time of arrival, and before calls are judged. undo ends that.
func (s *Storage) BeCareful() (undo func()) {
	s.careful = true
	recorder := s.stage.Lane().Recorder
	before := careful(recorder)
	return func() {
		s.careful = false
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
func (s *Storage) Weigh(e *RoundTrip) {
	s.weighed = append(s.weighed, Weighed{e.Request, e.Request.Attempts()})
}

// Weighed is a request whose calls were judged.
type Weighed struct {
	request  *wire.Request
	attempts int // how many there were
}

// Grew reports whether the request has made more calls since: each attempt counts.
func (w Weighed) Grew() bool { return w.request.Overdue() || w.request.Attempts() > w.attempts }

// Weighed returns the requests whose calls were judged.
func (s *Storage) Weighed() []Weighed { return s.weighed }

// Hurry notes that the target may pass over something that does not answer in time, such as a cache, and call its store
// instead: more calls than were expected may be a busy machine's doing.
func (s *Storage) Hurry() { s.hurried = true }

// Hurried reports whether Hurry was called.
func (s *Storage) Hurried() bool { return s.hurried }

// Disturbed reports whether calls were made to fail or held back: what comes late then says nothing about the target.
func (w *World) Disturbed() bool {
	for _, e := range w.Requests.exchanges {
		if e.Faulted {
			return true
		}
	}
	return w.Cases.done
}

// begin notes that what the scenario is about begins now.
func (s *Storage) begin() { s.given, s.begun = len(s.stage.lane.Recorder.Calls()), true }

// Calls returns the calls of the scenario without those of the Given steps it begins with; in a case, without those of
// the steps before it. A case whose state was restored makes no calls for it, so the verdict must not rest on them.
func (s *Storage) Calls() []wire.Call {
	calls := s.stage.Lane().Recorder.Calls()
	if s.stage.cold != nil {
		return calls
	}
	return calls[min(s.given, len(calls)):]
}

// Budgets returns every budget judged so far, in order, for reports: without what only the message has.
func (s *Storage) Budgets() (list []budget.Budget) {
	if s.shown != nil {
		s = s.shown
	}
	for _, b := range s.budgets {
		list = append(list, budget.Budget{Step: b.Step, Request: b.Request, Allowed: b.Allowed, Odd: b.Odd,
			Exact: b.Exact})
	}
	return list
}

// Judged stores a budget that was judged, for reports. It returns the budget as an error if it is broken.
func (s *Storage) Judged(b *budget.Budget) error {
	s.budgets = append(s.budgets, b)
	if b.Holds() {
		return nil
	}
	return b
}

// Unsettle notes that storage calls may arrive that were not waited for.
func (s *Storage) Unsettle() { s.settled = false }
