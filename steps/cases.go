package steps

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/store"
)

// DefaultOrders keeps the races of a whole design within some ten seconds on two cores.
const DefaultOrders = 200

// Proofs says how far the families of cases go. Its zero value is what verify does unasked.
type Proofs struct {
	Faults FaultLevel // "" is DefaultFaults
	// Orders is how many orders of one scenario are run at most; of more, a sample is. 0 is DefaultOrders.
	Orders int
	Seed   uint64
	Suite  string // digest of the system's features
	// Stateless says that the target keeps nothing of an earlier request in memory, so that its store can be put back
	// behind its back.
	Stateless bool
	// Only is the one case to run; nil: all.
	Only *Replay
}

// variant is one case of a family: one fault, or one order.
type variant struct {
	id   string // within the family, for the replay token; the same in every run
	name string // for people, after "with"
	// run sends the scenario's requests, in a world in the state that the steps before have left.
	run func(*World) error
	// called gives id and name of a case that has them only once it was run; nil: they are as they stand.
	called func() (id, name string)
}

// CaseSummary tells of one family of cases: one When step that was run many times.
type CaseSummary struct {
	Kind       string `json:"kind"`                 // fault or order
	Run        int    `json:"run"`                  // cases judged
	Of         int    `json:"of,omitempty"`         // at least so many there are, when a sample was run
	NotReached int    `json:"notReached,omitempty"` // faults on a call that was not made again
	Settles    int    `json:"settles,omitempty"`    // times an order waited for a request that did not move
	Strayed    int    `json:"strayed,omitempty"`    // orders that could not be run: the target did something else each time
	Invalid    int    `json:"invalid,omitempty"`    // orders in which a client gave up a held call
}

// Plus is the summary of two families of one kind. Where only one is a sample, of the other all counts.
func (c CaseSummary) Plus(other CaseSummary) CaseSummary {
	sum := CaseSummary{
		Kind: other.Kind, Run: c.Run + other.Run, NotReached: c.NotReached + other.NotReached,
		Settles: c.Settles + other.Settles, Strayed: c.Strayed + other.Strayed, Invalid: c.Invalid + other.Invalid,
	}
	if c.Of > 0 || other.Of > 0 {
		sum.Of = max(c.Run, c.Of) + max(other.Run, other.Of)
	}
	return sum
}

// CasesError says which cases of a family failed.
type CasesError struct {
	Kind   string
	Run    int // cases judged
	Failed []FailedCase
}

// FailedCase is one of them.
type FailedCase struct {
	Name, Step string
	Err        error
	Replay     Replay
}

// BrokenCase is a case that failed, for reports.
type BrokenCase struct {
	Kind   string `json:"kind"` // fault or order
	Name   string `json:"name"`
	Step   string `json:"step,omitempty"` // the later step that did not hold in it
	Reason string `json:"reason"`
	Replay string `json:"replay"` // token for --replay
	// Differences is what was expected and what was seen, as far as the case tells.
	Differences []Difference `json:"differences,omitempty"`
}

// Broken is every failed case, for reports.
func (e *CasesError) Broken() []BrokenCase {
	list := make([]BrokenCase, len(e.Failed))
	for i, failed := range e.Failed {
		list[i] = BrokenCase{Kind: e.Kind, Name: failed.Name, Step: failed.Step, Reason: failed.Err.Error(), Replay: failed.Replay.String(), Differences: Differences(failed.Err)}
	}
	return list
}

// shownCases is how many failing cases a message shows: often one fault breaks many.
const shownCases = 3

func (e *CasesError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d of %d %ss broke it", len(e.Failed), e.Run, e.Kind)
	for i, failed := range e.Failed {
		if i == shownCases {
			fmt.Fprintf(&text, "\n- and %d more", len(e.Failed)-shownCases)
			break
		}
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
	}
	return text.String()
}

// errNotReached is what a variant's run returns when its fault fell on nothing: there is nothing to judge.
var errNotReached = errors.New("the call was not made")

// errNotJudged is what a variant's run returns when it does not count: the family tells why in its summary.
var errNotJudged = errors.New("the case does not count")

