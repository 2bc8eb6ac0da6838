package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/contract"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/steps"
)

// ErrNothingSelected is returned when no scenario matches what was asked for.
var ErrNothingSelected = errors.New("no scenario is selected")

// ErrNoCalls is returned when the target answered and the gateway saw no storage call at all.
var ErrNoCalls = errors.New("the gateway saw no calls: is the connection string in use?")

// ErrUntrusted is ErrNoCalls where the reason is known: the gateway serves https, and the target hangs up.
var ErrUntrusted = errors.New("the target does not trust the certificate of the gateway")

// Options say what is run, on what.
type Options struct {
	Catalogue *Catalogue
	System    steps.System
	Store     store.Store
	Target    target.Target
	Reference bool     // the target is the reference: what has the tag @reference is asked of it
	Rules     []string // ids; empty means all
	Tags      string   // godog's tag filter, such as "@FS-GATE-1 && ~@slow"; empty means all
	Lanes     int
	Secret    string
	Fitting   steps.Fitting // of a target that is not content with the contract
	Without   []string      // capabilities that the target declares it lacks
	Known     *Known        // failures that are known; nil for none
	Progress  func(Progress)
	Begins    func(rule string, line int) // told of each scenario before its first request; nil: nobody is
	Storeless bool                        // the target is known to use no store, and is judged all the same
	// AnswerWithin bounds the wait for one answer of the target; 0 is what the contract says, and some.
	AnswerWithin time.Duration
	Proofs       steps.Proofs
	Shard        Shard // only the scenarios that fall to it
}

// Progress is told after each scenario.
type Progress struct {
	Rules, RulesDone            int
	Done, Total, Passed, Failed int // scenarios
}

// Run runs the selected scenarios and gives what became of them. When ctx ends, the scenarios that
// did not run are left out and the result says that it was interrupted. A store that is gone, or a target
// that answers nothing any more, ends the run. Errors: ErrNothingSelected, ErrNoCalls, ErrUntrusted, ErrNoTrace, *target.StartError,
// *steps.UnresponsiveError, and those of the store.
func Run(caller context.Context, o Options) (*Result, error) {
	ctx, end := context.WithCancelCause(caller)
	defer end(nil)
	r := &run{options: o, end: end}
	left, err := r.selection()
	if err != nil {
		return nil, err
	}
	maker := &steps.LaneMaker{System: o.System, Store: o.Store, Target: o.Target, Secret: o.Secret, Fitting: o.Fitting, Without: o.Without,
		AnswerWithin: o.AnswerWithin, Vocabulary: o.Catalogue.steps, Proofs: o.Proofs}
	if o.System.Contract != nil {
		if maker.Contract, err = contract.Load(o.System.Contract); err != nil {
			return nil, fmt.Errorf("the contract of %s: %w", o.System.Name, err)
		}
	}
	open := openLanes
	if o.Lanes > 1 && !o.Target.Restartable() {
		open = openShared
	}
	if r.lanes, err = open(ctx, maker, o.Lanes); err != nil {
		return nil, err
	}
	r.left, r.rules = left, len(left)
	for _, count := range left {
		r.total += count
	}
	start := time.Now()
	suite := godog.TestSuite{
		Name:                o.System.Name,
		ScenarioInitializer: func(sc *godog.ScenarioContext) { r.scenario(sc) },
		Options: &godog.Options{
			FS: o.Catalogue.files, Paths: []string{o.System.Name}, Tags: r.tags(), DefaultContext: ctx,
			// The formatter's output is thrown away: the hooks tell everything that is reported.
			Format: "progress", Output: io.Discard, NoColors: true,
			Strict: true, Concurrency: o.Lanes,
		},
	}
	suite.Run() // its status and tallies are not used, see doc.go
	attributed := r.lanes.attributed()
	result := &Result{
		Target: o.Target.String(), Store: o.Store.Name(), Version: o.Store.Version(), Lanes: o.Lanes,
		Rules: byRule(o.Catalogue.Rules, append(r.results, r.notForThisTarget()...), ctx.Err() != nil),
		Share: r.share, Calls: attributed.Sum(), Attributed: attributed, Duration: time.Since(start), Interrupted: caller.Err() != nil,
	}
	unjudged := r.ended(caller, ctx)
	if ctx.Err() == nil {
		unjudged = errors.Join(r.usesStore(ctx, result), r.lanes.untraced())
	}
	if err := errors.Join(unjudged, r.lanes.close(context.WithoutCancel(ctx))); err != nil {
		return result, err
	}
	if len(r.results) != r.total && !result.Interrupted {
		return result, fmt.Errorf("%d of %d selected scenarios ended without a result", r.total-len(r.results), r.total)
	}
	return result, nil
}

// usesStore is ErrNoCalls, or ErrUntrusted, for a target that answered without the store although it needed it. A few
// rules, such as that of the health route, are kept without a call: then the target is asked.
func (r *run) usesStore(ctx context.Context, result *Result) error {
	if result.Calls > 0 || !r.answered || r.options.Storeless {
		return nil
	}
	uses, err := r.lanes.all[0].UsesStore(ctx)
	if ended := r.lanes.ended(); ended != nil {
		return &target.StartError{Target: r.options.Target.String(), Reason: "ended by itself: " + ended.Exit(), Output: r.options.Fitting.ScrubOutput(strings.TrimSpace(ended.Output()))}
	}
	if err != nil || uses {
		return nil //nolint:nilerr // a target that gives no answer is judged by its scenarios
	}
	if reason := r.lanes.all[0].Refused(); reason != "" {
		return fmt.Errorf("%w: %s", ErrUntrusted, reason)
	}
	return ErrNoCalls
}

