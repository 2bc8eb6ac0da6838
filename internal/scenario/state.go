package scenario

import (
	"context"
	"errors"
	"fmt"
	"maps"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
)

// Cases are the worlds of a step that is run many times, each time from the state that the steps before it leave.
type Cases struct {
	world   *World
	inCase  bool                        // this is the world of one of the cases
	done    bool                        // the remaining steps were run in each case
	restore func(context.Context) error // restores the state the cases start from; nil: it is rebuilt
	shown   *ShownCase
}

// KeepState snapshots what the steps before the current one have left in the store, so that each case can start from
// it. It does nothing if that is not possible: the store cannot be restored, the target remembers what it saw and would
// be misled, or what waits for the next request cannot be used twice.
func (c *Cases) KeepState(ctx context.Context) error {
	if !c.world.Stage.suite.Proofs.Stateless || c.bound() || c.restore != nil {
		return nil
	}
	restore, err := c.world.Stage.lane.Snapshot(ctx)
	if errors.Is(err, store.ErrNoSnapshots) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep the state that the cases start from: %w", err)
	}
	c.restore = restore
	return nil
}

// Restorable reports whether each case starts with the same rows.
func (c *Cases) Restorable() bool { return c.restore != nil }

// InCase reports whether this is the world of one case.
func (c *Cases) InCase() bool { return c.inCase }

// Again returns a world for one case, in the state that the steps before the current one leave.
func (c *Cases) Again(ctx context.Context) (*World, error) {
	own := c.world.Stage.lane
	own.Restore()
	if c.restore == nil {
		return c.rebuilt(ctx, own)
	}
	if err := own.Refresh(ctx); err != nil {
		return nil, err
	}
	if err := c.restore(ctx); err != nil {
		return nil, fmt.Errorf("put the store back for the next case: %w", err)
	}
	return c.twin(), nil
}

// bound reports whether the scenario needs its own lane: a cold one, or one where the next request is awaited.
func (c *Cases) bound() bool { return c.world.Stage.cold != nil || c.world.Requests.around != nil }

// Borrow returns a lane that no scenario is using, for a case that can run in parallel (Elsewhere), and a
// function that returns it; nil if all are in use, or if the scenario needs its own lane.
func (c *Cases) Borrow() (l *lane.Lane, giveBack func()) {
	if c.world.Stage.suite.Lend == nil || c.bound() {
		return nil, nil
	}
	return c.world.Stage.suite.Lend()
}

// Elsewhere is Again on a borrowed lane. What its targets write is searched by Leaked of the world it returns.
func (c *Cases) Elsewhere(ctx context.Context, l *lane.Lane) (*World, error) {
	return c.rebuilt(ctx, l)
}

// rebuilt returns a world in which the steps before the current one were run once more on a lane, under fresh names, so
// that a target that remembers what it saw is not misled.
func (c *Cases) rebuilt(ctx context.Context, l *lane.Lane) (*World, error) {
	if err := l.Renew(ctx); err != nil {
		return nil, fmt.Errorf("make a lane ready for the next case: %w", err)
	}
	stage := c.world.Stage
	again := Begin(stage.suite, l, stage.pickle)
	again.Cases.inCase, again.Storage.careful = true, c.world.Storage.careful
	if l == stage.lane {
		again.log = c.world.log
	}
	for i, step := range stage.pickle.Steps[:stage.at] {
		again.Stage.at = i
		if err := stage.suite.Vocabulary.Run(ctx, step, again); err != nil {
			err = fmt.Errorf("run %q once more: %w", step.Text, err)
			if step.Type == messages.PickleStepType_CONTEXT {
				err = &PreparationError{err}
			}
			return nil, errors.Join(err, again.Leave(context.WithoutCancel(ctx)))
		}
	}
	for name := range c.world.People.byName {
		again.People.Person(name) // also those whom the current step named first
	}
	again.Stage.at = stage.at
	again.Storage.begin()
	return again, nil
}

// twin returns a copy of the world, which is independent from then on.
func (c *Cases) twin() *World {
	stage := *c.world.Stage
	twin := newWorld(&stage, c.world.People.tag)
	twin.log, twin.Cases.inCase, twin.Storage.careful = c.world.log, true, c.world.Storage.careful
	twin.Names.kept = maps.Clone(c.world.Names.kept)
	for kind, part := range c.world.packages {
		if own, ok := part.(interface{ Clone() any }); ok {
			twin.packages[kind] = own.Clone()
		}
	}
	for name, p := range c.world.People.byName {
		own := *p
		twin.People.byName[name] = &own
	}
	return twin
}

// Rest runs the steps after the current one in the world of a case, and checks what holds after every scenario. It
// returns the step that failed, if one did.
func (c *Cases) Rest(ctx context.Context, again *World) (step string, err error) {
	for i, later := range c.world.Stage.pickle.Steps[c.world.Stage.at+1:] {
		again.Stage.at = c.world.Stage.at + 1 + i
		if err := c.world.Stage.suite.Vocabulary.Run(ctx, later, again); err != nil {
			return later.Text, err
		}
	}
	again.Storage.settled = true // a case with failing calls may well have late ones
	return "", again.invariants(ctx)
}

// Done notes that the remaining steps were run in each case.
func (c *Cases) Done() { c.done, c.world.Storage.settled = true, true }

// ShownCase is what a report shows of a family of cases: the requests of the first failed case, or else of the last.
type ShownCase struct {
	world     *World
	exchanges []Exchange
	failed    bool
}

// Showing returns what a report would show of a case. Its lane must not have been used again.
func (c *Cases) Showing(failed bool) *ShownCase {
	if failed {
		c.world.AwaitOutput()
	}
	return &ShownCase{c.world, c.world.Report.Exchanges(), failed}
}

// Show makes a case the one that reports show, unless a failed one is already shown.
func (c *Cases) Show(one *ShownCase) {
	if c.shown == nil || !c.shown.failed {
		c.shown = one
		c.world.Names.shown, c.world.Storage.shown = one.world.Names, one.world.Storage
		c.world.Report.shown, c.world.Report.seen = one.world.Report, one.exchanges
	}
}