// Summaries tells of the scenario's families of cases.
func (w *World) Summaries() []CaseSummary { return w.summaries }

// eachCase runs the variants of a family, each from the state that the steps before the current one leave, and the steps
// after it in each. It continues after a case that failed. The error is a *CasesError, or says why cases cannot be run.
func (w *World) eachCase(summary *CaseSummary, variants iter.Seq[variant]) error {
	if w.inCase {
		return errors.New("a scenario holds one step that is run in many cases, and this is the second")
	}
	only := w.lane.maker.Proofs.Only
	broken := &CasesError{Kind: summary.Kind}
	if err := w.keepState(); err != nil {
		return err
	}
	for v := range variants {
		if only != nil && (only.Kind != summary.Kind || only.Case != v.id) {
			continue
		}
		step, err := w.runCase(v)
		if v.called != nil {
			v.id, v.name = v.called()
		}
		switch {
		case errors.Is(err, errNotReached):
			summary.NotReached++
			continue
		case errors.Is(err, errNotJudged):
			continue
		case w.ctx.Err() != nil:
			return w.ctx.Err()
		case errors.Is(err, store.ErrUnavailable), errors.As(err, new(*UnresponsiveError)):
			return err
		case err != nil:
			broken.Failed = append(broken.Failed, FailedCase{v.name, step, err, w.replay(summary.Kind, v.id)})
		}
		summary.Run++
	}
	w.casesRun, w.settled = true, true
	w.summaries = append(w.summaries, *summary)
	switch broken.Run = summary.Run; {
	case len(broken.Failed) > 0:
		return broken
	case summary.Run == 0 && only == nil:
		return fmt.Errorf("no %s was run at all: %d were not reached", summary.Kind, summary.NotReached)
	}
	return nil
}

func (w *World) replay(kind, id string) Replay {
	proofs := w.lane.maker.Proofs
	return Replay{
		System: w.lane.maker.System.Name, Suite: proofs.Suite, Seed: proofs.Seed,
		Scenario: Where(w.pickle), Kind: kind, Case: id,
	}
}

// Where is a scenario's file and line.
func Where(pickle *godog.Scenario) string {
	return fmt.Sprintf("%s:%d", pickle.Uri, pickle.Location.Line)
}

// runCase runs one case from the start, and gives the later step that failed, if it was one.
func (w *World) runCase(v variant) (step string, err error) {
	again, err := w.again()
	if err != nil {
		return "", err
	}
	defer func() {
		if w.shown == nil || !w.shown.failed {
			w.shown = &shown{again, again.Exchanges(), err != nil}
		}
		if closing := again.leave(context.WithoutCancel(w.ctx)); err == nil {
			err = closing
		}
	}()
	if err = v.run(again); err != nil {
		return "", w.clean(again, err)
	}
	for i, later := range w.pickle.Steps[w.at+1:] {
		again.at = w.at + 1 + i
		if err = w.vocabulary().run(later, again); err != nil {
			return later.Text, w.clean(again, err)
		}
	}
	again.settled = true // a case in which calls fail may well have late ones
	return "", w.clean(again, again.invariants(w.ctx))
}

// clean hides the secrets of a case's people, whose names are its own.
func (w *World) clean(again *World, err error) error {
	if err == nil || errors.Is(err, errNotReached) || errors.Is(err, errNotJudged) || errors.Is(err, store.ErrUnavailable) || errors.As(err, new(*UnresponsiveError)) {
		return err
	}
	return newCleaned(err, again.Scrub)
}

// shown are the requests that a report shows of a family of cases: those of the first that failed, else of the first.
type shown struct {
	world     *World
	exchanges []Exchange
	failed    bool
}

// Reach notes that a step is about to run.
func (w *World) Reach(step *godog.Step) {
	w.at = slices.IndexFunc(w.pickle.Steps, func(s *godog.Step) bool { return s.Id == step.Id })
}

func (w *World) vocabulary() *Vocabulary { return w.lane.maker.Vocabulary }
