package cases

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cause"
	"github.com/storespec/storespec/internal/scenario/schedule"
	"github.com/storespec/storespec/internal/store"
)

// variant is one case of a family: one fault, or one order.
type variant struct {
	id   string // unique within the family, for the replay token; the same in every run
	name string // when the case happens, for people
	// first says that the family's other cases mean nothing unless this one passes.
	first bool
	// run sends the scenario's requests, in a world that is in the state the earlier steps have left.
	run func(*scenario.World) error
	// called returns id and name of a case that only has them after it was run; nil: id and name are already set.
	called func() (id, name string)
	// again runs a case once more whose run works only once; nil: run does.
	again func(*scenario.World) error
	// turns returns what happened in turn in the last run of a case that is an order; nil: the case is not an order.
	turns func() []Turn
	apart bool // it may run on another lane while others of the family run
	waits bool // most of its time is spent waiting
}

// CaseSummary sums up one family of cases: one When step that was run many times.
type CaseSummary struct {
	Kind       string `json:"kind"`                 // fault or order
	Run        int    `json:"run"`                  // cases judged
	Of         int    `json:"of,omitempty"`         // lower bound of the number of cases, if only a sample was run
	Cut        bool   `json:"-"`                    // more cases are known than were run
	NotReached int    `json:"notReached,omitempty"` // faults on a call that was not made again
	Settles    int    `json:"settles,omitempty"`    // settle timeouts: a request neither called the store nor answered
	// orders that could not be run: the target behaved differently each time
	Strayed int `json:"strayed,omitempty"`
	Invalid int `json:"invalid,omitempty"` // orders in which a client gave up a held call
	Late    int `json:"late,omitempty"`    // faults answered too late only because an SDK waited between its attempts
	// how long SDKs waited between their attempts at the calls that failed
	Backoff time.Duration `json:"backoffNs,omitempty"`
}

// Plus returns the sum of two families of one kind. If only one of them is a sample, the other counts in full.
func (c CaseSummary) Plus(other CaseSummary) CaseSummary {
	sum := CaseSummary{
		Kind: other.Kind, Run: c.Run + other.Run, Cut: c.Cut || other.Cut, NotReached: c.NotReached + other.NotReached,
		Settles: c.Settles + other.Settles, Strayed: c.Strayed + other.Strayed, Invalid: c.Invalid + other.Invalid,
		Late: c.Late + other.Late, Backoff: c.Backoff + other.Backoff,
	}
	if c.Of > 0 || other.Of > 0 {
		sum.Of = max(c.Run, c.Of) + max(other.Run, other.Of)
	}
	return sum
}

// Error says which cases of a family failed.
type Error struct {
	Kind   string
	Run    int // cases judged
	Failed []Failure
}

// Failure is one failed case.
type Failure struct {
	Name, Step string
	Err        error
	Replay     proof.Replay
	Order      []Turn // of a family of orders
}

// BrokenCase is a case that failed, for reports.
type BrokenCase struct {
	Kind   string `json:"kind"` // fault or order
	Name   string `json:"name"`
	Step   string `json:"step,omitempty"` // the later step that failed in it
	Reason string `json:"reason"`
	Replay string `json:"replay"` // token for --replay
	// Differences is what was expected and what was seen, if the case says so.
	Differences []matching.Difference `json:"differences,omitempty"`
	Order       []Turn                `json:"order,omitempty"` // what happened in turn, if the case is an order
}

// Turn is a step of an order: a request was sent, or one of its storage calls was let through.
type Turn struct {
	Request int    `json:"request"` // its row in the scenario's table, from 0
	Who     string `json:"who"`
	Call    string `json:"call"`             // "send", or the call with the names that the scenario has for ids
	Status  int    `json:"status,omitempty"` // what the store answered; 0: nothing, or nothing was asked
}

// Broken returns every failed case, for reports.
func (e *Error) Broken() []BrokenCase {
	list := make([]BrokenCase, len(e.Failed))
	for i, failed := range e.Failed {
		list[i] = BrokenCase{Kind: e.Kind, Name: failed.Name, Step: failed.Step, Reason: failed.Err.Error(),
			Replay: failed.Replay.String(), Differences: matching.Differences(failed.Err),
			Order: failed.Order}
	}
	return list
}

// shownCases is how many failed cases a message shows, each with another message: one bug often breaks many.
const shownCases = 3

