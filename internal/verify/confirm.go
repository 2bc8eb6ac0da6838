package verify

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/cases"
	"github.com/storespec/storespec/internal/lane"
	"github.com/storespec/storespec/internal/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// Why a scenario is run again alone.
const (
	doubtful   = "it failed by calls without a trace, which may belong to an earlier request"
	background = "the server makes calls without a trace after its answers"
	overdue    = "calls arrived after they had been judged"
	hurried    = "a cache that does not answer in time may be passed over"
)

// judgedOnce is a scenario that may have to be run again, alone: once all others have ended, on a lane that has been
// quiet for long.
type judgedOnce struct {
	pickle  *godog.Scenario
	header  ScenarioResult // what does not change from run to run
	first   ScenarioResult
	world   *scenario.World
	err     error
	weighed []scenario.Weighed
	why     string // it must be run again; "": only if late calls turn up
}

// watch notes a scenario that has ended, whose result may not be its last. It reports whether the result must wait.
func (b *bound) watch(pickle *godog.Scenario, err error, strays int) (waits bool) {
	one := judgedOnce{pickle: pickle, err: err, header: b.header, first: b.result, weighed: b.world.Weighed()}
	outcome := judge(err)
	switch {
	case b.options.Proofs.Only != nil, outcome == Skipped, outcome == Errored:
		return false
	case len(cases.Summaries(&b.world)) > 0: // each case was confirmed by itself
		return false
	case scenario.Doubtful(err):
		one.why = doubtful
	case outcome == OverBudget && b.world.Hurried():
		one.why = hurried
	case outcome != Passed && outcome != OverBudget, len(one.weighed) == 0:
		one.weighed = nil
	case slices.ContainsFunc(one.weighed, scenario.Weighed.Grew):
		one.why = overdue
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.background = b.background || strays > 0 && !b.world.Disturbed()
	if one.why == "" && len(one.weighed) == 0 {
		return false
	}
	if err != nil || one.why != "" {
		one.world = &b.world
	}
	b.watched = append(b.watched, one)
	return one.why != ""
}

// confirm runs again, alone, what cannot be judged by one run, and waits before for calls that are still to come.
func (r *run) confirm(ctx context.Context) {
	if len(r.watched) == 0 || ctx.Err() != nil {
		return
	}
	if r.lanes.untraced() != nil {
		r.recordFirst(ctx) // nothing can be trusted, and the run says so
		return
	}
	r.drain(ctx)
	var work []judgedOnce
	for _, one := range r.watched {
		switch {
		case one.why != "":
		case r.background:
			one.why = background
		case slices.ContainsFunc(one.weighed, scenario.Weighed.Grew):
			one.why = overdue
		default:
			continue
		}
		work = append(work, one)
	}
	next := make(chan judgedOnce, len(work))
	for _, one := range work {
		next <- one
	}
	close(next)
	var ended []func()
	var mu sync.Mutex
	var workers sync.WaitGroup
	for _, l := range r.lanes.processes() {
		workers.Go(func() {
			for one := range next {
				conclude := r.alone(ctx, l, one)
				mu.Lock()
				ended = append(ended, conclude)
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	for _, conclude := range ended { // whether the server works in the background is known only now
		conclude()
	}
}

// recordFirst records the results that have waited for a second run.
func (r *run) recordFirst(ctx context.Context) {
	for _, one := range r.watched {
		if one.why != "" {
			one.first.scrub(one.world.Scrub, one.world.Shown, one.err)
			r.record(ctx, one.first, one.err, judge(one.err))
		}
	}
}

// drain waits for late calls of the last scenarios, if the options say so.
func (r *run) drain(ctx context.Context) {
	var all sync.WaitGroup
	for _, l := range r.lanes.processes() {
		all.Go(func() {
			strays, before := l.Recorder.Strays(), l.Recorder.SetQuiet(r.linger())
			_ = l.Recorder.Settle(ctx) // the run ends anyway
			l.Recorder.SetQuiet(before)
			r.sawStrays(l.Recorder.Strays() - strays)
		})
	}
	all.Wait()
}

func (r *run) linger() time.Duration {
	if r.options.Linger {
		return wire.CertainQuiet
	}
	return 0
}

func (r *run) sawStrays(count int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.background = r.background || count > 0
}

// alone runs a scenario once more while no other uses its target. The function that it returns records the result.
func (r *run) alone(ctx context.Context, l *lane.Lane, one judgedOnce) (conclude func()) {
	result := one.header
	result.Again, result.Start = one.why, time.Now()
	before, world := &scenario.World{}, &scenario.World{}
	before.Begin(r.suite, l, one.pickle)
	defer before.BeCareful()()
	err := before.Drain(ctx)
	if err == nil {
		err = l.Renew(ctx)
	}
	if err != nil {
		r.unusable(l, err)
		return func() { r.replace(ctx, result, err, Errored) }
	}
	world.Begin(r.suite, l, one.pickle)
	defer world.BeCareful()()
	strays := l.Recorder.Strays()
	result, err = r.steps(ctx, l, world, one.pickle, result)
	if !world.Disturbed() {
		r.sawStrays(l.Recorder.Strays() - strays)
	}
	leaked := world.Leaked(ctx)
	known, unknown := one.weigh(world, err)
	return func() {
		final, shown := unknown, world
		if r.background {
			final = known
		}
		if judge(final) == Unclear && one.err != nil { // what it failed by is in the first run
			one.first.Again = result.Again
			result, shown = one.first, one.world
		}
		result.scrub(shown.Scrub, shown.Shown, final)
		outcome := judge(final)
		if leaked != nil && outcome != Skipped {
			result.Reason = strings.TrimPrefix(result.Reason+"\n"+leaked.Error(), "\n")
			outcome = Worse(outcome, Failed)
		}
		r.replace(ctx, result, errors.Join(final, leaked), outcome)
	}
}

// steps runs the steps of a scenario, as godog would, and ends it.
func (r *run) steps(ctx context.Context, l *lane.Lane, world *scenario.World, pickle *godog.Scenario,
	result ScenarioResult) (_ ScenarioResult, err error) {
	for _, step := range pickle.Steps {
		world.Reach(step)
		began := time.Now()
		err = r.suite.Vocabulary.Run(ctx, step, world)
		result.Steps = append(result.Steps, time.Since(began))
		if err != nil {
			result.Step = step.Text
			break
		}
	}
	r.unusable(l, err)
	if err != nil && len(result.Steps) <= r.options.Catalogue.preparing(pickle) {
		err = &scenario.PreparationError{Err: err}
	}
	return r.close(ctx, world, l, result, err)
}

// weigh returns the error of a scenario whose second run, in the world again, had the given one: if the target is known
// to call its store after its answers, and if it is not. It must be called before the lane is used again.
func (o *judgedOnce) weigh(again *scenario.World, second error) (known, unknown error) {
	if judge(second) == Errored || o.why == hurried {
		return second, second
	}
	first, world := o.err, cmp.Or(o.world, again)
	if first != nil {
		first = matching.NewCleaned(first, world.Scrub)
	}
	if second != nil {
		second = matching.NewCleaned(second, again.Scrub)
	}
	return world.Confirm(first, again, second, true), world.Confirm(first, again, second, false)
}

// replace records the result of a second run in place of that of the first.
func (r *run) replace(ctx context.Context, result ScenarioResult, err error, outcome Outcome) {
	r.mu.Lock()
	r.results = slices.DeleteFunc(r.results, func(first ScenarioResult) bool {
		if first.Rule != result.Rule || first.File != result.File || first.Line != result.Line {
			return false
		}
		r.left[result.Rule]++
		r.count(first.Outcome, -1)
		return true
	})
	r.mu.Unlock()
	r.record(ctx, result, err, outcome)
}
