package explore

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
)

// Options specify what to explore, and with what.
type Options struct {
	System     system.System
	Spec       *Spec
	Vocabulary *scenario.Vocabulary
	Invariants []Invariant
	Store      store.Store
	Subject    target.Target
	// SubjectTool runs the subject's tools instead of System.Tool, if it is not nil.
	SubjectTool system.Tool
	Oracle      target.Target // nil: only what always holds is judged
	Local       bool          // both are in this process
	Fitting     lane.Fitting  // of the subject
	Secret      string
	Without     []string // parts of the design that the subject lacks
	Lacks       []string // routes that it lacks

	Seed     uint64
	Duration time.Duration // 0: until Steps
	Steps    int           // 0: until Duration
	Corpus   string        // the directory; "": none is kept
	Replay   *Walk         // take only this one
	Faults   bool
	NoCalls  bool // storage calls of the two sides are not compared
	First    bool // end at the first finding
	Unshrunk bool // leave findings as long as they were found
	// Shrinking is how long a finding is made shorter, at most; 0: 20 seconds.
	Shrinking time.Duration
	Workers   int // how many walks are taken at once, each on servers of their own
	Progress  func(Progress)
}

// Progress is reported after each round of walks.
type Progress struct{ Walks, Steps, Kept, Findings int }

// Result is what a run has found.
type Result struct {
	Findings    []Finding
	Walks       int
	Steps       int
	Kept        int // walks that have shown something new
	Seen        int // what they have shown
	NotSent     int // requests that were not sent: the subject lacks what they need
	Diverged    int // walks whose sides could not be compared to their end
	Slow        int // answers of the subject that took SlowAfter or longer
	Slowest     SlowAnswer
	Unrepeated  []string
	Asked       map[Asked]int
	Routes      []string // of the contract
	Duration    time.Duration
	Interrupted bool
	Freedoms    []Freedom
	Skipped     map[string]string
}

// Asked is how often a person was answered with a status.
type Asked struct {
	Route, Person string
	Status        int
}

// Finding is a difference, with the shortest walk that shows it.
type Finding struct {
	Difference

	Walk     *Walk
	Scenario string // in Gherkin
	Beside   string // what is wrong, with the answers and storage calls of both sides
	// Unproven says why the scenario, run as verify runs one, does not show the difference; "": it fails on the
	// subject, and holds on the oracle.
	Unproven string
}

// SlowAnswer is an answer that took long.
type SlowAnswer struct {
	Route string
	Took  time.Duration
}

// SlowAfter is how long an answer takes that is counted as slow: such a server takes few steps in the time of a run.
const SlowAfter = time.Second

// mostFindings ends a run: more would not be read.
const mostFindings = 10

// run is the state of one Run.
type run struct {
	Options

	couples   []*couple
	known     *knowledge
	corpus    *corpus
	kept      []*Walk // from the directory, not taken yet
	result    *Result
	rng       *rand.Rand
	tags      int               // walks so far
	trials    int               // walks of shrinking so far
	env       map[string]string // of the walks at the moment
	refuted   map[string]int    // how many walks of a kind did not come again
	operating []contract.Operation
}

// Run walks until its time or its steps are over, and shrinks what it finds. Errors: those of the store and of
// lane.Maker.Make, *CorpusError, *UnknownRouteError, and for Replay also errors that say that the walk is not one of
// this system.
func Run(ctx context.Context, o Options) (_ *Result, err error) {
	r := &run{Options: o, known: &knowledge{calls: map[string][]Place{}, count: map[string]int{}},
		refuted: map[string]int{}, rng: rand.New(rand.NewPCG(o.Seed, 0)),
		result: &Result{Asked: map[Asked]int{}, Freedoms: o.Spec.Freedoms, Skipped: map[string]string{}}}
	if r.corpus, r.kept, err = openCorpus(o.Corpus, o.System.Name); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.close(context.WithoutCancel(ctx))) }()
	if err := r.open(ctx); err != nil {
		return nil, err
	}
	start := time.Now()
	if o.Replay != nil {
		err = r.replay(ctx)
	} else {
		err = r.explore(ctx, start)
	}
	r.result.Duration = time.Since(start)
	r.result.Kept, r.result.Seen = len(r.corpus.walks), len(r.corpus.seen)
	if ctx.Err() != nil {
		r.result.Interrupted, err = true, nil
	}
	return r.result, err
}

// over reports whether the run has reached one of its limits.
func (r *run) over(ctx context.Context, start time.Time) bool {
	return ctx.Err() != nil || r.Steps > 0 && r.result.Steps >= r.Steps ||
		r.Duration > 0 && time.Since(start) >= r.Duration ||
		len(r.result.Findings) >= mostFindings || r.First && len(r.result.Findings) > 0
}

// explore takes walks in rounds: what a round has shown decides the next one, whichever of its walks ended first.
func (r *run) explore(ctx context.Context, start time.Time) error {
	limited := ctx
	if r.Duration > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, start.Add(r.Duration))
		defer cancel()
	}
	for !r.over(ctx, start) {
		if err := r.round(ctx, limited); err != nil {
			return err
		}
		if r.Progress != nil {
			r.Progress(Progress{r.result.Walks, r.result.Steps, len(r.corpus.walks), len(r.result.Findings)})
		}
	}
	return nil
}