// alike groups the failed cases by what their messages say, in order of the first of each.
func (e *Error) alike() (groups [][]Failure) {
	at := map[string]int{}
	for _, failed := range e.Failed {
		key := failed.Step + "\n" + cause.Of(failed.Err.Error())
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], failed)
	}
	return groups
}

// Error describes the first few failed cases that differ in more than the case, each with the token that replays it.
func (e *Error) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d of %d %ss broke it", len(e.Failed), e.Run, e.Kind)
	shown := 0
	for i, alike := range e.alike() {
		if i == shownCases {
			fmt.Fprintf(&text, "\n- and %d more", len(e.Failed)-shown)
			break
		}
		failed := alike[0]
		shown += len(alike)
		fmt.Fprintf(&text, "\n- %s", failed.Name)
		if strings.Contains(failed.Name, "\n") {
			text.WriteString("\n  ")
		} else {
			text.WriteString(": ")
		}
		if failed.Step != "" {
			fmt.Fprintf(&text, "%s: ", failed.Step)
		}
		fmt.Fprintf(&text, "%v\n  again: --replay %s", failed.Err, failed.Replay)
		if more := len(alike) - 1; more > 0 {
			fmt.Fprintf(&text, "\n  and %d more like it", more)
		}
	}
	return text.String()
}

// errNotReached is returned by a variant's run when its fault hit no call: there is nothing to judge.
var errNotReached = errors.New("the call was not made")

// errNotJudged is returned by a variant's run when it does not count: the family's summary says why.
var errNotJudged = errors.New("the case does not count")

// families holds the results of a scenario's families of cases.
type families struct{ summaries []CaseSummary }

// Summaries returns the summaries of the scenario's families of cases.
func Summaries(w *scenario.World) []CaseSummary { return scenario.Part[families](w).summaries }

// family is the cases of one step, as far as they were run.
type family struct {
	world   *scenario.World
	summary *CaseSummary
	counted *tally
	broken  Error
	skipped error // why cases were not judged
}

// eachCase runs the variants of a family, each from the state that the steps before the current one leave, and the
// later steps in each. It continues after a failed case. The error is a *Error, or says why the cases cannot be run.
func eachCase(ctx context.Context, w *scenario.World, summary *CaseSummary, counted *tally,
	variants iter.Seq[variant]) error {
	if w.Cases.InCase() {
		return errors.New("a scenario holds one step that is run in many cases, and this is the second")
	}
	if err := w.Cases.KeepState(ctx); err != nil {
		return err
	}
	f := &family{world: w, summary: summary, counted: counted, broken: Error{Kind: summary.Kind}}
	defer w.Stage.Lane().Maker.Waits.Begin(waiting.Cases, counted.describe)()
	defer counted.end()
	if err := f.run(ctx, variants); err != nil {
		return err
	}
	w.Cases.Done()
	all := scenario.Part[families](w)
	all.summaries = append(all.summaries, *summary)
	switch f.broken.Run = summary.Run; {
	case len(f.broken.Failed) > 0:
		return &f.broken
	case summary.Run == 0 && f.skipped != nil:
		return f.skipped
	case summary.Run == 0 && w.Stage.Suite().Proofs.Only == nil:
		return fmt.Errorf("no %s was run at all: %d were not reached", summary.Kind, summary.NotReached)
	}
	return nil
}

// run runs the variants, in their order. Once one of them has waited, or will wait, idle lanes help with those left.
func (f *family) run(ctx context.Context, variants iter.Seq[variant]) error {
	only := f.world.Stage.Suite().Proofs.Only
	var left []variant
	for v := range variants {
		switch {
		case only != nil && (only.Kind != f.summary.Kind || only.Case != v.id):
			continue
		case v.apart && (v.waits || f.summary.Backoff > 0):
			left = append(left, v)
			continue
		}
		one := f.confirmed(ctx, v, f.timed(v, func() ran { return here(ctx, f.world, v) }))
		if err := f.take(ctx, v, one); err != nil {
			return err
		}
		if one.err != nil && v.first || f.enough() {
			return nil
		}
	}
	return f.spread(ctx, left)
}

// timed runs a case and counts it. The first one of a family, which only shows what the others are, is not one of them.
func (f *family) timed(v variant, run func() ran) ran {
	began := time.Now()
	one := run()
	if !v.first {
		f.counted.one(time.Since(began))
	}
	return one
}

