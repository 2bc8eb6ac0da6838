package cases

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// faultKind is one way in which a storage call fails.
type faultKind struct {
	id   string
	name string // when it happens, with %s for the call
	full bool   // only at FullFaults
	// applies reports which calls it can hit; nil: all.
	applies func(wire.Call) bool
	// first answers the first attempt, again the retries that an SDK makes afterwards; nil: they pass.
	first, again Answerer
	kills        bool // the target is killed by the call
	waits        bool // for the target's patience to end
	lies         bool // the store reports a change that did not happen
}

// faultKinds returns every kind for a target that may take within for its whole answer, each in two forms: for the
// first attempt only ("once") or for all attempts of the call.
func faultKinds(within time.Duration) []faultKind {
	slow := func(wire.Call, http.Handler) http.Handler { return wire.Slow(within + time.Second) }
	lasting := []faultKind{
		{id: "busy", name: "when %s is answered 503", first: Refused(wire.Busy)},
		{id: "throttled", name: "when %s is answered 429", first: Refused(wire.Throttled)},
		{id: "unheard", name: "when the answer to %s is lost", first: refusedAfter, again: Refused(wire.Broken)},
		{id: "cut", name: "when the connection is lost before %s", full: true, first: Cut},
		{id: "cut-after", name: "when the connection is lost after %s", full: true, first: CutAfter, again: Cut},
		{id: "cut-within", name: "when the connection is lost within the answer to %s", full: true, first: cutWithin,
			again: Cut},
		{id: "slow", name: "when %s is not answered in time", full: true, first: slow, waits: true},
	}
	var kinds []faultKind
	for _, kind := range lasting {
		once := kind
		once.id, once.name, once.again = kind.id+"-once", fmt.Sprintf(kind.name, "the first attempt at %s"), Passed
		if kind.again == nil {
			kind.again = kind.first
		}
		kind.name = fmt.Sprintf(kind.name, "every attempt at %s")
		kinds = append(kinds, once, kind)
	}
	return append(kinds,
		faultKind{id: "stale", name: "when %s is answered 412", first: Refused(wire.Stale), again: Passed, lies: true,
			applies: func(c wire.Call) bool { return c.Conditional != "" && c.Writes() && !c.Contends }},
		faultKind{id: "contended", name: "when another call is in the way of %s", first: Refused(wire.Conflict),
			again: Passed, applies: func(c wire.Call) bool { return c.Contends }},
		faultKind{id: "killed", name: "when the server is killed after %s", full: true, kills: true, again: Cut})
}

// Passed lets the store answer.
func Passed(_ wire.Call, next http.Handler) http.Handler { return next }

// Cut answers a call by breaking its connection before the store has received it.
func Cut(wire.Call, http.Handler) http.Handler { return wire.Lost() }

// CutAfter lets the store perform a call and breaks the connection before the answer.
func CutAfter(_ wire.Call, next http.Handler) http.Handler { return wire.AnswerLost(next) }

func cutWithin(_ wire.Call, next http.Handler) http.Handler { return wire.AnswerCut(next) }

// Refused answers a call as the store does when it refuses the call for a reason.
func Refused(reason wire.Refusal) Answerer {
	return func(wire.Call, http.Handler) http.Handler { return wire.Refused(reason) }
}

// refusedAfter simulates a lost answer without waiting: the store has performed the call, and the target gets an error.
func refusedAfter(_ wire.Call, next http.Handler) http.Handler {
	return wire.Unheard(next, wire.Refused(wire.Broken))
}

// killer kills the lane's target after the store has performed its call, and passes none of its later calls until bury.
func killer(l *lane.Lane) (kill Answerer, bury func()) {
	var dead atomic.Bool
	bury = l.Gate.Interpose(func(call wire.Call, next http.Handler) http.Handler {
		if dead.Load() {
			return wire.Lost()
		}
		return next
	})
	kill = func(_ wire.Call, next http.Handler) http.Handler {
		return wire.Unheard(next, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			dead.Store(true)
			l.Target.Kill()
			panic(http.ErrAbortHandler)
		}))
	}
	return kill, bury
}

// revive starts a target that a killer has killed.
func revive(ctx context.Context, w *scenario.World, bury func()) error {
	lane := w.Stage.Lane()
	err := lane.Target.Stop(ctx)
	bury()
	if err != nil {
		return fmt.Errorf("end the server that was to be killed: %w", err)
	}
	return lane.Restart(ctx)
}
