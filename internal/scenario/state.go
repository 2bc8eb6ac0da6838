package scenario

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// KeepState snapshots what the steps before the current one have left in the store, so that each case can start from
// it. It does nothing if that is not possible: the store cannot be restored, the target remembers what it saw and would
// be misled, or what waits for the next request cannot be used twice.
func (w *World) KeepState(ctx context.Context) error {
	if !w.suite.Proofs.Stateless || w.cold != nil || w.around != nil || w.restore != nil {
		return nil
	}
	restore, err := w.lane.Snapshot(ctx)
	if errors.Is(err, store.ErrNoSnapshots) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep the state that the cases start from: %w", err)
	}
	w.restore = restore
	return nil
}

// Restorable reports whether each case starts with the same rows.
func (w *World) Restorable() bool { return w.restore != nil }

// InCase reports whether this is the world of one case.
func (w *World) InCase() bool { return w.inCase }

// Again returns a world for one case, in the state that the steps before the current one leave.
func (w *World) Again(ctx context.Context) (*World, error) {
	w.lane.Restore()
	if w.restore == nil {
		return w.rebuilt(ctx, w.lane)
	}
	if err := w.lane.Refresh(ctx); err != nil {
		return nil, err
	}
	if err := w.restore(ctx); err != nil {
		return nil, fmt.Errorf("put the store back for the next case: %w", err)
	}
	return w.twin(), nil
}

// Borrow returns a lane that no scenario is using, for a case that can run beside the others (Elsewhere), and a
// function that returns it; nil if all are in use, or if the scenario needs its own lane.
func (w *World) Borrow() (l *lane.Lane, giveBack func()) {
	if w.suite.Lend == nil || w.cold != nil || w.around != nil {
		return nil, nil
	}
	return w.suite.Lend()
}

// Elsewhere is Again on a borrowed lane. What its targets write is searched by Leaked of the world it returns.
func (w *World) Elsewhere(ctx context.Context, l *lane.Lane) (*World, error) {
	return w.rebuilt(ctx, l)
}

// rebuilt returns a world in which the steps before the current one were run once more on a lane, under fresh names, so
// that a target that remembers what it saw is not misled.
func (w *World) rebuilt(ctx context.Context, l *lane.Lane) (*World, error) {
	if err := l.Renew(ctx); err != nil {
		return nil, fmt.Errorf("make a lane ready for the next case: %w", err)
	}
	again := &World{}
	again.Begin(w.suite, l, w.pickle)
	again.inCase, again.careful = true, w.careful
	if l == w.lane {
		again.log = w.log
	}
	for i, step := range w.pickle.Steps[:w.at] {
		again.at = i
		if err := w.suite.Vocabulary.Run(ctx, step, again); err != nil {
			err = fmt.Errorf("run %q once more: %w", step.Text, err)
			if step.Type == messages.PickleStepType_CONTEXT {
				err = &PreparationError{err}
			}
			return nil, errors.Join(err, again.Leave(context.WithoutCancel(ctx)))
		}
	}
	for name := range w.people {
		again.Person(name) // also those whom the current step named first
	}
	again.at = w.at
	again.begin()
	return again, nil
}

// twin returns a copy of the world, which is independent from then on.
func (w *World) twin() *World {
	twin := &World{
		suite: w.suite, lane: w.lane, pickle: w.pickle, at: w.at, tag: w.tag, inCase: true, log: w.log,
		careful: w.careful,
		people:  map[string]*Person{}, kept: maps.Clone(w.kept), parts: map[reflect.Type]any{},
	}
	for kind, part := range w.parts {
		if own, ok := part.(interface{ Clone() any }); ok {
			twin.parts[kind] = own.Clone()
		}
	}
	for name, p := range w.people {
		own := *p
		twin.people[name] = &own
	}
	return twin
}

// Rest runs the steps after the current one in the world of a case, and checks what holds after every scenario. It
// returns the step that failed, if one did.
func (w *World) Rest(ctx context.Context, again *World) (step string, err error) {
	for i, later := range w.pickle.Steps[w.at+1:] {
		again.at = w.at + 1 + i
		if err := w.suite.Vocabulary.Run(ctx, later, again); err != nil {
			return later.Text, err
		}
	}
	again.settled = true // a case with failing calls may well have late ones
	return "", again.invariants(ctx)
}

// Done notes that the remaining steps were run in each case.
func (w *World) Done() { w.done, w.settled = true, true }

// ShownCase is what a report shows of a family of cases: the requests of the first failed case, or else of the last.
type ShownCase struct {
	world     *World
	exchanges []Exchange
	failed    bool
}

// Showing returns what a report would show of a case. Its lane must not have been used again.
func (w *World) Showing(failed bool) *ShownCase {
	if failed {
		w.AwaitOutput()
	}
	return &ShownCase{w, w.Exchanges(), failed}
}

// Show makes a case the one that reports show, unless a failed one is already shown.
func (w *World) Show(one *ShownCase) {
	if w.shown == nil || !w.shown.failed {
		w.shown = one
	}
}

// Where returns a scenario's file and line, and its name: filled examples have one line.
func Where(pickle *godog.Scenario) string {
	return fmt.Sprintf("%s:%d %s", pickle.Uri, pickle.Location.Line, pickle.Name)
}

// Where returns the scenario's file and line, and its name.
func (w *World) Where() string { return Where(w.pickle) }

// Reach notes that a step is about to run.
func (w *World) Reach(step *godog.Step) {
	w.at = slices.IndexFunc(w.pickle.Steps, func(s *godog.Step) bool { return s.Id == step.Id })
	if step.Type != messages.PickleStepType_CONTEXT && !w.begun {
		w.begin()
	}
}

// begin notes that what the scenario is about begins now.
func (w *World) begin() { w.given, w.begun = len(w.lane.Recorder.Calls()), true }

// Calls returns the calls of the scenario without those of the Given steps it begins with; in a case, without those of
// the steps before it. A case whose state was restored makes no calls for it, so the verdict must not rest on them.
func (w *World) Calls() []wire.Call {
	calls := w.Lane().Recorder.Calls()
	if w.cold != nil {
		return calls
	}
	return calls[min(w.given, len(calls)):]
}
