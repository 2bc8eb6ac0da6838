package verify

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/scenario"
)

// bound is one scenario: its own world, and hooks that record its result.
type bound struct {
	*run
	world  *scenario.World // nil before the scenario and after it: godog keeps what its steps refer to
	lane   *lane.Lane
	step   *godog.Step // the current one
	since  time.Time   // when it began
	late   int         // calls of the lane that came too late before the scenario
	header ScenarioResult
	result ScenarioResult
	broke  error // of the first step that did not pass; godog reports no skip to the After hook
	// prepares is how many of the first steps only prepare what the rule is about
	prepares int
	at       atomic.Pointer[string] // the text of the step that runs
	ended    func()                 // the run does not wait for it any more
}

// anyStep matches the text of every step. Which function runs a step is for the vocabulary to say, once for each text;
// godog would compare each text with each pattern, in each scenario.
var anyStep = regexp.MustCompile("")

// scenario binds one scenario.
func (r *run) scenario(sc *godog.ScenarioContext) {
	b := &bound{run: r}
	sc.Before(b.begin)
	sc.Step(anyStep, b.take)
	sc.StepContext().Before(b.reach)
	sc.StepContext().After(b.reached)
	sc.After(b.end)
}

func (b *bound) begin(ctx context.Context, read *godog.Scenario) (_ context.Context, err error) {
	if ctx.Err() != nil { // the run has ended: what is left is not even looked at
		return ctx, ctx.Err()
	}
	pickle := b.options.Catalogue.located(read)
	if !b.takes(pickle) {
		return ctx, godog.ErrSkip
	}
	b.result = ScenarioResult{Rule: ruleOf(pickle), Name: pickle.Name, File: pickle.Uri,
		Line: int(pickle.Location.Line), Example: b.options.Catalogue.examples[placeOf(pickle)]}
	b.header = b.result
	if b.broke = scenario.Lacking(pickle, b.options.System.Capabilities, b.options.Without); b.broke != nil {
		b.began()
		return ctx, b.broke
	}
	if b.lane, err = b.lanes.take(ctx, pickle, b.lengthOf(pickle)); err != nil {
		b.unusable(nil, err)
		return ctx, err
	}
	b.began()
	if b.options.Begins != nil {
		b.options.Begins(b.result.Place())
	}
	if b.options.Proofs.Faults == proof.NoFaults && slices.ContainsFunc(pickle.Steps, b.suite.Vocabulary.Faulty) {
		b.mu.Lock()
		b.unbroken++
		b.mu.Unlock()
	}
	b.ended = b.options.Waits.Begin(waiting.Scenario, b.describe)
	b.prepares = b.options.Catalogue.preparing(pickle)
	b.result.Start = time.Now()
	b.account(b.lane, nil)
	b.world = scenario.Begin(b.suite, b.lane, pickle)
	b.late = b.lane.Recorder.Attributed().TooLate
	return ctx, nil
}

func (b *bound) reach(ctx context.Context, reached *godog.Step) (context.Context, error) {
	if b.lane != nil && b.world != nil { // godog also reaches the steps behind one that failed
		b.world.Reach(reached)
	}
	b.step, b.since = reached, time.Now()
	b.at.Store(&reached.Text)
	return ctx, nil
}

// take runs the current step.
func (b *bound) take(ctx context.Context) error { return b.suite.Vocabulary.Run(ctx, b.step, b.world) }

// describe says which step of the scenario runs.
func (b *bound) describe(lasted time.Duration) string {
	text := fmt.Sprintf("%s:%d, %s", b.header.File, b.header.Line, waiting.Of(lasted, 0))
	if step := b.at.Load(); step != nil {
		text += ": " + *step
	}
	return text
}

func (b *bound) reached(ctx context.Context, reached *godog.Step, _ godog.StepResultStatus,
	err error) (context.Context, error) {
	if b.broke == nil {
		b.result.Steps = append(b.result.Steps, time.Since(b.since))
	}
	if err != nil && b.broke == nil {
		b.result.Step, b.broke = reached.Text, err
	}
	return ctx, nil
}

func (b *bound) end(ctx context.Context, read *godog.Scenario, err error) (context.Context, error) {
	pickle := b.options.Catalogue.located(read)
	if !b.takes(pickle) {
		return ctx, nil
	}
	one := &ended{ScenarioResult: b.result, err: cmp.Or(err, b.broke), world: b.world}
	if b.lane == nil {
		one.Outcome = Errored
		if b.broke != nil { // without what godog puts in front of a hook's error
			one.Outcome, one.err = Skipped, b.broke
			one.scrub()
		}
		b.record(ctx, one)
		return ctx, nil
	}
	defer b.ended()
	b.unusable(b.lane, one.err)
	b.close(ctx, b.lane, one, b.prepares)
	b.account(b.lane, b.world)
	if !b.watch(pickle, one) {
		if one.err != nil {
			one.Names = b.world.Report.Named()
		}
		one.scrub()
		b.conclude(ctx, one)
	}
	if b.world.Disturbed() {
		b.mu.Lock()
		b.disturbed += b.lane.Recorder.Attributed().TooLate - b.late
		b.mu.Unlock()
	}
	b.unrouted(ctx, b.lane)
	b.lanes.give(b.lane)
	b.world = nil
	return ctx, nil
}
