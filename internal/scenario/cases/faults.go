package cases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// faultPoint is one storage call of a request, identified in a way that is the same each time the request is sent:
// parallel calls have no order, and ids differ.
type faultPoint struct {
	call  string // class, resource and key, with names for ids
	nth   int    // number among equal calls, from 1
	first wire.Call
}

// String returns the call, with its number among equal calls if it is not the first.
func (p faultPoint) String() string {
	if p.nth == 1 {
		return p.call
	}
	return fmt.Sprintf("%s (number %d)", p.call, p.nth)
}

// Request is what a person sends.
type Request struct {
	Name, Method, Path, Body string
	Header                   scenario.Header // none if it has no name
	Patient                  bool            // it is retried when it fails
	Refused                  bool            // it is refused even when nothing fails
}

// UnderFaults sends a request once without a fault, to learn its storage calls, and then once for each fault of each
// call, each time from the state that the earlier steps have left; the later steps are judged in each. Without faults
// (proof.NoFaults) it is sent once. Errors: *Error, or why the cases cannot be run.
func UnderFaults(ctx context.Context, w *scenario.World, r Request) error {
	level := w.Stage.Suite().Proofs.Faults
	if level == proof.NoFaults {
		_, err := sendOnce(ctx, w, r, nil)
		return err
	}
	summary := &CaseSummary{Kind: "fault"}
	counted := faultsOf(w, r)
	return eachCase(ctx, w, summary, counted, faultCases(ctx, w, r, level, counted))
}

// faultCases yields the request without a fault, which shows which calls it makes, and then every fault on each of
// them.
func faultCases(ctx context.Context, w *scenario.World, r Request, level proof.FaultLevel,
	counted *tally) iter.Seq[variant] {
	return func(yield func(variant) bool) {
		var points []faultPoint
		learn := variant{id: "none", name: "without a fault, so that no other case was tried", first: true,
			run: func(again *scenario.World) (err error) { points, err = learn(ctx, again, r); return err }}
		if only := w.Stage.Suite().Proofs.Only; only != nil && only.Case != learn.id {
			replayedFault(ctx, w, r, yield)
			return
		}
		if !yield(learn) {
			return
		}
		var list []variant
		for _, point := range points {
			for _, kind := range faultKinds(within(w)) {
				if kind.full && level != proof.FullFaults || kind.applies != nil && !kind.applies(point.first) ||
					// a server that is killed gives no answer
					kind.kills && (!r.Patient || !w.Stage.Lane().Maker.Target.Restartable()) {
					continue
				}
				list = append(list, faultCase(ctx, r, point, kind))
			}
		}
		counted.known(len(list))
		for _, one := range list {
			if !yield(one) {
				return
			}
		}
	}
}

func faultCase(ctx context.Context, r Request, point faultPoint, kind faultKind) variant {
	return variant{
		id:    fmt.Sprintf("%s %d %s", kind.id, point.nth, point.call),
		name:  fmt.Sprintf(kind.name, point),
		run:   func(again *scenario.World) error { return sendUnderFault(ctx, again, r, point, kind) },
		apart: true, waits: kind.waits,
	}
}

// replayedFault yields the one case that a token names.
func replayedFault(ctx context.Context, w *scenario.World, r Request, yield func(variant) bool) {
	only := w.Stage.Suite().Proofs.Only
	id, rest, _ := strings.Cut(only.Case, " ")
	number, call, _ := strings.Cut(rest, " ")
	point := faultPoint{call: call}
	if _, err := fmt.Sscan(number, &point.nth); err != nil {
		return
	}
	for _, kind := range faultKinds(within(w)) {
		if kind.id == id {
			yield(faultCase(ctx, r, point, kind))
		}
	}
}