// task is one walk of a round.
type task struct {
	walk      *Walk // of the corpus; nil: a new one
	stream    uint64
	exact     bool // take it as it is
	begin     Walk
	known     *knowledge
	generator *generator
	outcome   *outcome
	err       error
}

// round takes one walk on each couple.
func (r *run) round(ctx, limited context.Context) error {
	tasks := make([]*task, len(r.couples))
	var all sync.WaitGroup
	for i, c := range r.couples {
		t := r.task()
		tasks[i] = t
		all.Go(func() { r.walk(limited, c, t) })
	}
	all.Wait()
	for i, t := range tasks {
		if t.err != nil && limited.Err() == nil {
			return t.err
		}
		if err := r.merge(ctx, r.couples[i], t, limited.Err() != nil); err != nil {
			return err
		}
	}
	return nil
}

// task chooses what to walk next.
func (r *run) task() *task {
	r.tags++
	t := &task{stream: uint64(r.tags), known: r.known.clone(), //nolint:gosec // positive
		begin: Walk{System: r.System.Name, Tag: tagOf(r.Seed, r.tags)}}
	for i := range r.Spec.Sometimes {
		if r.rng.IntN(4) == 0 && r.able(i) {
			t.begin.Some = append(t.begin.Some, i)
		}
	}
	switch walks := r.corpus.walks; {
	case len(r.kept) > 0:
		t.walk, t.exact, r.kept = r.kept[0], true, r.kept[1:]
	case len(walks) > 0 && r.rng.IntN(10) < 6:
		from := 0
		if r.rng.IntN(2) == 0 {
			from = max(0, len(walks)-20)
		}
		t.walk = walks[from+r.rng.IntN(len(walks)-from)]
		if r.rng.IntN(4) == 0 {
			other := walks[r.rng.IntN(len(walks))]
			t.walk = splice(t.walk, other, r.rng.IntN(len(t.walk.Steps)+1), r.rng.IntN(len(other.Steps)))
		}
	}
	if r.tags%variantFor == 0 && len(r.Spec.Environment) > 0 {
		r.env = r.variant()
	}
	if t.begin.Env = r.env; t.walk != nil {
		t.begin.Some = t.walk.Some
	}
	if t.exact {
		t.begin.Env = t.walk.Env
	}
	return t
}

// variantFor is for how many walks the servers are left as they are: to start them costs more than a walk.
const variantFor = 12

// variant chooses values of variables that the servers are started with: every other time the usual ones.
func (r *run) variant() map[string]string {
	if r.rng.IntN(3) == 0 || !r.Subject.Restartable() || r.Oracle != nil && !r.Oracle.Restartable() {
		return nil
	}
	env := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(r.Spec.Environment)) {
		values := r.Spec.Environment[name]
		env[name] = values[r.rng.IntN(len(values))]
	}
	return env
}

// count adds a walk to the result.
func (r *run) count(o *outcome) {
	r.result.Walks++
	r.result.Steps += o.steps
	for _, one := range o.asked {
		r.result.Asked[Asked{one.route, one.person, one.status}]++
	}
	if o.diverged {
		r.result.Diverged++
	}
}

// tagOf returns a tag for the people of a walk, in the form that worlds give theirs.
func tagOf(seed uint64, n int) string {
	rng := rand.New(rand.NewPCG(seed, uint64(n)<<20)) //nolint:gosec // positive
	const letters = "abcdefghijklmnopqrstuvwxyz234567"
	tag := make([]byte, 8)
	for i := range tag {
		tag[i] = letters[rng.IntN(len(letters))]
	}
	return string(tag) + "7"
}

func (k *knowledge) clone() *knowledge {
	return &knowledge{k.operations, maps.Clone(k.calls), maps.Clone(k.count)}
}

// walk takes a task's walk.
func (r *run) walk(ctx context.Context, c *couple, t *task) {
	g := newGenerator(r.Seed, t.stream, r.Spec, t.known, c, r.Faults)
	g.routes, t.generator = r.operating, g
	next := g.fresh()
	switch {
	case t.exact:
		next = stepsOf(t.walk)
	case t.walk != nil:
		next = g.mutate(t.walk)
	}
	t.outcome, t.err = c.take(ctx, t.begin, g.sendable(next))
}

// stepsOf returns the steps of a walk as they are.
func stepsOf(w *Walk) stepper {
	left := w.clone().Steps
	return func(context.Context) *Step {
		if len(left) == 0 {
			return nil
		}
		step := &left[0]
		left = left[1:]
		return step
	}
}

// merge takes over what a walk has shown.
func (r *run) merge(ctx context.Context, c *couple, t *task, late bool) error {
	o := t.outcome
	r.result.NotSent += t.generator.unsent
	if o == nil {
		return nil
	}
	r.count(o)
	maps.Copy(r.known.calls, t.known.calls)
	for route, count := range t.known.count {
		r.known.count[route] = max(r.known.count[route], count)
	}
	for _, one := range o.asked {
		if one.took >= SlowAfter {
			r.result.Slow++
		}
		if one.took > r.result.Slowest.Took {
			r.result.Slowest = SlowAnswer{one.route, one.took}
		}
	}
	if late && t.err != nil {
		return nil //nolint:nilerr // the time is over, and ended the walk
	}
	if o.found != nil {
		return r.found(ctx, c, o)
	}
	return r.corpus.add(o)
}
