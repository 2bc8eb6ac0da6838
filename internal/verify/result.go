package verify

import (
	"maps"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// Outcome is what became of a scenario or a rule.
type Outcome string

// The outcomes, from best to worst.
const (
	Passed       Outcome = "passed"
	Skipped      Outcome = "skipped"       // with a reason; never counted as passed
	KnownFailing Outcome = "known failing" // it fails, and the baseline says so
	Unfinished   Outcome = "unfinished"    // a rule some of whose scenarios did not run: the run was interrupted
	Fixed        Outcome = "fixed"         // it passes, and the baseline says that it fails: the baseline is wrong
	OverBudget   Outcome = "over budget"
	Failed       Outcome = "failed"
	Errored      Outcome = "error" // the harness, the store or the target's start is at fault
)

// ScenarioResult is what became of one scenario.
type ScenarioResult struct {
	Rule        string              `json:"rule"`
	Name        string              `json:"name"`
	Example     map[string]string   `json:"example,omitempty"` // the cells of its example, by column
	File        string              `json:"file"`
	Line        int                 `json:"line"`
	Outcome     Outcome             `json:"outcome"`
	Step        string              `json:"step,omitempty"`        // the step that did not pass
	Reason      string              `json:"reason,omitempty"`      // why; without secrets
	Known       string              `json:"known,omitempty"`       // why it is known to fail, as the baseline says
	Differences []steps.Difference  `json:"differences,omitempty"` // what was expected and what was seen, as far as the failure tells
	Requests    []steps.Exchange    `json:"requests,omitempty"`
	Cases       []steps.CaseSummary `json:"cases,omitempty"`  // of a step that is run in many cases
	Broken      []steps.BrokenCase  `json:"broken,omitempty"` // those of them that failed
	Budgets     []steps.Budget      `json:"budgets,omitempty"`
	Steps       []time.Duration     `json:"stepsNs,omitempty"` // how long each step took, as far as they were reached
	Start       time.Time           `json:"start,omitzero"`
	Duration    time.Duration       `json:"durationNs"`
}

// RuleResult is what became of one rule: the worst of its scenarios.
type RuleResult struct {
	Rule
	Outcome Outcome          `json:"outcome"`
	Results []ScenarioResult `json:"results"`
}

// Result is what became of a run.
type Result struct {
	Target  string       `json:"target"`
	Store   string       `json:"store"`
	Version string       `json:"storeVersion"`
	Lanes   int          `json:"lanes"`
	Rules   []RuleResult `json:"rules"`
	Share   *Share       `json:"share,omitempty"` // of a run that was split; nil for a whole one
	Calls   int          `json:"storageCalls"`
	// Attributed says how it is known to which requests the calls belong.
	Attributed  wire.Attribution `json:"attribution"`
	Duration    time.Duration    `json:"durationNs"` // of the scenarios, without the store's start
	Interrupted bool             `json:"interrupted,omitempty"`
}

// RuleCounts and ScenarioCounts tell how many ended how.
func (r *Result) RuleCounts() map[Outcome]int {
	counts := map[Outcome]int{}
	for _, rule := range r.Rules {
		counts[rule.Outcome]++
	}
	return counts
}

// ScenarioCounts tells how many scenarios ended how.
func (r *Result) ScenarioCounts() map[Outcome]int {
	counts := map[Outcome]int{}
	for _, rule := range r.Rules {
		for _, result := range rule.Results {
			counts[result.Outcome]++
		}
	}
	return counts
}

// Cases sums up the families of cases of all scenarios, by kind.
func (r *Result) Cases() []steps.CaseSummary {
	sums := map[string]steps.CaseSummary{}
	for _, rule := range r.Rules {
		for _, result := range rule.Results {
			for _, c := range result.Cases {
				sums[c.Kind] = sums[c.Kind].Plus(c)
			}
		}
	}
	var list []steps.CaseSummary
	for _, kind := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, sums[kind])
	}
	return list
}

// Verdict is the worst outcome that counts: Skipped when nothing was judged, Unfinished when the run
// was interrupted and nothing worse is known. What the design calls preferred or optional counts only
// when strict is set; budgets do not when budgetsWarn is set.
func (r *Result) Verdict(strict, budgetsWarn bool) Outcome {
	worst := Skipped
	if r.Interrupted {
		worst = Unfinished
	}
	for _, rule := range r.Rules {
		lowered := func(outcome Outcome) bool {
			return outcome == OverBudget && budgetsWarn ||
				outcome != Errored && outcome != Fixed && outcome != Skipped && rule.Severity == "SHOULD" && !strict
		}
		if !lowered(rule.Outcome) {
			worst = Worse(worst, rule.Outcome)
			continue
		}
		worst = Worse(worst, Passed)
		for _, result := range rule.Results { // what does not count must not hide what does
			if !lowered(result.Outcome) {
				worst = Worse(worst, result.Outcome)
			}
		}
	}
	return worst
}

// order is how bad an outcome is for a rule. A rule of which one scenario was skipped and another
// passed has passed.
var order = map[Outcome]int{Skipped: 0, Passed: 1, KnownFailing: 2, Unfinished: 3, Fixed: 4, OverBudget: 5, Failed: 6, Errored: 7}

// Known reports whether it is one of the outcomes.
func (o Outcome) Known() bool {
	_, known := order[o]
	return known
}

// Worse is the worse of two outcomes.
func Worse(a, b Outcome) Outcome {
	if order[b] > order[a] {
		return b
	}
	return a
}

// byRule puts the results of scenarios under the catalogue's rules, in its order. Rules without a
// result were not selected and are left out; after an interruption, one that lacks results is
// unfinished at best.
func byRule(rules []Rule, results []ScenarioResult, interrupted bool) []RuleResult {
	var list []RuleResult
	for _, rule := range rules {
		found := RuleResult{Rule: rule, Outcome: Skipped}
		for _, scenario := range rule.Scenarios {
			for _, result := range results {
				if result.Rule == rule.ID && result.File == scenario.File && result.Line == scenario.Line {
					found.Results = append(found.Results, result)
					found.Outcome = Worse(found.Outcome, result.Outcome)
				}
			}
		}
		if interrupted && len(found.Results) < len(rule.Scenarios) {
			found.Outcome = Worse(found.Outcome, Unfinished)
		}
		if len(found.Results) > 0 {
			list = append(list, found)
		}
	}
	return list
}
