package wiremutant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
)

// Options specify which rules are judged on which server.
type Options struct {
	// Verify specifies how rules are run. Its Store, Rules, Select and Distort are set for each run; faults and orders
	// are left out.
	Verify verify.Options
	Rules  []string // ids; empty: all
	// Open opens a store with that many lanes. Each run opens and closes its own.
	Open     func(ctx context.Context, lanes int) (store.Store, error)
	Full     bool // run every scenario that reaches a mutant, so that all rules that notice it are known
	Parallel int  // number of mutants run concurrently
	Progress func(mutant.Progress)
}

// Notice is a rule that noticed a mutant, by its first scenario that did.
type Notice struct {
	Rule string `json:"rule"`
	mutant.Kill
}

// LeftOpen is the verdict for an answer without a member that no rule misses and that the contract lets a server leave
// out: it is not wrong, and does not count.
const LeftOpen mutant.Verdict = "left open"

// Result is the result of one mutant.
type Result struct {
	Mutant
	Verdict mutant.Verdict `json:"verdict"` // Killed, Survived, LeftOpen, NotJudged or Errored
	// Asked are the rules that can notice it: they have a scenario that reaches it
	Asked   []string `json:"asked"`
	Noticed []Notice `json:"noticed"` // not all of them, unless Options.Full
	Err     error    `json:"-"`       // why the verdict is NotJudged or Errored

	judged bool // a scenario was
}

// Matrix is the results of all mutants of a server.
type Matrix struct {
	Server    string
	Mutants   []Result
	Rules     []string // that were judged undisturbed
	Idle      []string // of these, the ones that no mutant breaks
	Unreached []string // of these, the ones that no mutant reaches
	Unasked   []string // routes on which no one was refused
	Unlimited []string // tables and containers that are written, by no request that a budget was asked of
	Left      int      // members of answers that no mutant takes away, since the route has so many

	mutant.Ending
}

// Counts returns the number of mutants with each verdict.
func (m *Matrix) Counts() map[mutant.Verdict]int {
	counts := map[mutant.Verdict]int{}
	for _, result := range m.Mutants {
		counts[result.Verdict]++
	}
	return counts
}

// Percent returns how many of the mutants were noticed, of those that are wrong, and how many of the rules break under
// one.
func (m *Matrix) Percent() (mutants, rules float64) {
	share := func(part, of int) float64 {
		if of == 0 {
			return 100
		}
		return 100 * float64(part) / float64(of)
	}
	counts := m.Counts()
	return share(counts[mutant.Killed], len(m.Mutants)-counts[LeftOpen]), share(len(m.Rules)-len(m.Idle), len(m.Rules))
}

// Run runs the rules undisturbed, and then those that a mutant can reach under each mutant. If ctx ends, the matrix
// says that it was interrupted. Errors: *mutant.BaselineError if the undisturbed run is not green, and anything that
// prevents it.
func Run(ctx context.Context, o Options) (*Matrix, error) {
	start := time.Now()
	r := &run{options: o, broken: map[string]bool{}}
	m := &Matrix{Server: o.Verify.Target.String()}
	var err error
	if r.routes, err = routesOf(o.Verify); err == nil {
		err = r.learn(ctx)
	}
	if err == nil {
		r.judge(ctx, m)
	}
	return m, m.Note(ctx, start, err)
}

// run is the state of one Run.
type run struct {
	options Options
	routes  *routes
	lessons *lessons

	steady sync.Once
	races  []used // see racing

	mu     sync.Mutex
	broken map[string]bool // rules that a mutant has broken
}

// judge runs the mutants twice: first the quickest scenario of each rule, then what is needed to answer what is open:
// whether any rule notices the mutant, and whether any mutant breaks the rule. What a condition is for shows only when
// requests race: for one that is dropped unnoticed, they are run in several orders.
func (r *run) judge(ctx context.Context, m *Matrix) {
	l := r.lessons
	m.Rules, m.Unasked, m.Unlimited, m.Left = l.rules, l.unasked, l.unlimited, l.left
	noticed := func(result Result) bool { return len(result.Noticed) > 0 }
	o := r.options
	m.Mutants = mutant.Each(ctx, o.Parallel, o.Progress, l.mutants, func(ctx context.Context, one Mutant) Result {
		result := Result{Mutant: one, Noticed: []Notice{}}
		first, _ := l.reaching(one)
		for _, one := range first {
			result.Asked = append(result.Asked, one.Rule)
		}
		slices.Sort(result.Asked)
		r.ask(ctx, &result, first, 1)
		return result
	}, noticed)
	m.Mutants = mutant.Each(ctx, o.Parallel, o.Progress, m.Mutants, func(ctx context.Context, result Result) Result {
		_, rest := l.reaching(result.Mutant)
		r.ask(ctx, &result, slices.DeleteFunc(rest, func(one used) bool { return !r.open(&result, one.Rule) }), 1)
		if result.Kind == Unconditional && len(result.Noticed) == 0 {
			r.ask(ctx, &result, r.racing(ctx, result.Mutant), proof.DefaultOrders)
		}
		if result.conclude(l.open[result.Mutant]); ctx.Err() != nil && result.Verdict != mutant.Killed {
			result.Verdict = ""
		}
		return result
	}, noticed)
	if ctx.Err() != nil { // of the others, nothing is known
		m.Mutants = slices.DeleteFunc(m.Mutants, func(one Result) bool { return one.Verdict == "" })
		return
	}
	for _, rule := range l.rules {
		switch {
		case r.broken[rule]:
		case !slices.ContainsFunc(m.Mutants, func(one Result) bool { return slices.Contains(one.Asked, rule) }):
			m.Idle, m.Unreached = append(m.Idle, rule), append(m.Unreached, rule)
		default:
			m.Idle = append(m.Idle, rule)
		}
	}
}

