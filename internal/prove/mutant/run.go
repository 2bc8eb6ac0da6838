package mutant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
)

// Options specify which mutants are run, and how.
type Options struct {
	Root    string   // of the source tree, see Root
	Patches []Patch  // as returned by Read
	Rules   []string // the rules to prove; patches of other rules are skipped
	// Verify specifies how rules are run. Its Store, Target, Rules, Lanes and Enough are set for each run.
	Verify verify.Options
	// Open opens a store with that many lanes. Each run opens and closes its own.
	Open     func(ctx context.Context, lanes int) (store.Store, error)
	Full     bool // run all rules on every mutant, not only its own
	Parallel int  // number of mutants run concurrently
	Progress func(Progress)
}

// fewOrders limits the orders of a race under which a mutant is run: the first of a sample show nearly all that the
// others do.
const fewOrders = 20

// Progress is reported after each mutant.
type Progress struct{ Done, Total, Killed int }

// BaselineError says that the unmutated server already breaks rules, so nothing can be said about mutants.
type BaselineError struct {
	Server string   // empty: the reference server
	Broken []string // one line per rule, with the first scenario that shows it
}

func (e *BaselineError) Error() string {
	return cmp.Or(e.Server, "the reference server") + " itself breaks a rule, so no mutant can be judged:\n  " +
		strings.Join(e.Broken, "\n  ")
}

// Run builds and runs every mutant of the rules. If ctx ends, mutants in progress are omitted and the matrix says that
// it was interrupted. Errors: *BaselineError, and anything that prevents building or running the unmutated server.
func Run(ctx context.Context, o Options) (*Matrix, error) {
	m := &Matrix{}
	patches := o.patches()
	for _, rule := range o.Rules {
		if !slices.ContainsFunc(patches, func(p Patch) bool { return p.Rule == rule }) {
			m.Missing = append(m.Missing, rule)
		}
	}
	o.Verify.Proofs.Orders = fewOrders
	return m, o.within(ctx, &m.Ending, func(r *run) (err error) {
		if r.together, err = r.builder.together(ctx, patches); err != nil {
			return fmt.Errorf("build the reference server: %w", err)
		}
		if err = r.baseline(ctx); err == nil {
			m.Mutants = each(ctx, r, patches, r.one, Result.verdict)
		}
		return err
	})
}

// patches returns those of the rules that are to be proved.
func (o *Options) patches() []Patch {
	return slices.DeleteFunc(slices.Clone(o.Patches),
		func(p Patch) bool { return !slices.Contains(o.Rules, p.Rule) })
}

// Ending says how a run of mutants ended.
type Ending struct {
	Interrupted bool
	Duration    time.Duration
}

// Note notes the end of a run that began at a time. An interruption is not an error of what it interrupted.
func (e *Ending) Note(ctx context.Context, start time.Time, err error) error {
	e.Interrupted, e.Duration = ctx.Err() != nil, time.Since(start)
	if e.Interrupted {
		return nil
	}
	return err
}

// within calls a function with a builder that has a directory of its own.
func (o Options) within(ctx context.Context, ending *Ending, do func(*run) error) error {
	start := time.Now()
	directory, err := os.MkdirTemp("", "storespec-mutants-")
	if err != nil {
		return fmt.Errorf("make a directory for mutants: %w", err)
	}
	err = do(&run{options: o, builder: newBuilder(o.Root, directory, o.Verify.Catalogue)})
	return errors.Join(ending.Note(ctx, start, err), os.RemoveAll(directory))
}

// run is the state of one Run.
type run struct {
	options   Options
	builder   *builder
	together  *together
	scenarios []reached // what each reaches of the unmutated server
}

// baseline runs the unmutated server under every selected rule.
func (r *run) baseline(ctx context.Context) (err error) {
	rules := r.options.Rules
	if r.options.Full {
		rules = r.options.Verify.Catalogue.IDs()
	}
	r.scenarios, err = r.trace(ctx, rules, r.together.sites)
	return err
}

// each judges mutants, and leaves out those without a verdict, which were not judged before ctx ended.
func each[M, R any](ctx context.Context, r *run, mutants []M, judge func(context.Context, M) R,
	verdict func(R) Verdict) []R {
	results := Each(ctx, r.options.Parallel, r.options.Progress, mutants, judge,
		func(result R) bool { return verdict(result) == Killed })
	return slices.DeleteFunc(results, func(result R) bool { return verdict(result) == "" })
}

// Each judges mutants, so many at a time, and reports progress unless that is nil. After an interruption the results of
// those that were not judged are zero.
func Each[M, R any](ctx context.Context, parallel int, report func(Progress), mutants []M,
	judge func(context.Context, M) R, killed func(R) bool) []R {
	results := make([]R, len(mutants))
	progress := Progress{Total: len(mutants)}
	var mu sync.Mutex
	var workers sync.WaitGroup
	next := make(chan int)
	for range parallel {
		workers.Go(func() {
			for i := range next {
				result := judge(ctx, mutants[i])
				mu.Lock()
				results[i] = result
				progress.Done++
				if killed(result) {
					progress.Killed++
				}
				if report != nil {
					report(progress)
				}
				mu.Unlock()
			}
		})
	}
	for i := range mutants {
		if ctx.Err() == nil {
			next <- i
		}
	}
	close(next)
	workers.Wait()
	return results
}

