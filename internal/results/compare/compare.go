// Package compare finds the differences between two runs of a server: which scenarios regressed, were fixed, vanished
// or are new, and whose storage calls increased or decreased, call by call, with the law of their growth if an outline
// measures several sizes.
//
// It works on event streams alone: it runs nothing and decides no exit status. It never compares the times of runs:
// machines differ.
//
// Open [Streams] first; budgets.go counts calls, law.go finds how differences grow, text.go writes them for people.
package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/baseline"
)

// Comparison is how a new run differs from an old one.
type Comparison struct {
	Suites    []Suite  `json:"suites"`    // of systems whose rules have changed
	Regressed []Change `json:"regressed"` // they held, or only broke a budget
	Fixed     []Change `json:"fixed"`     // they did not hold
	Vanished  []Change `json:"vanished"`  // they were judged and no longer are
	New       []Change `json:"new"`       // they were not judged before
	Budgets   []Move   `json:"budgets"`
}

// Suite is a system whose feature files differ between the runs.
type Suite struct {
	System string `json:"system"`
	Was    string `json:"was"` // digest
	Is     string `json:"is"`
}

// Change is a scenario whose outcome has changed.
type Change struct {
	System   string            `json:"system"`
	Rule     string            `json:"rule"`
	Scenario string            `json:"scenario"`
	Example  map[string]string `json:"example,omitempty"`
	File     string            `json:"file"`
	Line     int               `json:"line"`
	Was      verify.Outcome    `json:"was,omitempty"` // empty: it did not exist
	Is       verify.Outcome    `json:"is,omitempty"`  // empty: it no longer exists
	Reason   string            `json:"reason,omitempty"`
}

// Worse reports whether the new run is worse: a scenario regressed or vanished, or a budget got worse.
func (c *Comparison) Worse() bool {
	return len(c.Regressed)+len(c.Vanished) > 0 || slices.ContainsFunc(c.Budgets, func(m Move) bool { return m.Worse })
}

// Streams compares two runs. Both must have been judged, and have a system in common: the error says which was not, and
// why, or which systems they are of.
func Streams(before, after *events.Stream) (*Comparison, error) {
	for _, side := range []struct {
		name   string
		stream *events.Stream
	}{{"old", before}, {"new", after}} {
		for _, run := range side.stream.Runs {
			if !run.Judged() {
				return nil, fmt.Errorf("the %s run of %s could not be judged: %w", side.name, run.System, run.Err)
			}
			if run.Result.Interrupted {
				return nil, fmt.Errorf("the %s run of %s was interrupted", side.name, run.System)
			}
			if run.Result.Stopped {
				return nil, fmt.Errorf("the %s run of %s was stopped at its first failure", side.name, run.System)
			}
		}
	}
	if !shareSystem(before, after) {
		return nil, fmt.Errorf("the old run is of %s, the new one of %s: runs of different systems cannot be compared",
			before.Systems(), after.Systems())
	}
	// Programs iterate over empty lists, so none may be null.
	c := &Comparison{Suites: []Suite{}, Regressed: []Change{}, Fixed: []Change{}, Vanished: []Change{}, New: []Change{},
		Budgets: []Move{}}
	c.suites(before, after)
	olds, was := scenarios(before)
	news, is := scenarios(after)
	var both []pair
	for _, old := range olds {
		if _, still := is[old.key]; !still {
			c.vanished(old, verify.ScenarioResult{})
		}
	}
	for _, current := range news {
		old, known := was[current.key]
		if !known {
			c.came(verify.ScenarioResult{}, current)
			continue
		}
		c.judge(old, current)
		both = append(both, pair{current.system, old.result, current.result})
	}
	c.Budgets = append(c.Budgets, moves(both)...)
	return c, nil
}

// shareSystem reports whether some system has a run in both streams.
func shareSystem(before, after *events.Stream) bool {
	return slices.ContainsFunc(before.Runs, func(old events.Run) bool {
		return slices.ContainsFunc(after.Runs, func(r events.Run) bool { return r.System == old.System })
	})
}

func (c *Comparison) suites(before, after *events.Stream) {
	for _, run := range after.Runs {
		for _, old := range before.Runs {
			if old.System == run.System && old.Asked.Suite != run.Asked.Suite {
				c.Suites = append(c.Suites, Suite{run.System, old.Asked.Suite, run.Asked.Suite})
			}
		}
	}
}

// judged is a scenario in a stream.
type judged struct {
	system string
	key    string
	result verify.ScenarioResult
}

// scenarios returns the scenarios of a stream in order, and by their keys.
func scenarios(s *events.Stream) (list []judged, byKey map[string]judged) {
	byKey = map[string]judged{}
	for _, run := range s.Runs {
		for _, r := range run.Result.All() {
			c := baseline.Case{Rule: r.Rule, Scenario: r.Name, Example: r.Example}
			one := judged{run.System, run.System + " " + c.Key(), r}
			list, byKey[one.key] = append(list, one), one
		}
	}
	return list, byKey
}

// rank is how bad an outcome is in a comparison: a failure is no better for being known.
func rank(outcome verify.Outcome) int {
	switch outcome {
	case verify.Passed, verify.Fixed: // Fixed says that the baseline is wrong
		return 0
	case verify.OverBudget, verify.Unclear:
		return 1
	}
	return 2
}

// judge classifies a scenario that is in both runs.
func (c *Comparison) judge(old, current judged) {
	skipped, skips := old.result.Outcome == verify.Skipped, current.result.Outcome == verify.Skipped
	was, is := rank(old.result.Outcome), rank(current.result.Outcome)
	known := old.result.Outcome == verify.KnownFailing || current.result.Outcome == verify.KnownFailing
	switch {
	case skipped && skips:
	case skips:
		c.vanished(old, current.result)
	case skipped:
		c.came(old.result, current)
	case is > was && (was == 0 || !known): // a known failure may have been either kind
		c.Regressed = append(c.Regressed, change(current.system, old.result, current.result))
	case is == 0 && was > 0:
		c.Fixed = append(c.Fixed, change(current.system, old.result, current.result))
	}
}

func (c *Comparison) vanished(old judged, now verify.ScenarioResult) {
	if old.result.Outcome != verify.Skipped {
		c.Vanished = append(c.Vanished, change(old.system, old.result, now))
	}
}

func (c *Comparison) came(before verify.ScenarioResult, current judged) {
	if current.result.Outcome != verify.Skipped {
		c.New = append(c.New, change(current.system, before, current.result))
	}
}

func change(system string, was, is verify.ScenarioResult) Change {
	named := is
	if is.Rule == "" {
		named = was
	}
	reason, _, _ := strings.Cut(is.Reason, "\n")
	return Change{
		System: system, Rule: named.Rule, Scenario: named.Name, Example: named.Example, File: named.File,
		Line: named.Line,
		Was:  was.Outcome, Is: is.Outcome, Reason: cmp.Or(is.Known, reason),
	}
}
