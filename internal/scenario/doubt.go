package scenario

import (
	"errors"
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

// CallsError is a failure that rests on storage calls.
type CallsError struct {
	Err   error
	Calls []wire.Call
}

// Error is the message of the failure.
func (e *CallsError) Error() string { return e.Err.Error() }

// Unwrap returns the failure.
func (e *CallsError) Unwrap() error { return e.Err }

// RestsOn says on which calls a failure rests.
func RestsOn(err error, calls ...wire.Call) error { return &CallsError{err, calls} }

// restsOn returns the calls that a failure rests on, none for calls that are missing; ok is false if it rests on
// something else.
func restsOn(err error) (calls []wire.Call, ok bool) {
	if over, is := errors.AsType[*budget.Budget](err); is {
		for _, i := range over.Odd {
			calls = append(calls, over.Calls[i])
		}
		return calls, true
	}
	if other, is := errors.AsType[*CallsError](err); is {
		return other.Calls, true
	}
	return nil, false
}

// Doubtful reports whether a failure rests on storage calls that were attributed only by their time of arrival: they
// may belong to an earlier request.
func Doubtful(err error) bool { return len(DoubtfulCalls(err)) > 0 }

// DoubtfulCalls returns the calls that make a failure Doubtful.
func DoubtfulCalls(err error) []wire.Call {
	calls, _ := restsOn(err)
	return slices.DeleteFunc(slices.Clone(calls), func(c wire.Call) bool { return c.ByTrace })
}

// UnclearError says that a scenario ended differently when it was run again alone, and that nothing explains it.
type UnclearError struct{ First, Second error }

// Error shows both runs.
func (e *UnclearError) Error() string {
	tell := func(err error) string {
		if err == nil {
			return "it passed"
		}
		return err.Error()
	}
	return fmt.Sprintf("it ended differently when it was run again alone\nfirst: %s\nagain: %s", tell(e.First),
		tell(e.Second))
}

// Unwrap returns what was seen in both runs.
func (e *UnclearError) Unwrap() []error {
	return slices.DeleteFunc([]error{e.First, e.Second}, func(err error) bool { return err == nil })
}

// Confirm returns the outcome of a scenario that was run twice: in the world w, where calls without a trace may have
// belonged to others, and then alone, with a long quiet time before each request, in the world again. The second run
// counts if it explains the first, whose requests are in seen; nil: they are not known. background says that the target
// is known to call its store after its answers. The error is nil, that of the second run, or an *UnclearError.
func (w *World) Confirm(first error, seen []Exchange, again *World, second error, background bool) error {
	if second != nil {
		if _, rests := restsOn(second); rests {
			return second
		}
		return &UnclearError{first, second}
	}
	calls, _ := restsOn(first)
	for _, call := range calls {
		if !call.ByTrace && !call.Forgotten && !again.sawLate(call) &&
			!displaced(call, seen, again.Report.Exchanges()) &&
			(!background || w.owns(call)) {
			return &UnclearError{first, second}
		}
	}
	return nil
}

// sawLate reports whether such a call was late in this world: then an earlier request of the scenario makes it.
func (w *World) sawLate(like wire.Call) bool {
	return slices.ContainsFunc(w.Requests.exchanges, func(e *RoundTrip) bool {
		return slices.ContainsFunc(e.Calls(), func(c wire.Call) bool {
			return c.Late && c.Service == like.Service && c.Class == like.Class && c.On() == like.On()
		})
	})
}

// displaced reports whether the second run made as many such calls as the first, and they broke nothing there: the one
// that broke the first belongs to another request of the scenario.
func displaced(like wire.Call, seen, again []Exchange) bool {
	n := made(like, seen)
	return n > 0 && made(like, again) >= n
}

func made(like wire.Call, requests []Exchange) (count int) {
	for _, request := range requests {
		for _, c := range request.Calls {
			if c.Service == like.Service && c.Class == like.Class && c.On() == like.On() {
				count++
			}
		}
	}
	return count
}

// owns reports whether a call names something that no other scenario knows of.
func (w *World) owns(c wire.Call) bool {
	for _, call := range append([]wire.Call{c}, c.Inner...) {
		if slices.ContainsFunc(append(call.Names(), call.Filter), w.Names.unique) {
			return true
		}
	}
	return false
}
