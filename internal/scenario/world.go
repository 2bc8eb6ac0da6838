package scenario

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// Budgets returns every budget judged so far, in order. Request is an index into Exchanges.
func (w *World) Budgets() []budget.Budget {
	if w.shown != nil {
		return w.shown.world.budgets
	}
	return w.budgets
}

// World is the state of one scenario. Its zero value can be bound to steps; Begin makes it ready.
type World struct {
	suite  *Suite
	lane   *lane.Lane
	cold   *lane.Lane // the lane of a cold start, created by the scenario and closed with it
	pickle *godog.Scenario
	at     int // index of the running step in the pickle, from 0

	tag    string // unique per scenario: no two scenarios share an id or an address
	people map[string]*Person
	kept   map[string]string    // ids and values by the name the scenario gave them
	spread int                  // number of instances that simultaneous requests go to; 0: one
	around Around               // for the next request; nil: nothing
	parts  map[reflect.Type]any // what packages of steps store here

	leftOut   []string     // why rows of tables were left out
	log       *lane.Log    // of the scenario and all its cases
	exchanges []*RoundTrip // every request of the scenario, in order
	settled   bool
	given     int       // how many of the lane's calls only prepared the scenario; those of a case, the case
	begun     bool      // given is known
	weighed   []Weighed // requests whose calls were judged
	careful   bool      // BeCareful
	invariant bool      // the step that runs is an invariant's
	hurried   bool      // Hurry

	// Only for a scenario with a step that is run in many cases (state.go):
	inCase  bool                        // this is the world of one of the cases
	done    bool                        // the remaining steps were run in each case
	restore func(context.Context) error // restores the state the cases start from; nil: it is rebuilt
	shown   *ShownCase

	budgets []budget.Budget               // every budget that was judged
	before  atomic.Pointer[store.Content] // the last request: what the store contained (remember)
}

// Suite is what all scenarios of a run share.
type Suite struct {
	Vocabulary *Vocabulary
	Proofs     proof.Proofs
	Contract   *contract.Contract // the system's; nil: answers are not checked
	Without    []string           // capabilities that the server declares it lacks
	// OrderWithin bounds one order of requests that run at the same time; 0 is the default.
	OrderWithin time.Duration
	Repeatable  bool           // what the store contains is kept before each request, for World.Repeat
	Cases       *waiting.Meter // how long faults take; nil: it is not shown
	// Lend returns a lane that no scenario is using, with a function that returns it, or nil if all are in use. It may
	// be called concurrently. nil: scenarios share a target, so that lanes cannot be lent.
	Lend func() (l *lane.Lane, giveBack func())
}

// Begin makes the world ready for a scenario. The lane must belong to the scenario alone until Finish.
func (w *World) Begin(suite *Suite, lane *lane.Lane, pickle *godog.Scenario) {
	*w = World{
		suite: suite, lane: lane, pickle: pickle,
		// its last character is a digit, so that whatever it stands in is known for an id (package cause)
		tag:    strings.ToLower(rand.Text()[:8]) + "7",
		people: map[string]*Person{}, kept: map[string]string{}, parts: map[reflect.Type]any{},
		log: lane.Watch(),
	}
}

// Part returns what a package of steps stores in a world, one value of each type. It is created on first use, closed
// with the world if it is an io.Closer, and cloned into the worlds of cases if it has a method Clone.
func Part[T any](w *World) *T {
	kind := reflect.TypeFor[T]()
	if _, there := w.parts[kind]; !there {
		w.parts[kind] = new(T)
	}
	return w.parts[kind].(*T)
}

// Around interferes with a request's storage calls. end removes it and returns what was sent meanwhile, if anything
// was.
type Around func(recorded *wire.Request) (end func() (meanwhile *RoundTrip, err error))

// AroundNext interferes with the storage calls of the next request.
func (w *World) AroundNext(a Around) { w.around = a }

// Keep gives a value a name: {name} stands for that value from then on.
func (w *World) Keep(name, value string) { w.kept[name] = value }

// NewID makes up an id in the design's form, and keeps it under the name.
func (w *World) NewID(name string) string {
	id := w.System().NewID(name, w.tag)
	w.Keep(name, id)
	return id
}

// KeepValue is Keep for a JSON value or a column value. It reports whether the value is a string or a number; only
// those can be kept.
func (w *World) KeepValue(name string, value any) bool {
	switch value := value.(type) {
	case string:
		w.Keep(name, value)
	case json.Number:
		w.Keep(name, value.String())
	default:
		return false
	}
	return true
}

// Kept returns the value with the given name; ok is false if there is none.
func (w *World) Kept(name string) (value string, ok bool) {
	value, ok = w.kept[name]
	return value, ok
}

// Names returns the names that values and people have so far, each sorted.
func (w *World) Names() (values, people []string) {
	return slices.Sorted(maps.Keys(w.kept)), slices.Sorted(maps.Keys(w.people))
}

// Lane returns where the scenario's requests go: a lane of its own after a cold start, otherwise the one it was given.
func (w *World) Lane() *lane.Lane {
	if w.cold != nil {
		return w.cold
	}
	return w.lane
}

