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

	"github.com/storespec/storespec/internal/run/companion"
	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// ErrNothingSelected is returned if no scenario matches the selection.
var ErrNothingSelected = errors.New("no scenario is selected")

// Options specify what to run, and against what.
type Options struct {
	Catalogue *Catalogue
	System    system.System
	Store     store.Store
	Target    target.Target
	Reference bool     // the target is the reference: scenarios tagged @reference apply to it
	Rules     []string // ids; empty means all
	Tags      string   // godog's tag filter, such as "@FS-GATE-1 && ~@slow"; empty means all
	Lanes     int      // how many scenarios run at the same time
	Secret    string
	Fitting   lane.Fitting // for a target that needs more than the contract
	Without   []string     // capabilities that the target declares it lacks
	Known     *Known       // known failures; nil: none
	Progress  func(Progress)
	Enough    func(ScenarioResult) bool // the run ends with a result for which it holds; nil: with the last
	Waits     *waiting.Board            // what the run waits for; nil: it is not shown
	Cases     *waiting.Meter            // how long cases take; nil: likewise
	Begins    func(Place)               // called for each scenario before its first request; nil: no call
	AllBegun  func()                    // called once when the last scenario begins; nil: no call
	Storeless bool                      // the target is known to use no store, and is judged anyway
	// AnswerWithin is how long the target may take for an answer; 0: what the proofs say.
	AnswerWithin time.Duration
	Linger       bool // before the run ends it waits for calls that the target may still make
	Proofs       proof.Proofs
	Shard        Shard            // only the scenarios in this shard
	Select       func(Place) bool // only the scenarios for which it holds; nil: all
	// Distort makes the surroundings of each lane's target misbehave; nil: they do not.
	Distort    func(*store.Lease) lane.Distortion
	Repeatable bool // fills in ScenarioResult.Repeat; reads the store before each request
}

// limited reports whether only chosen scenarios are run. A shard is not limited: its scenarios come from all rules.
func (o Options) limited() bool {
	return len(o.Rules) > 0 || o.Tags != "" || o.Select != nil || o.Proofs.Only != nil
}

// Progress is reported after each scenario.
type Progress struct {
	Rules, RulesDone            int
	Done, Total, Passed, Failed int // scenarios
}