// enough reports whether no other case needs to be run, since one has failed.
func (f *family) enough() bool { return f.world.Stage.Suite().Proofs.First && len(f.broken.Failed) > 0 }

// take adds the result of a case. The error says why no other case can be run.
func (f *family) take(ctx context.Context, v variant, one ran) error {
	if v.called != nil {
		v.id, v.name = v.called()
	}
	f.summary.Backoff += one.backoff
	if one.late {
		f.summary.Late++
	}
	if one.shown != nil {
		f.world.Cases.Show(one.shown)
	}
	switch err := one.err; {
	case errors.Is(err, errNotReached):
		f.summary.NotReached++
		return nil
	case errors.Is(err, errNotJudged):
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case unusable(err):
		return err
	case errors.Is(err, godog.ErrSkip):
		f.skipped = cmp.Or(f.skipped, err)
		return nil
	case err != nil:
		failed := Failure{Name: v.name, Step: one.step, Err: err, Replay: replay(f.world, f.summary.Kind, v.id)}
		if v.turns != nil {
			failed.Order = v.turns()
		}
		f.broken.Failed = append(f.broken.Failed, failed)
	}
	f.summary.Run++
	return nil
}

// unusable reports whether an error means that nothing more can be judged.
func unusable(err error) bool {
	return errors.Is(err, store.ErrUnavailable) || errors.As(err, new(*lane.UnresponsiveError))
}

func replay(w *scenario.World, kind, id string) proof.Replay {
	proofs := w.Stage.Suite().Proofs
	return proof.Replay{System: w.Stage.System().Name, Suite: proofs.Suite, Seed: proofs.Seed,
		Scenario: w.Stage.Where(),
		Kind:     kind, Case: id}
}

// ran is a case that was run.
type ran struct {
	step  string // the later step that failed, if one did
	err   error
	world *scenario.World
	shown *scenario.ShownCase // nil: its world could not be made
	patience
}

// patience is what a case saw of the patience of the target's SDK.
type patience struct {
	backoff time.Duration // between the attempts at the call that failed
	late    bool          // the answer came too late only because of that
}

// confirmed returns the result of a case that was run. If it failed by calls that may belong to another request, and
// doubting is worth its time, the case is run again on the scenario's lane with a long quiet time before each request,
// and the two are weighed (World.Confirm). If it failed because requests had no answers, it is run again, and that
// counts: a machine that is too busy looks like a server that hangs, which does so each time.
func (f *family) confirmed(ctx context.Context, v variant, one ran) ran {
	hung := errors.As(one.err, new(*schedule.StuckError))
	if len(f.broken.Failed) > 0 || one.world == nil || !hung && !scenario.Doubtful(one.err) {
		return one
	}
	w := f.world
	defer w.Storage.BeCareful()()
	if v.again != nil {
		v.run = v.again
	}
	if one.shown != nil {
		w.Cases.Show(one.shown)
	}
	again := here(ctx, w, v)
	if errors.Is(again.err, errNotReached) || errors.Is(again.err, errNotJudged) {
		return one
	}
	again.step = cmp.Or(again.step, one.step)
	again.backoff, again.late = again.backoff+one.backoff, again.late || one.late
	if hung {
		return again
	}
	again.err = one.world.Confirm(one.err, nil, again.world, again.err, w.Stage.Lane().Recorder.Strays() > 0)
	return again
}

// here runs a case on the scenario's lane.
func here(ctx context.Context, w *scenario.World, v variant) ran {
	again, err := w.Cases.Again(ctx)
	if err != nil {
		return ran{err: err}
	}
	return v.runIn(ctx, w, again)
}

// runIn runs a case, from the start, in the world that was made for it.
func (v variant) runIn(ctx context.Context, w, again *scenario.World) ran {
	one := ran{world: again}
	if one.err = v.run(again); one.err == nil {
		one.step, one.err = w.Cases.Rest(ctx, again)
	}
	one.patience = *scenario.Part[patience](again)
	one.shown = again.Cases.Showing(one.err != nil)
	one.err = cmp.Or(one.err, again.Leave(context.WithoutCancel(ctx)))
	one.err = clean(again, one.err)
	return one
}

// clean hides the secrets of a case's people, whose names are unique to the case.
func clean(again *scenario.World, err error) error {
	if err == nil || errors.Is(err, errNotReached) || errors.Is(err, errNotJudged) || unusable(err) {
		return err
	}
	return matching.NewCleaned(err, again.Names.Shown)
}
