package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// pageRule is a rule and its scenarios.
type pageRule struct {
	verify.Rule

	Outcome   verify.Outcome
	Note      string // why the outcome does not count; "": it does
	Why       string // what its first scenario to look at failed by
	Open      bool
	Scenarios []*pageScenario // those to look at first
	counts    bool
	rank      int // of its largest cause
}

// pageScenario is a scenario: its steps, if it did not pass; otherwise what it sent.
type pageScenario struct {
	ID, Name, Where, Cost, Why string
	Outcome                    verify.Outcome
	Open                       bool
	Like                       *pageScenario // an earlier scenario with the same cause; nil: none
	Known, Again, Reason       string
	LeftOut                    []string
	Steps                      []pageStep // nil: not known, or it passed
	Given                      int        // how many of them are folded, from the first
	GivenCounts                string     // how many steps and requests those are
	Failure                    *pageFailure
	Sent                       []*pageRequest // of no known step
	Brief                      []string       // what a scenario that passed has sent, a line each
}

// ruleWriter makes the rules of one run.
type ruleWriter struct {
	stream *events.Stream
	run    *Run
	first  map[string]*pageScenario // of each cause
	rank   map[string]int           // of each cause, from 0
}

func (w *ruleWriter) rule(rule verify.RuleResult) *pageRule {
	shown := &pageRule{Rule: rule.Rule, Outcome: rule.Outcome, counts: w.run.counts(rule.Rule, rule.Outcome),
		rank: math.MaxInt}
	if broken(rule.Outcome) {
		shown.Note = w.run.uncounted(rule)
	}
	for i := range rule.Results {
		result := &rule.Results[i]
		scenario := w.scenario(fmt.Sprintf("%s.%d", rule.ID, i+1), result)
		if shown.Scenarios = append(shown.Scenarios, scenario); !broken(result.Outcome) ||
			result.Outcome == verify.Fixed { // which has no cause
			continue
		}
		shown.Why = cmp.Or(shown.Why, scenario.Why)
		key := causeKey(*result)
		if rank, known := w.rank[key]; known {
			shown.rank = min(shown.rank, rank)
		}
		if scenario.Like = w.first[key]; scenario.Like == nil {
			w.first[key] = scenario
		} else {
			scenario.shorten()
		}
	}
	slices.SortStableFunc(shown.Scenarios, func(a, b *pageScenario) int { return a.urgency() - b.urgency() })
	return shown
}

// compare puts rules that count before others, and those of larger causes first.
func (r *pageRule) compare(other *pageRule) int {
	if r.counts != other.counts {
		if r.counts {
			return -1
		}
		return 1
	}
	return cmp.Compare(r.rank, other.rank)
}

// urgency is 0 for what needs attention and was not shown before.
func (s *pageScenario) urgency() int {
	switch {
	case broken(s.Outcome) && s.Like == nil:
		return 0
	case broken(s.Outcome):
		return 1
	case s.Outcome != verify.Passed:
		return 2
	}
	return 3
}

// unfoldedRules is how many broken rules are open when the page is: the others are a line each.
const unfoldedRules = 3

// unfold opens the first rules, and in each rule the first scenario of each cause.
func unfold(rules []*pageRule) {
	for i, rule := range rules {
		rule.Open = i < unfoldedRules
		for n, scenario := range rule.Scenarios {
			scenario.Open = n < fullFailures && scenario.urgency() == 0 || n == 0
		}
	}
}

func (w *ruleWriter) scenario(id string, result *verify.ScenarioResult) *pageScenario {
	shown := &pageScenario{ID: id, Name: result.Name, Where: where(*result), Outcome: result.Outcome,
		Known: result.Known, Again: result.Again, LeftOut: result.LeftOut}
	n := 0
	for _, request := range result.Requests {
		n += len(request.Calls)
	}
	if len(result.Requests) > 0 {
		shown.Cost = fmt.Sprintf("%s, %s, %s", several(len(result.Requests), "request"), several(n, "storage call"),
			result.Duration.Round(time.Millisecond))
	}
	switch {
	case result.Outcome == verify.Passed:
		for _, request := range result.Requests {
			shown.Brief = append(shown.Brief, brief(request))
		}
	case !broken(result.Outcome) && result.Outcome != verify.KnownFailing || result.Outcome == verify.Fixed:
		shown.Reason = result.Reason
	default:
		shown.Why = headline(*result)
		w.story(shown, result)
	}
	return shown
}

// shorten leaves out what an earlier scenario of the same cause shows: what the requests contain that it did not fail
// by.
func (s *pageScenario) shorten() {
	sent := slices.Clone(s.Sent)
	for _, step := range s.Steps {
		sent = append(sent, step.Sent...)
	}
	for _, request := range sent {
		request.Short = !request.Blamed
	}
}