// Run runs the selected scenarios and returns their results. If ctx ends, the scenarios that did not run are left out
// and the result says that it was interrupted. A store that is gone, or a target that no longer answers, ends the run.
// Errors: ErrNothingSelected, *NoCallsError, *NoRoutesError, ErrUntrusted, ErrNoTrace, *target.StartError,
// *lane.UnresponsiveError, and those of the store.
func Run(caller context.Context, o Options) (*Result, error) {
	ctx, end := context.WithCancelCause(caller)
	defer end(nil)
	r := &run{options: o, end: end, strays: map[*wire.Recorder]strays{}, pollsNothing: map[*lane.Lane]bool{}}
	left, err := r.selection()
	if err != nil {
		return nil, err
	}
	maker := &lane.Maker{System: o.System, Store: o.Store, Target: o.Target, Secret: o.Secret, Fitting: o.Fitting,
		Zone: zoneOf(o.Target), AnswerWithin: cmp.Or(o.AnswerWithin, o.Proofs.Within), Waits: o.Waits,
		Hangs: o.Proofs.Faults == proof.FullFaults, Ignored: r.sawIgnored, Distort: o.Distort,
		Companions: slices.Concat(companion.Makers(o.System.Companions, o.Fitting.Places.Companions),
			companion.ServiceMakers(o.System.Services, o.Fitting.Places.Companions))}
	r.suite = &scenario.Suite{Vocabulary: o.Catalogue.steps, Proofs: o.Proofs, Without: o.Without,
		Repeatable: o.Repeatable, Cases: o.Cases, OrderWithin: cmp.Or(o.AnswerWithin, o.Proofs.Within)}
	if o.System.Contract != nil {
		if r.suite.Contract, err = contract.Load(o.System.Contract); err != nil {
			return nil, fmt.Errorf("the contract of %s: %w", o.System.Name, err)
		}
	}
	if err := r.openLanes(ctx, maker); err != nil {
		return nil, err
	}
	r.left, r.rules, r.routes = left, len(left), routes{contract: r.suite.Contract, ready: o.System.Ready}
	start := time.Now()
	suite := godog.TestSuite{
		Name:                o.System.Name,
		ScenarioInitializer: func(sc *godog.ScenarioContext) { r.scenario(sc) },
		Options: &godog.Options{
			FS: o.Catalogue.files, Paths: r.paths(), Tags: r.tags(), DefaultContext: ctx,
			// The formatter's output is discarded: the hooks provide everything that is reported.
			Format: "progress", Output: io.Discard, NoColors: true,
			Strict: true, Concurrency: r.concurrency(),
		},
	}
	suite.Run() // its status and tallies are not used, see doc.go
	r.pending.Wait()
	confirming := r.confirm(ctx)
	attributed := r.lanes.attributed()
	attributed.TooLate -= r.disturbed
	result := &Result{
		Target: o.Target.String(), Store: o.Store.Name(), Version: o.Store.Version(), Lanes: o.Lanes,
		Rules: r.byRule(ctx),
		Zone:  r.lanes.all[0].Zone(), Share: r.share, Calls: attributed.Sum(), Attributed: attributed,
		Duration: time.Since(start), Confirming: confirming, Interrupted: caller.Err() != nil,
	}
	enough := caller.Err() == nil && errors.Is(context.Cause(ctx), errEnough)
	result.Stopped = enough && len(r.results) < r.total
	unjudged := r.ended(caller, ctx)
	if ctx.Err() == nil || enough { // also a verdict that ended the run needs a server that uses its store
		unjudged = errors.Join(r.usesStore(caller, result), r.lanes.untraced())
	}
	closed := r.lanes.close(context.WithoutCancel(ctx))
	result.Ignored, result.IgnoredFor, result.Unbroken = r.ignored, r.ignoredFor, r.unbroken
	if err := errors.Join(unjudged, closed); err != nil {
		return result, err
	}
	if len(r.results) != r.total && !result.Interrupted && !result.Stopped {
		return result, fmt.Errorf("%d of %d selected scenarios ended without a result", r.total-len(r.results), r.total)
	}
	return result, nil
}

// byRule returns the results by rule, once all that ran have one.
func (r *run) byRule(ctx context.Context) []RuleResult {
	r.routes.mark(r.results)
	return byRule(r.options.Catalogue.Rules, append(r.results, r.notForThisTarget()...), ctx.Err() != nil)
}

// zoneOf returns the time zone that a target is started in; "" for one in this process, or one that already runs.
func zoneOf(t target.Target) string {
	if _, here := t.(target.InProcess); here || !t.Restartable() {
		return ""
	}
	return target.Zone(time.Now())
}

// unusable ends the run if the error of a scenario on a lane means that nothing more can be judged: a server cannot be
// judged without its store.
func (r *run) unusable(used *lane.Lane, err error) {
	if err != nil && used != nil {
		err = cmp.Or(used.StoreEnded(), err)
	}
	if _, mute := errors.AsType[*lane.UnresponsiveError](err); mute || errors.Is(err, store.ErrUnavailable) {
		r.end(err)
	}
}

// ended returns why the run ended early; nil if it did not, or if its caller ended it.
func (r *run) ended(caller, ctx context.Context) error {
	if caller.Err() != nil {
		return nil //nolint:nilerr // an interruption is reported by Result.Interrupted
	}
	if err := context.Cause(ctx); !errors.Is(err, errEnough) {
		return err
	}
	return nil
}

// errEnough ends a run whose caller does not want to know more.
var errEnough = errors.New("enough is known")

