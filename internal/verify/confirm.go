package verify

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
)

// Why a scenario is run again alone.
const (
	doubtful   = "it failed by calls without a trace, which may belong to an earlier request"
	background = "the server makes calls without a trace after its answers"
	misplaced  = "calls without a trace came during another scenario, which does not make them"
	overdue    = "calls arrived after they had been judged"
	hurried    = "a cache that does not answer in time may be passed over"
)

// judgedOnce is a scenario that may have to be run again, alone: once all others have ended, on a lane that has been
// quiet for long.
type judgedOnce struct {
	pickle  *godog.Scenario
	header  ScenarioResult // what does not change from run to run
	first   ended
	weighed []scenario.Weighed
	why     string // it must be run again; "": only if late calls turn up
}

// watch notes a scenario that has ended, whose result may not be its last. It reports whether the result must wait.
func (b *bound) watch(pickle *godog.Scenario, first *ended) (waits bool) {
	one := judgedOnce{pickle: pickle, header: b.header, first: *first, weighed: b.world.Storage.Weighed()}
	outcome := first.Outcome
	switch {
	case b.options.Proofs.Only != nil, outcome == Skipped, outcome == Errored:
		return false
	case len(cases.Summaries(b.world)) > 0: // each case was confirmed by itself
		return false
	case scenario.Doubtful(first.err):
		one.why = doubtful
	case outcome == OverBudget && b.world.Storage.Hurried():
		one.why = hurried
	case outcome != Passed && outcome != OverBudget, len(one.weighed) == 0:
		one.weighed = nil
	case slices.ContainsFunc(one.weighed, scenario.Weighed.Grew):
		one.why = overdue
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if one.why == "" && len(one.weighed) == 0 {
		return false
	}
	if first.err == nil && one.why == "" {
		one.first.world = nil // nobody asks for it again
	}
	b.watched = append(b.watched, one)
	return one.why != ""
}

// confirm runs again, alone, what cannot be judged by one run, and waits before for calls that are still to come. It
// returns how long that took.
func (r *run) confirm(ctx context.Context) time.Duration {
	began := time.Now()
	r.confirmWatched(ctx)
	return time.Since(began)
}

func (r *run) confirmWatched(ctx context.Context) {
	if ctx.Err() != nil {
		r.forgetUnconfirmed()
	}
	if len(r.watched) == 0 || ctx.Err() != nil {
		return
	}
	if r.lanes.untraced() != nil {
		r.recordFirst(ctx) // nothing can be trusted, and the run says so
		return
	}
	r.drain(ctx)
	var ended []func()
	work, left := r.due(r.watched)
	defer r.options.Waits.Begin(waiting.Cases, func(lasted time.Duration) string {
		return fmt.Sprintf("running some of %d scenarios again, alone, %s", len(r.watched), waiting.Of(lasted, 0))
	})()
	for len(work) > 0 && ctx.Err() == nil {
		ended = append(ended, r.aloneEach(ctx, work)...)
		work, left = r.due(left) // a run alone may show that the server works in the background, or that others must
	}
	for _, conclude := range ended { // whether it does is known only now
		conclude()
	}
}

// due divides scenarios into those that must be run again, with the reason, and the others.
func (r *run) due(watched []judgedOnce) (work, left []judgedOnce) {
	for _, one := range watched {
		switch {
		case one.why != "":
		case r.background:
			one.why = background
		case r.misplaced:
			one.why = misplaced
		case slices.ContainsFunc(one.weighed, scenario.Weighed.Grew):
			one.why = overdue
		default:
			left = append(left, one)
			continue
		}
		work = append(work, one)
	}
	return work, left
}

// aloneEach runs scenarios again, one at a time on each process. The functions that it returns record the results.
func (r *run) aloneEach(ctx context.Context, work []judgedOnce) (ended []func()) {
	next := make(chan judgedOnce, len(work))
	for _, one := range work {
		next <- one
	}
	close(next)
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
	return ended
}

// recordFirst records the results that have waited for a second run.
func (r *run) recordFirst(ctx context.Context) {
	for _, one := range r.watched {
		if one.why != "" {
			one.first.Names = one.first.world.Report.Named()
			one.first.scrub()
			r.record(ctx, &one.first)
		}
	}
}

// drain waits for late calls of the last scenarios, if the options say so.
func (r *run) drain(ctx context.Context) {
	var all sync.WaitGroup
	for _, l := range r.lanes.processes() {
		all.Go(func() {
			before := l.Recorder.SetQuiet(r.linger(l))
			_ = l.Recorder.Settle(ctx) // the run ends anyway
			l.Recorder.SetQuiet(before)
			r.account(l, nil)
			r.lookOut(ctx, l)
		})
	}
	all.Wait()
}

func (r *run) linger(l *lane.Lane) time.Duration {
	if r.options.Linger {
		return l.Recorder.Certain()
	}
	return 0
}

// lookOut waits for calls that come too late for any verdict, so that the run can say that there were some.
func (r *run) lookOut(ctx context.Context, l *lane.Lane) {
	select {
	case <-time.After(r.linger(l)):
	case <-ctx.Done():
	}
}

// account notes whether calls without a trace have come to a lane after answers since it was last asked: during the
// scenario in the world w, which has ended now, or since then; then w is nil. Those of a scenario that made calls fail
// say nothing.
func (r *run) account(l *lane.Lane, w *scenario.World) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.strays[l.Recorder]
	if w != nil {
		seen.disturbed = w.Disturbed()
	}
	now := l.Recorder.Strays()
	r.background = r.background || now > seen.count && !seen.disturbed
	seen.count = now
	r.strays[l.Recorder] = seen
}