// one judges a mutant. There is no verdict if ctx ended before there was one.
func (r *run) one(ctx context.Context, patch Patch) Result {
	start := time.Now()
	result := Result{Patch: patch}
	server, joined := r.together.server(patch)
	var err error
	if joined {
		if err = r.judge(ctx, server, &result); err == nil && result.Verdict == Survived {
			err = r.builder.sound(ctx, patch) // a change that makes no difference cannot be noticed
		}
	} else {
		err = r.alone(ctx, patch, &result)
	}
	if err != nil {
		result.Verdict, result.Err = Errored, err
	}
	if ctx.Err() != nil && result.Verdict != Killed {
		result.Verdict = ""
	}
	result.Duration = time.Since(start)
	return result
}

// alone builds a mutant on its own, and judges it.
func (r *run) alone(ctx context.Context, patch Patch, result *Result) error {
	made, remove, err := r.builder.alone(ctx, patch)
	if err == nil {
		err = r.judge(ctx, server{programs: made}, result)
	}
	return errors.Join(err, remove())
}

// judge runs the mutant's own rule until a scenario detects it, then all rules if that is requested or its own rule did
// not detect it.
func (r *run) judge(ctx context.Context, mutant server, result *Result) error {
	if !r.options.Full {
		if err := r.own(ctx, mutant, result); err != nil || result.Verdict == Killed {
			return err
		}
	}
	all, err := r.verify(ctx, mutant, asking{lanes: 1, restores: true})
	return result.read(all, err)
}

// own runs the scenarios of the mutant's own rule until one detects it: the quick ones that reach its change first.
func (r *run) own(ctx context.Context, mutant server, result *Result) error {
	for _, only := range append(batches(r.reaching(result.Patch), nil), nil) {
		ran, err := r.verify(ctx, mutant, asking{rules: []string{result.Rule}, only: byPlace(only), lanes: 1,
			restores: true, enough: notices})
		if only != nil && errors.As(err, new(*verify.NoCallsError)) {
			continue // these scenarios hold without a call; others may not
		}
		if err := result.read(ran, err); err != nil || result.Verdict == Killed {
			return err
		}
	}
	return nil
}

// reaching returns the scenarios of a patch's rule that reach what it changes, the quickest first; none if that is not
// known.
func (r *run) reaching(patch Patch) []reached {
	sites := r.together.joined[patch.Name].sites
	return r.quickest(func(s reached) bool {
		return s.Rule == patch.Rule && slices.ContainsFunc(sites, func(site int) bool { return s.sites[site] != 0 })
	})
}

// quickest returns some of the scenarios, the quickest first.
func (r *run) quickest(some func(reached) bool) []reached {
	found := slices.DeleteFunc(slices.Clone(r.scenarios), func(s reached) bool { return !some(s) })
	slices.SortStableFunc(found, func(a, b reached) int { return cmp.Compare(a.took, b.took) })
	return found
}

// read extracts from a run which rules detected the mutant. The error says that its rule could not be judged: if a
// server does not start, no rule has detected it.
func (r *Result) read(ran *verify.Result, err error) error {
	if ran == nil {
		return err
	}
	r.Verdict = Survived
	var skipped error
	for _, rule := range ran.Rules {
		switch kill := Killing(rule); {
		case rule.ID != r.Rule && kill != nil:
			r.Others = append(r.Others, rule.ID)
		case rule.ID == r.Rule && kill != nil:
			r.Kill = kill
		case rule.ID == r.Rule && !rule.Judged():
			skipped = unjudged(rule)
		case rule.ID == r.Rule && rule.Outcome == verify.Errored:
			err = errors.Join(err, unjudged(rule))
		}
	}
	switch {
	case r.Kill != nil:
		r.Verdict = Killed
		return nil
	case err == nil && skipped != nil:
		r.Verdict, r.Err = NotJudged, skipped
	case len(r.Others) > 0:
		r.Verdict = KilledByOthers
	}
	return err
}

// unjudged says why scenarios of a rule could not be judged, by the first of the worst; nil if all were.
func unjudged(rule verify.RuleResult) error {
	worst := verify.Skipped
	for _, result := range rule.Results {
		if !result.Outcome.Judged() {
			worst = verify.Worse(worst, result.Outcome)
		}
	}
	for _, result := range rule.Results {
		if result.Outcome == worst {
			return fmt.Errorf("%s:%d %s: %s", result.File, result.Line, result.Name, result.Reason)
		}
	}
	return nil
}

// asking is what is run on a server.
type asking struct {
	rules  []string                 // nil: all
	only   map[verify.Place]reached // only these scenarios of the rules; nil: all
	lanes  int
	begins func(verify.Place)
	enough func(verify.ScenarioResult) bool // ends the run; nil: nothing does
	// restores says that the store may be put back to a snapshot, unnoticed by a server that keeps nothing in memory.
	restores bool
}

// verify runs rules, or all of them, on a server with its own store.
func (r *run) verify(ctx context.Context, on server, a asking) (_ *verify.Result, err error) {
	opened, err := r.options.Open(ctx, a.lanes)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close(context.WithoutCancel(ctx))) }()
	options := r.options.Verify
	options.Store, options.Rules, options.Lanes, options.Enough = opened, a.rules, a.lanes, a.enough
	options.Reference, options.Begins = true, a.begins
	options.Proofs.Stateless = options.Proofs.Stateless && a.restores
	if a.only != nil {
		options.Select = func(at verify.Place) bool { _, wanted := a.only[at]; return wanted }
	}
	options.Target = on.target(options.System.Name)
	if on.tool != "" {
		options.System.Tool, options.System.ToolJudged = on.run, true
	}
	return verify.Run(ctx, options)
}