// run is the state of one Run.
type run struct {
	options Options
	end     context.CancelCauseFunc // ends the run early; scenarios in progress then have no result
	suite   *scenario.Suite
	lanes   *lanes
	total   int // scenarios
	rules   int
	share   *Share

	pending sync.WaitGroup // scenarios whose log is awaited

	mu       sync.Mutex
	results  []ScenarioResult
	left     map[string]int // scenarios without a result, by rule
	begun    int            // scenarios, including those that are skipped
	answered bool           // some request was answered
	routes   routes         // how the routes of the design were answered
	asked    bool           // whether the target uses its store, since it seemed to have no routes
	ignored  int            // processes that ignored SIGTERM
	// how long each of them had
	ignoredFor time.Duration
	passed     int
	failed     int
	unbroken   int // scenarios that would make storage calls fail
	// whether calls without a trace have come after an answer, though nothing was made to fail
	background bool
	misplaced  bool                      // whether calls that broke a scenario did not come when it was run again alone
	strays     map[*wire.Recorder]strays // of each lane
	disturbed  int                       // calls that came too late in scenarios that made calls fail or wait
	// lanes whose target was watched in vain for polls of reads that were in doubt
	pollsNothing map[*lane.Lane]bool
	watched      []judgedOnce
}

// sawIgnored notes that a process of the target has ignored SIGTERM.
func (r *run) sawIgnored(after time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ignored, r.ignoredFor = r.ignored+1, after
}

// strays is what is known of the calls without a trace that came to a lane after answers.
type strays struct {
	count     int  // when it was last looked at
	disturbed bool // calls of the last scenario there were made to fail: some may be its
}

// close ends a scenario whose steps have run, prepares of which only prepare it, and completes its result.
func (r *run) close(ctx context.Context, l *lane.Lane, one *ended, prepares int) {
	w := one.world
	one.prepared(prepares)
	beyond := w.Storage.BeyondStore()
	one.err = conclude(one.err, w.Finish(ctx))
	r.unusable(l, one.err)
	one.err = excused(beyond, one.err)
	_ = w.Storage.Drain(ctx) // for the next scenario; an error means that there is none
	if one.err != nil {
		w.AwaitOutput()
	}
	one.Duration, one.Requests = time.Since(one.Start), w.Report.Exchanges()
	one.LeftOut, one.Blamed = w.Requests.LeftOut(), blamed(w, one.err)
	one.Cases, one.Budgets = cases.Summaries(w), w.Storage.Budgets()
	if one.err != nil {
		one.Repeat = w.Report.Repeat(one.Blamed)
		if by := cmp.Or(one.Blamed, len(one.Requests)); by > 0 {
			one.Requests[by-1].Answer = w.Report.AnswerTo(by)
		}
	}
	if itself := endedByItself(l.Target); itself != nil {
		one.err = scenario.Joined(one.err, itself)
	}
	one.Outcome = judge(one.err)
}

// conclude records the result of a scenario once its server's log can be judged. The lane need not wait for that.
func (r *run) conclude(ctx context.Context, one *ended) {
	record := func(ctx context.Context) {
		one.leaked(one.world.Leaked(ctx))
		r.record(ctx, one)
	}
	if !one.world.Prints() || ctx.Err() != nil {
		record(ctx)
		return
	}
	r.pending.Go(func() { record(context.WithoutCancel(ctx)) }) // the scenario's context ends with it
}

// endedByItself describes how a target ended that was not stopped, or returns nil.
func endedByItself(i *target.Instance) error {
	if !i.Exited() {
		return nil
	}
	wrote := strings.TrimSpace(i.Output())
	if wrote == "" {
		return fmt.Errorf("the server exited by itself: %s; it wrote nothing", i.Exit())
	}
	return fmt.Errorf("the server exited by itself: %s; it wrote:\n%s", i.Exit(), wrote)
}
