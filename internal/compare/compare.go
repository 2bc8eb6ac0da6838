// Package compare tells two runs of a server apart: which scenarios regressed, were fixed, vanished or came, and whose storage
// calls became more or fewer, call by call, with the law of their growth where an outline measures several sizes.
//
// It works on event streams alone: it runs nothing and decides no exit status. The times of a run are never compared: machines
// differ.
//
// Open [Streams] first; budgets.go counts calls, law.go finds how differences grow, text.go tells people.
package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/baseline"
	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/verify"
)

// Comparison is what a new run has in other ways than an old one.
type Comparison struct {
	Suites    []Suite  `json:"suites"`    // of systems whose rules have changed
	Regressed []Change `json:"regressed"` // they held, or broke a budget only
	Fixed     []Change `json:"fixed"`     // they did not hold
	Vanished  []Change `json:"vanished"`  // they were judged and are not any more
	New       []Change `json:"new"`       // they were not judged
	Budgets   []Move   `json:"budgets"`
}

// Suite is a system whose feature files differ between the runs.
type Suite struct {
	System string `json:"system"`
	Was    string `json:"was"` // digest
	Is     string `json:"is"`
}

// Change is a scenario with another outcome than before.
type Change struct {
	System   string            `json:"system"`
	Rule     string            `json:"rule"`
	Scenario string            `json:"scenario"`
	Example  map[string]string `json:"example,omitempty"`
	File     string            `json:"file"`
	Line     int               `json:"line"`
	Was      verify.Outcome    `json:"was,omitempty"` // empty: it was not there
	Is       verify.Outcome    `json:"is,omitempty"`  // empty: it is not there
	Reason   string            `json:"reason,omitempty"`
}

// Worse reports whether the new run lost something: a scenario regressed or vanished, or a budget got worse.
func (c *Comparison) Worse() bool {
	return len(c.Regressed)+len(c.Vanished) > 0 || slices.ContainsFunc(c.Budgets, func(m Move) bool { return m.Worse })
}

// Streams compares two runs. Each must have been judged: the error says which was not, and why.
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
		}
	}
	// Programs iterate over what is empty, so nothing is null.
	c := &Comparison{Suites: []Suite{}, Regressed: []Change{}, Fixed: []Change{}, Vanished: []Change{}, New: []Change{}, Budgets: []Move{}}
	c.suites(before, after)
	olds, news := scenarios(before), scenarios(after)
	was := byKey(olds)
	is := byKey(news)
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

func (c *Comparison) suites(before, after *events.Stream) {
	for _, run := range after.Runs {
		for _, old := range before.Runs {
			if old.System == run.System && old.Asked.Suite != run.Asked.Suite {
				c.Suites = append(c.Suites, Suite{run.System, old.Asked.Suite, run.Asked.Suite})
			}
		}
	}
}

// scenario is a scenario of a stream.
type scenario struct {
	system string
	key    string
	result verify.ScenarioResult
}

func scenarios(s *events.Stream) []scenario {
	var list []scenario
	for _, run := range s.Runs {
		for _, rule := range run.Result.Rules {
			for _, r := range rule.Results {
				c := baseline.Case{Rule: r.Rule, Scenario: r.Name, Example: r.Example}
				list = append(list, scenario{run.System, run.System + " " + c.Key(), r})
			}
		}
	}
	return list
}

func byKey(list []scenario) map[string]scenario {
	found := make(map[string]scenario, len(list))
	for _, s := range list {
		found[s.key] = s
	}
	return found
}

// rank is how bad an outcome is for somebody who compares: that a failure is known makes it no better.
func rank(outcome verify.Outcome) int {
	switch outcome {
	case verify.Passed, verify.Fixed: // Fixed says that the baseline is wrong
		return 0
	case verify.OverBudget:
		return 1
	}
	return 2
}

// judge sorts a scenario that both runs have.
func (c *Comparison) judge(old, current scenario) {
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

func (c *Comparison) vanished(old scenario, now verify.ScenarioResult) {
	if old.result.Outcome != verify.Skipped {
		c.Vanished = append(c.Vanished, change(old.system, old.result, now))
	}
}

func (c *Comparison) came(before verify.ScenarioResult, current scenario) {
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
		System: system, Rule: named.Rule, Scenario: named.Name, Example: named.Example, File: named.File, Line: named.Line,
		Was: was.Outcome, Is: is.Outcome, Reason: cmp.Or(is.Known, reason),
	}
}