// alone runs a scenario once more while no other uses its target. The function that it returns records the result.
func (r *run) alone(ctx context.Context, l *lane.Lane, one judgedOnce) (conclude func()) {
	header := one.header
	header.Again = one.why
	second, unusable := r.again(ctx, l, one.pickle, header)
	for tries := 1; unusable == nil && tries < mostTries && r.knowsPolls(ctx, l, second.err); tries++ {
		second, unusable = r.again(ctx, l, one.pickle, header)
	}
	if unusable != nil {
		r.unusable(l, unusable)
		second.err, second.Outcome = unusable, Errored
		return func() { r.replace(ctx, second) }
	}
	if second.err == nil && scenario.Doubtful(one.first.err) { // they belong to another, whoever that is
		r.mu.Lock()
		r.misplaced = true
		r.mu.Unlock()
	}
	leaked := second.world.Leaked(ctx)
	known, unknown := one.weigh(second)
	return func() {
		final := unknown
		if r.background {
			final = known
		}
		outcome := judge(final)
		if outcome == Unclear && one.first.err != nil { // what it failed by is in the first run
			one.first.Again = second.Again
			second = &one.first
		}
		second.err, second.Outcome = final, outcome
		second.Names = second.world.Report.Named()
		second.scrub()
		second.leaked(leaked)
		r.replace(ctx, second)
	}
}

// again runs a scenario in a world of its own, after a long quiet time; unusable says why it could not be run.
func (r *run) again(ctx context.Context, l *lane.Lane, pickle *godog.Scenario, header ScenarioResult) (_ *ended,
	unusable error) {
	header.Start = time.Now()
	one := &ended{ScenarioResult: header}
	before := scenario.Begin(r.suite, l, pickle)
	defer before.Storage.BeCareful()()
	if err := before.Storage.Drain(ctx); err != nil {
		return one, err
	}
	if err := l.Renew(ctx); err != nil {
		return one, err
	}
	one.world = scenario.Begin(r.suite, l, pickle)
	defer one.world.Storage.BeCareful()()
	r.account(l, nil)
	r.steps(ctx, l, one, pickle)
	r.account(l, one.world)
	return one, nil
}

// steps runs the steps of a scenario, as godog would, and ends it.
func (r *run) steps(ctx context.Context, l *lane.Lane, one *ended, pickle *godog.Scenario) {
	for _, step := range pickle.Steps {
		one.world.Reach(step)
		began := time.Now()
		one.err = r.suite.Vocabulary.Run(ctx, step, one.world)
		one.Steps = append(one.Steps, time.Since(began))
		if one.err != nil {
			one.Step = step.Text
			break
		}
	}
	r.unusable(l, one.err)
	r.close(ctx, l, one, r.options.Catalogue.preparing(pickle))
}

// weigh returns the error of a scenario that was run twice: if the target is known to call its store after its answers,
// and if it is not. It must be called before the lane is used again.
func (o *judgedOnce) weigh(second *ended) (known, unknown error) {
	if second.Outcome == Errored || o.why == hurried {
		return second.err, second.err
	}
	world := cmp.Or(o.first.world, second.world)
	cleaned := func(err error, in *scenario.World) error {
		if err == nil {
			return nil
		}
		return matching.NewCleaned(err, in.Names.Scrub)
	}
	first, again, seen := cleaned(o.first.err, world), cleaned(second.err, second.world), o.first.Requests
	return world.Confirm(first, seen, second.world, again, true), world.Confirm(first, seen, second.world, again, false)
}

// replace records the result of a second run instead of that of the first.
func (r *run) replace(ctx context.Context, one *ended) {
	r.mu.Lock()
	r.results = slices.DeleteFunc(r.results, func(first ScenarioResult) bool {
		if first.Place() != one.Place() {
			return false
		}
		r.left[one.Rule]++
		r.count(first.Outcome, -1)
		return true
	})
	r.mu.Unlock()
	r.record(ctx, one)
}