// open reports whether the rest of a rule's scenarios is worth running under a mutant.
func (r *run) open(result *Result, rule string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	noticed := slices.ContainsFunc(result.Noticed, func(n Notice) bool { return n.Rule == rule })
	return !noticed && (r.options.Full || len(result.Noticed) == 0 || !r.broken[rule])
}

// conclude sets the verdict. open says that the contract allows what the mutant does.
func (r *Result) conclude(open bool) {
	switch {
	case len(r.Noticed) > 0:
		r.Verdict, r.Err = mutant.Killed, nil
		slices.SortFunc(r.Noticed, func(a, b Notice) int { return cmp.Compare(a.Rule, b.Rule) })
	case r.Err != nil:
		r.Verdict = mutant.Errored
	case !r.judged:
		r.Verdict, r.Err = mutant.NotJudged, errors.New("no scenario that reaches it could be judged")
	case open:
		r.Verdict = LeftOpen
	default:
		r.Verdict = mutant.Survived
	}
}

// reaching returns the scenarios that reach a mutant: of each rule the quickest, and the others.
func (l *lessons) reaching(m Mutant) (first, rest []used) {
	all := slices.DeleteFunc(slices.Clone(l.scenarios), func(one used) bool { return !one.reaches[m] })
	slices.SortStableFunc(all, func(a, b used) int { return cmp.Compare(a.took, b.took) })
	rules := map[string]bool{}
	for _, one := range all {
		if rules[one.Rule] {
			rest = append(rest, one)
			continue
		}
		rules[one.Rule] = true
		first = append(first, one)
	}
	return first, rest
}

// racing returns the scenarios that reach a mutant and have requests that race: those of them that hold in every order
// while nothing is wrong.
func (r *run) racing(ctx context.Context, m Mutant) []used {
	r.steady.Do(func() { r.races = r.inOrders(ctx) })
	return slices.DeleteFunc(slices.Clone(r.races), func(one used) bool { return !one.reaches[m] })
}

// inOrders runs the scenarios whose requests race undisturbed, in several orders, and returns those that hold.
func (r *run) inOrders(ctx context.Context) []used {
	all := slices.DeleteFunc(slices.Clone(r.lessons.scenarios), func(one used) bool { return !one.races })
	if len(all) == 0 {
		return nil
	}
	result, err := r.verify(ctx, all, nil, proof.DefaultOrders)
	if err != nil {
		return nil
	}
	held := map[verify.Place]bool{}
	for _, one := range result.All() {
		held[one.Place()] = one.Outcome == verify.Passed
	}
	return slices.DeleteFunc(all, func(one used) bool { return !held[one.Place] })
}

// ask runs scenarios under a mutant, races in at most so many orders, and adds the rules that notice it to its result.
func (r *run) ask(ctx context.Context, result *Result, scenarios []used, orders int) {
	if len(scenarios) == 0 || ctx.Err() != nil {
		return
	}
	ran, err := r.verify(ctx, scenarios, r.distortion(result.Mutant), orders)
	if ctx.Err() != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if ran != nil {
		for _, rule := range ran.Rules {
			result.judged = result.judged || rule.Judged()
			if kill := mutant.Killing(rule); kill != nil {
				result.Noticed = append(result.Noticed, Notice{rule.ID, *kill})
				r.broken[rule.ID] = true
			}
		}
	}
	if err != nil {
		result.Err = errors.New(source.FirstLine(err.Error()))
	}
}

func (r *run) distortion(m Mutant) func(*store.Lease) lane.Distortion {
	if m.Route != "" {
		return func(*store.Lease) lane.Distortion { return distortAnswers(m, r.routes, r.lessons.usual[m.Route]) }
	}
	return func(lease *store.Lease) lane.Distortion { return distortStorage(m, lease) }
}

// verify runs scenarios, or all of the rules, with its own store.
func (r *run) verify(ctx context.Context, scenarios []used, distort func(*store.Lease) lane.Distortion,
	orders int) (_ *verify.Result, err error) {
	o := r.options.Verify
	o.Rules, o.Distort = r.options.Rules, distort
	if scenarios != nil {
		wanted := map[verify.Place]bool{}
		o.Rules = nil
		for _, one := range scenarios {
			wanted[one.Place] = true
			if !slices.Contains(o.Rules, one.Rule) {
				o.Rules = append(o.Rules, one.Rule)
			}
		}
		o.Select = func(at verify.Place) bool { return wanted[at] }
		o.Lanes, o.Linger = min(o.Lanes, len(scenarios)), false
	}
	o.Proofs.Faults, o.Proofs.Orders = proof.NoFaults, orders
	opened, err := r.options.Open(ctx, o.Lanes)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close(context.WithoutCancel(ctx))) }()
	o.Store = opened
	result, err := verify.Run(ctx, o)
	if err != nil {
		return result, fmt.Errorf("run %s: %w", o.Target, err)
	}
	return result, nil
}