// learn sends the request without a fault and returns the storage calls it makes. Creating tables and containers does
// not count: it happens once per process.
func learn(ctx context.Context, w *scenario.World, r Request) ([]faultPoint, error) {
	var points []faultPoint
	seen := map[string]int{}
	e, err := sendOnce(ctx, w, r, &Fault{Wanted: func(call wire.Call) bool {
		if NotProvisioning(call) {
			name := w.Names.CallName(call)
			seen[name]++
			points = append(points, faultPoint{name, seen[name], call})
		}
		return false
	}})
	if err != nil {
		return nil, err
	}
	expected := e.Status < http.StatusBadRequest
	if r.Refused {
		expected = e.Status/100 == 4
	}
	if !expected {
		return nil, fmt.Errorf("%s answered %d before any fault", e, e.Status)
	}
	return points, nil
}

// sendUnderFault sends the request with a fault on one of its calls, and once more if the answer invites that: the
// client's retry, under the same Idempotency-Key.
func sendUnderFault(ctx context.Context, w *scenario.World, r Request, point faultPoint, kind faultKind) error {
	f := &Fault{Nth: point.nth, First: kind.first, Again: kind.again}
	f.Wanted = func(c wire.Call) bool { return NotProvisioning(c) && w.Names.CallName(c) == point.call }
	bury := func() {}
	if kind.kills {
		f.First, bury = killer(w.Stage.Lane())
	}
	began := time.Now()
	e, err := sendOnce(ctx, w, r, f)
	took := time.Since(began)
	switch {
	case !f.reached():
		return errors.Join(errNotReached, err)
	case kind.kills:
		if err := revive(ctx, w, bury); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		seen := scenario.Part[patience](w)
		seen.backoff = f.between.total()
		if seen.late, err = inTime(e, took, seen.backoff, within(w)); err != nil {
			return err
		}
	}
	if !r.Patient || err == nil && isLast(e.Status, kind) {
		return nil
	}
	_, err = sendOnce(ctx, w, r, nil)
	return err
}

// isLast reports whether a client does not send a request again after this answer. No client repeats a request for what
// does not exist, unless the store was made to say that it had changed.
func isLast(status int, kind faultKind) bool {
	return status != 0 && status < http.StatusBadRequest || status == http.StatusNotFound && !kind.lies
}

// within returns how long a target may take for an answer, whatever happens to its storage calls.
func within(w *scenario.World) time.Duration {
	return cmp.Or(w.Stage.Suite().Proofs.Within, proof.AnswerWithin)
}

// inTime returns an error if a target took too long for its answer, not counting how long it waited between its
// attempts at the call that failed: that is the back-off of its SDK. excused says that it was late only because of
// that.
func inTime(e *scenario.RoundTrip, took, waited, most time.Duration) (excused bool, err error) {
	switch {
	case took <= most:
		return false, nil
	case took-waited <= most:
		return true, nil
	case waited > time.Second:
		return false, fmt.Errorf("%s was answered after %s, not within %s, even without the %s between its attempts "+
			"at the call", e, took.Round(time.Second), most, waited.Round(time.Second))
	}
	return false, fmt.Errorf("%s was answered after %s, not within %s", e, took.Round(time.Second), most)
}

// sendOnce sends a request of a case under the case's Idempotency-Key, with a fault if there is one.
func sendOnce(ctx context.Context, w *scenario.World, r Request, f *Fault) (*scenario.RoundTrip, error) {
	path, err := w.Names.Address(r.Path)
	if err != nil {
		return nil, err
	}
	body, err := w.Names.Written(r.Body)
	if err != nil {
		return nil, err
	}
	if f != nil {
		atNext(w).broken = f
	}
	set := []scenario.Header{{Name: scenario.IdempotencyKey, Value: "Case-" + w.People.Tag()}}
	if r.Header.Name != "" {
		value, err := w.Names.Expand(r.Header.Value)
		if err != nil {
			return nil, err
		}
		set = append(set, scenario.Header{Name: r.Header.Name, Value: value})
	}
	e, err := w.Requests.Send(ctx, w.People.Caller(r.Name), r.Method, path, body, set...)
	if e != nil {
		e.Faulted = f.reached()
	}
	return e, err
}
