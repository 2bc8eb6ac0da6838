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

	"github.com/storespec/storespec/internal/cause"
	"github.com/storespec/storespec/internal/lane"
	"github.com/storespec/storespec/internal/matching"
	"github.com/storespec/storespec/internal/proof"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
)

// variant is one case of a family: one fault, or one order.
type variant struct {
	id   string // unique within the family, for the replay token; the same in every run
	name string // for people, after "with"
	// first says that the family's other cases mean nothing unless this one passes.
	first bool
	// run sends the scenario's requests, in a world that is in the state the earlier steps have left.
	run func(*scenario.World) error
	// called returns id and name of a case that only has them after it was run; nil: id and name are already set.
	called func() (id, name string)
	// again runs a case once more whose run works only once; nil: run does.
	again func(*scenario.World) error
}

// CaseSummary sums up one family of cases: one When step that was run many times.
type CaseSummary struct {
	Kind       string `json:"kind"`                 // fault or order
	Run        int    `json:"run"`                  // cases judged
	Of         int    `json:"of,omitempty"`         // lower bound of the number of cases, if only a sample was run
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
		Kind: other.Kind, Run: c.Run + other.Run, NotReached: c.NotReached + other.NotReached,
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
}

// Broken returns every failed case, for reports.
func (e *Error) Broken() []BrokenCase {
	list := make([]BrokenCase, len(e.Failed))
	for i, failed := range e.Failed {
		list[i] = BrokenCase{Kind: e.Kind, Name: failed.Name, Step: failed.Step, Reason: failed.Err.Error(),
			Replay: failed.Replay.String(), Differences: matching.Differences(failed.Err)}
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
		fmt.Fprintf(&text, "\n- with %s", failed.Name)
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

// eachCase runs the variants of a family, each from the state that the steps before the current one leave, and the
// later steps in each. It continues after a failed case. The error is a *Error, or says why the cases cannot be run.
func eachCase(ctx context.Context, w *scenario.World, summary *CaseSummary, variants iter.Seq[variant]) error {
	if w.InCase() {
		return errors.New("a scenario holds one step that is run in many cases, and this is the second")
	}
	only := w.Suite().Proofs.Only
	broken := &Error{Kind: summary.Kind}
	var skipped error // why cases were not judged
	if err := w.KeepState(ctx); err != nil {
		return err
	}
	for v := range variants {
		if only != nil && (only.Kind != summary.Kind || only.Case != v.id) {
			continue
		}
		step, err := judgeCase(ctx, w, v, len(broken.Failed) == 0)
		if v.called != nil {
			v.id, v.name = v.called()
		}
		switch {
		case errors.Is(err, errNotReached):
			summary.NotReached++
			continue
		case errors.Is(err, errNotJudged):
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, store.ErrUnavailable), errors.As(err, new(*lane.UnresponsiveError)):
			return err
		case errors.Is(err, godog.ErrSkip):
			skipped = cmp.Or(skipped, err)
			continue
		case err != nil:
			broken.Failed = append(broken.Failed, Failure{v.name, step, err, replay(w, summary.Kind, v.id)})
		}
		summary.Run++
		if err != nil && v.first {
			break
		}
	}
	w.Done()
	all := scenario.Part[families](w)
	all.summaries = append(all.summaries, *summary)
	switch broken.Run = summary.Run; {
	case len(broken.Failed) > 0:
		return broken
	case summary.Run == 0 && skipped != nil:
		return skipped
	case summary.Run == 0 && only == nil:
		return fmt.Errorf("no %s was run at all: %d were not reached", summary.Kind, summary.NotReached)
	}
	return nil
}

func replay(w *scenario.World, kind, id string) proof.Replay {
	proofs := w.Suite().Proofs
	return proof.Replay{System: w.System().Name, Suite: proofs.Suite, Seed: proofs.Seed, Scenario: w.Where(),
		Kind: kind, Case: id}
}

// judgeCase runs one case. If it fails by calls that may belong to another request, and doubting is worth its time, the
// case is run again with a long quiet time before each request, and the two are weighed (World.Confirm).
func judgeCase(ctx context.Context, w *scenario.World, v variant, worth bool) (step string, err error) {
	step, first, err := runCase(ctx, w, v)
	if !worth || !scenario.Doubtful(err) {
		return step, err
	}
	defer w.BeCareful()()
	if v.again != nil {
		v.run = v.again
	}
	again, second, other := runCase(ctx, w, v)
	if errors.Is(other, errNotReached) || errors.Is(other, errNotJudged) {
		return step, err
	}
	return cmp.Or(again, step), first.Confirm(err, nil, second, other, w.Lane().Recorder.Strays() > 0)
}

// runCase runs one case from the start, and returns the later step that failed, if one did, and the case's world.
func runCase(ctx context.Context, w *scenario.World, v variant) (step string, again *scenario.World, err error) {
	if again, err = w.Again(ctx); err != nil {
		return "", nil, err
	}
	defer func() {
		w.Show(again, err != nil)
		if closing := again.Leave(context.WithoutCancel(ctx)); err == nil {
			err = closing
		}
	}()
	if err = v.run(again); err == nil {
		step, err = w.Rest(ctx, again)
	}
	return step, again, clean(again, err)
}

// clean hides the secrets of a case's people, whose names are unique to the case.
func clean(again *scenario.World, err error) error {
	if err == nil || errors.Is(err, errNotReached) || errors.Is(err, errNotJudged) ||
		errors.Is(err, store.ErrUnavailable) || errors.As(err, new(*lane.UnresponsiveError)) {
		return err
	}
	return matching.NewCleaned(err, again.Shown)
}