// Suite returns what all scenarios of the run share.
func (w *World) Suite() *Suite { return w.suite }

// Tag returns a text unique to the scenario: no two scenarios share an id or an address.
func (w *World) Tag() string { return w.tag }

// SpreadOver distributes requests that are sent at once over count instances of the target, in turn.
func (w *World) SpreadOver(count int) { w.spread = count }

// Spreads returns the number of instances that simultaneous requests go to; 1 if SpreadOver was not called.
func (w *World) Spreads() int { return max(1, w.spread) }

// Unsettle notes that storage calls may arrive that nobody has waited for.
func (w *World) Unsettle() { w.settled = false }

// StartedCold reports whether the scenario has a lane of its own.
func (w *World) StartedCold() bool { return w.cold != nil }

// System returns the design whose rule the scenario shows.
func (w *World) System() system.System { return w.lane.Maker.System }

// Finish checks what must hold after every scenario and ends what the scenario started. Its error is the scenario's
// outcome if no step failed before. Nothing is checked when the context has ended: the target may still be calling a
// store that is gone, and nobody is waiting for the result.
func (w *World) Finish(ctx context.Context) error {
	var err error
	if ctx.Err() == nil {
		err = w.invariants(ctx)
	}
	return cmp.Or(err, w.Leave(context.WithoutCancel(ctx)))
}

// Leave ends what the scenario started.
func (w *World) Leave(ctx context.Context) error {
	w.lane.Restore()
	var closed error
	for _, part := range w.parts {
		if closer, ok := part.(io.Closer); ok {
			closed = errors.Join(closed, closer.Close())
		}
	}
	if w.cold == nil {
		return closed
	}
	err := errors.Join(closed, w.cold.Close(ctx))
	w.lane.Count(w.cold)
	w.cold = nil
	return err
}

// Exchange is one request of a scenario, for reports. It has only the headers that say who sent the request, and leaves
// out the parts of its query and body whose names mark them as confidential.
type Exchange struct {
	Step     int           `json:"step,omitempty"` // that sent it, by number, from 1; 0: unknown
	Person   string        `json:"person"`
	Method   string        `json:"method"`
	Path     string        `json:"path"`
	As       string        `json:"as,omitempty"` // the server's own route, METHOD /path, if that is mapped (--map)
	Status   int           `json:"status"`       // 0: no answer arrived
	Start    time.Time     `json:"start,omitzero"`
	Duration time.Duration `json:"durationNs,omitempty"` // until the whole answer was read, or given up on
	Query    string        `json:"query,omitempty"`      // with its question mark
	Type     string        `json:"type,omitempty"`       // Content-Type of its body
	Body     string        `json:"body,omitempty"`
	// headers that say who sent it, as "Name: value", with {session} and {email} in place of the person's own
	Caller []string       `json:"caller,omitempty"`
	Own    *mapping.Shown `json:"own,omitempty"` // the request as the server takes it, if its names are mapped (--map)
	Set    []string       `json:"set,omitempty"` // headers that the step sets, as "Name: value"
	// Answer is the body of an answer with a status from 400 on, or of the one by which the scenario failed, and Wrote
	// what the target wrote until the next request if it gave none below 500. Both without secrets, and cut.
	Answer string      `json:"answer,omitempty"`
	Wrote  string      `json:"wrote,omitempty"`
	Calls  []wire.Call `json:"calls,omitempty"`
	Odd    []int       `json:"odd,omitempty"` // the calls that are not allowed, by number, from 0
}

// Exchanges returns every request the scenario has sent so far, in order.
func (w *World) Exchanges() []Exchange {
	if w.shown != nil {
		return w.shown.exchanges
	}
	list := make([]Exchange, len(w.exchanges))
	for i, e := range w.exchanges {
		path, query, _ := strings.Cut(e.Path, "?")
		list[i] = Exchange{Step: e.step + 1, Person: e.Person, Method: e.method, Path: path, As: e.as(),
			Status: e.Status, Start: e.start,
			Duration: e.duration, Query: w.shownQuery(query), Type: e.kind, Body: w.shownBody(e.kind, e.Sent),
			Caller: e.caller, Set: e.set, Own: w.own(e), Answer: w.refusal(e), Wrote: w.wrote(e), Calls: e.Calls(),
			Odd: e.Odd}
	}
	return list
}

// own returns a request as the server takes it, as reports show it; nil if that is as the contract has it.
func (w *World) own(e *RoundTrip) *mapping.Shown {
	path, query, _ := strings.Cut(e.Path, "?")
	s := mapping.Shown{Method: e.method, Path: path, Query: w.shownQuery(query), Body: w.shownBody(e.kind, e.Sent),
		Header: slices.Concat(e.caller, e.set)}
	if e.kind != "" {
		s.Header = append(s.Header, "Content-Type: "+e.kind)
	}
	return w.Lane().Maker.Mapping.Show(s)
}

// Step returns the step that is running.
func (w *World) Step() *godog.Step { return w.pickle.Steps[w.at] }

// Judged stores a budget that was judged, for reports.
func (w *World) Judged(b budget.Budget) { w.budgets = append(w.budgets, b) }