// unusable ends the run when the error of a scenario on a lane says that nothing more can be judged: without
// its store a server is not.
func (r *run) unusable(lane *steps.Lane, err error) {
	if err != nil && lane != nil {
		err = cmp.Or(lane.StoreEnded(), err)
	}
	if _, mute := errors.AsType[*steps.UnresponsiveError](err); mute || errors.Is(err, store.ErrUnavailable) {
		r.end(err)
	}
}

// ended is why the run ended before its time; nil when it did not, or when its caller ended it.
func (r *run) ended(caller, ctx context.Context) error {
	if caller.Err() != nil {
		return nil //nolint:nilerr // an interruption is told by Result.Interrupted
	}
	return context.Cause(ctx)
}

// run is the state of one Run.
type run struct {
	options Options
	end     context.CancelCauseFunc // ends the run before its time; scenarios under way have no result then
	lanes   *lanes
	total   int // scenarios
	rules   int
	share   *Share

	mu       sync.Mutex
	results  []ScenarioResult
	left     map[string]int // scenarios without a result, by rule
	answered bool           // some request had an answer
	passed   int
	failed   int
}

// scenario binds one scenario: a world of its own, and hooks that keep what became of it.
func (r *run) scenario(sc *godog.ScenarioContext) {
	var (
		world  steps.World
		lane   *steps.Lane
		step   time.Time // when the current one began
		result ScenarioResult
		broke  error // of the first step that did not pass; godog tells the After hook of no skip
	)
	sc.Before(func(ctx context.Context, pickle *godog.Scenario) (context.Context, error) {
		if !r.takes(pickle) {
			return ctx, godog.ErrSkip
		}
		result = ScenarioResult{Rule: r.ruleOf(pickle), Name: pickle.Name, File: pickle.Uri, Line: int(pickle.Location.Line)}
		result.Example = r.options.Catalogue.example(result.Rule, result.Line)
		if broke = r.options.System.Lacking(pickle, r.options.Without); broke != nil {
			return ctx, broke
		}
		var err error
		if lane, err = r.lanes.take(ctx, pickle); err != nil {
			r.unusable(nil, err)
			return ctx, err
		}
		if r.options.Begins != nil {
			r.options.Begins(result.Rule, result.Line)
		}
		result.Start = time.Now()
		world.Begin(ctx, lane, pickle)
		return ctx, nil
	})
	r.options.Catalogue.steps.Bind(sc, &world)
	sc.StepContext().Before(func(ctx context.Context, reached *godog.Step) (context.Context, error) {
		if lane != nil {
			world.Reach(reached)
		}
		step = time.Now()
		return ctx, nil
	})
	sc.StepContext().After(func(ctx context.Context, reached *godog.Step, _ godog.StepResultStatus, err error) (context.Context, error) {
		if broke == nil {
			result.Steps = append(result.Steps, time.Since(step))
		}
		if err != nil && broke == nil {
			result.Step, broke = reached.Text, err
		}
		return ctx, nil
	})
	sc.After(func(ctx context.Context, pickle *godog.Scenario, err error) (context.Context, error) {
		if !r.takes(pickle) {
			return ctx, nil
		}
		if lane == nil && broke != nil {
			result.scrub(func(text string) string { return text }, broke) // nothing was sent, so nobody has a secret
			r.record(ctx, result, broke, Skipped)
			return ctx, nil //nolint:nilerr // a scenario that is skipped is no error
		}
		if lane == nil {
			r.record(ctx, result, err, Errored)
			return ctx, nil
		}
		err = cmp.Or(err, broke)
		r.unusable(lane, err)
		err = conclude(err, world.Finish(context.WithoutCancel(ctx)))
		r.unusable(lane, err)
		result.Duration, result.Requests = time.Since(result.Start), world.Exchanges()
		result.Cases, result.Budgets = world.Summaries(), world.Budgets()
		if ended := endedByItself(lane.Target); ended != nil {
			err = errors.Join(err, ended)
		}
		result.scrub(world.Scrub, err)
		r.record(ctx, result, err, judge(err))
		r.lanes.give(lane)
		return ctx, nil
	})
}

// endedByItself says how a target has ended that nobody ended, or is nil.
func endedByItself(i *target.Instance) error {
	if !i.Exited() {
		return nil
	}
	wrote := strings.TrimSpace(i.Output())
	if wrote == "" {
		return fmt.Errorf("the target ended by itself: %s; it wrote nothing", i.Exit())
	}
	return fmt.Errorf("the target ended by itself: %s; it wrote:\n%s", i.Exit(), wrote)
}

func (r *run) record(ctx context.Context, result ScenarioResult, err error, outcome Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil && err != nil {
		return // it did not fail, it was not let run
	}
	result.Outcome = outcome
	if result.Reason == "" && err != nil {
		result.Reason = err.Error()
	}
	r.options.Known.judge(&result)
	if outcome == Passed {
		result.forgetBodies()
	}
	r.answered = r.answered || slices.ContainsFunc(result.Requests, func(e steps.Exchange) bool { return e.Status != 0 })
	r.results = append(r.results, result)
	if r.left[result.Rule]--; r.left[result.Rule] == 0 {
		delete(r.left, result.Rule)
	}
	switch result.Outcome {
	case Passed:
		r.passed++
	case Skipped, KnownFailing:
	default:
		r.failed++
	}
	if r.options.Progress != nil {
		r.options.Progress(Progress{Rules: r.rules, RulesDone: r.rules - len(r.left), Done: len(r.results), Total: r.total, Passed: r.passed, Failed: r.failed})
	}
}
