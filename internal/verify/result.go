package verify

import (
	"time"

	"github.com/storespec/storespec/steps"
)

// Outcome is what became of a scenario or a rule.
type Outcome string

// The outcomes, from best to worst.
const (
	Passed     Outcome = "passed"
	Skipped    Outcome = "skipped" // with a reason; never counted as passed
	OverBudget Outcome = "over budget"
	Failed     Outcome = "failed"
	Errored    Outcome = "error" // the harness, the store or the target's start is at fault
)

// ScenarioResult is what became of one scenario.
type ScenarioResult struct {
	Rule     string           `json:"rule"`
	Name     string           `json:"name"`
	File     string           `json:"file"`
	Line     int              `json:"line"`
	Outcome  Outcome          `json:"outcome"`
	Step     string           `json:"step,omitempty"`   // the step that did not pass
	Reason   string           `json:"reason,omitempty"` // why; without secrets
	Requests []steps.Exchange `json:"requests,omitempty"`
	Duration time.Duration    `json:"durationNs"`
}

// RuleResult is what became of one rule: the worst of its scenarios.
type RuleResult struct {
	Rule
	Outcome Outcome          `json:"outcome"`
	Results []ScenarioResult `json:"results"`
}

// Result is what became of a run.
type Result struct {
	Target      string        `json:"target"`
	Store       string        `json:"store"`
	Version     string        `json:"storeVersion"`
	Lanes       int           `json:"lanes"`
	Rules       []RuleResult  `json:"rules"`
	Calls       int           `json:"storageCalls"`
	Duration    time.Duration `json:"durationNs"` // of the scenarios, without the store's start
	Interrupted bool          `json:"interrupted,omitempty"`
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

// Verdict is the worst outcome that counts. What the design calls preferred or optional counts only
// when strict is set; budgets do not when budgetsWarn is set.
func (r *Result) Verdict(strict, budgetsWarn bool) Outcome {
	worst := Passed
	for _, rule := range r.Rules {
		switch {
		case rule.Outcome == Skipped,
			rule.Outcome == OverBudget && budgetsWarn,
			rule.Outcome != Errored && rule.Severity == "SHOULD" && !strict:
			continue
		}
		worst = worse(worst, rule.Outcome)
	}
	return worst
}

// order is how bad an outcome is for a rule. A rule of which one scenario was skipped and another
// passed has passed.
var order = map[Outcome]int{Skipped: 0, Passed: 1, OverBudget: 2, Failed: 3, Errored: 4}

func worse(a, b Outcome) Outcome {
	if order[b] > order[a] {
		return b
	}
	return a
}

// byRule puts the results of scenarios under the catalogue's rules, in its order. Rules without a
// result were not selected and are left out.
func byRule(rules []Rule, results []ScenarioResult) []RuleResult {
	var list []RuleResult
	for _, rule := range rules {
		found := RuleResult{Rule: rule, Outcome: Skipped}
		for _, scenario := range rule.Scenarios {
			for _, result := range results {
				if result.Rule == rule.ID && result.File == scenario.File && result.Line == scenario.Line {
					found.Results = append(found.Results, result)
					found.Outcome = worse(found.Outcome, result.Outcome)
				}
			}
		}
		if len(found.Results) > 0 {
			list = append(list, found)
		}
	}
	return list
}
