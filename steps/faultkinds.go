package steps

import (
	"fmt"
	"net/http"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// FaultLevel says which kinds of faults "any one storage call fails" goes through.
type FaultLevel string

// The levels. Default faults cost milliseconds: they tell an SDK to try again at once. The others cost what an SDK's
// patience and the start of a target cost.
const (
	NoFaults      FaultLevel = "none" // such a request is sent once, with nothing in its way
	DefaultFaults FaultLevel = "default"
	FullFaults    FaultLevel = "full"
)

// FaultLevels lists them.
func FaultLevels() []FaultLevel { return []FaultLevel{NoFaults, DefaultFaults, FullFaults} }

// faultKind is one way in which a storage call fails.
type faultKind struct {
	id   string
	name string // what happens, after "with"
	full bool   // only at FullFaults
	// applies says on which calls it can fall; nil: on all.
	applies func(wire.Call) bool
	// first answers the first attempt, again those that an SDK makes at it afterwards; nil: they pass.
	first, again answerer
	kills        bool // the target ends with the call
}

// slowFor is how long an unanswered call is held at most: a little longer than a target may take for its whole answer.
const slowFor = 16 * time.Second

// faultKinds is every kind, each healing with the next attempt ("once") or lasting for all attempts of the call.
func faultKinds() []faultKind {
	lasting := []faultKind{
		{id: "busy", name: "503 from", first: refused(http.StatusServiceUnavailable, "ServerBusy")},
		{id: "throttled", name: "429 from", first: refused(http.StatusTooManyRequests, "TooManyRequests")},
		{id: "unheard", name: "the answer lost of", first: refusedAfter, again: refused(http.StatusInternalServerError, "InternalError")},
		{id: "cut", name: "the connection lost before", full: true, first: cut},
		{id: "cut-after", name: "the connection lost after", full: true, first: cutAfter, again: cut},
		{id: "cut-within", name: "the connection lost within the answer of", full: true, first: cutWithin, again: cut},
		{id: "slow", name: "no answer in time from", full: true, first: slow},
	}
	var kinds []faultKind
	for _, kind := range lasting {
		once := kind
		once.id, once.name, once.again = kind.id+"-once", kind.name+" the first attempt at", passed
		if kind.again == nil {
			kind.again = kind.first
		}
		kind.name += " every attempt at"
		kinds = append(kinds, once, kind)
	}
	return append(kinds,
		faultKind{id: "stale", name: "412 from", applies: func(c wire.Call) bool { return c.Conditional != "" && c.Writes() }, first: stale, again: passed},
		faultKind{id: "killed", name: "the server killed after", full: true, kills: true, again: cut})
}

func passed(_ wire.Call, next http.Handler) http.Handler    { return next }
func cut(wire.Call, http.Handler) http.Handler              { return wire.Lost() }
func cutAfter(_ wire.Call, next http.Handler) http.Handler  { return wire.AnswerLost(next) }
func cutWithin(_ wire.Call, next http.Handler) http.Handler { return wire.AnswerCut(next) }
func slow(wire.Call, http.Handler) http.Handler             { return wire.Slow(slowFor) }

func refused(status int, code string) answerer {
	return func(call wire.Call, _ http.Handler) http.Handler { return wire.Refused(call.Service, status, code) }
}

// refusedAfter is an answer that is lost, told at once: the store has done its work, and the target hears of an error.
func refusedAfter(call wire.Call, next http.Handler) http.Handler {
	return wire.Unheard(next, wire.Refused(call.Service, http.StatusInternalServerError, "InternalError"))
}

// stale is the answer to a conditional write that somebody else was faster than (REST documents "Table service error
// codes" and "Blob service error codes").
func stale(call wire.Call, _ http.Handler) http.Handler {
	code := "UpdateConditionNotSatisfied"
	if call.Service == wire.Blob {
		code = "ConditionNotMet"
	}
	return wire.Refused(call.Service, http.StatusPreconditionFailed, code)
}

// kill ends the lane's target after the store has carried out the call it made, and lets no later call of it through.
func (l *Lane) kill(_ wire.Call, next http.Handler) http.Handler {
	return wire.Unheard(next, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		l.gate.SetDown(true)
		l.Target.Kill()
		panic(http.ErrAbortHandler)
	}))
}

// revive starts a target that kill has ended.
func (w *World) revive() error {
	lane := w.active()
	err := lane.Target.Stop(w.ctx)
	lane.gate.SetDown(false)
	if err != nil {
		return fmt.Errorf("end the target that was to be killed: %w", err)
	}
	started, err := lane.maker.start(w.ctx, lane, lane.gate)
	if err != nil {
		return err
	}
	lane.Target = started
	return nil
}
