package verify

import (
	"errors"
	"testing"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/steps"
)

func TestRulesTakeTheWorstOutcome(t *testing.T) {
	rules := []Rule{
		{ID: "A-A-1", Severity: "MUST", Scenarios: []Scenario{{File: "f", Line: 1}, {File: "f", Line: 2}}},
		{ID: "A-A-2", Severity: "MUST", Scenarios: []Scenario{{File: "f", Line: 3}}},
		{ID: "A-A-3", Severity: "MUST", Scenarios: []Scenario{{File: "f", Line: 4}}},
	}
	scenario := func(rule string, line int, outcome Outcome) ScenarioResult {
		return ScenarioResult{Rule: rule, File: "f", Line: line, Outcome: outcome}
	}
	got := byRule(rules, []ScenarioResult{
		scenario("A-A-2", 3, Skipped), scenario("A-A-1", 2, OverBudget), scenario("A-A-1", 1, Passed),
	})
	if len(got) != 2 || got[0].Outcome != OverBudget || got[1].Outcome != Skipped {
		t.Fatalf("rules %+v", got)
	}
	if got[0].Results[0].Line != 1 {
		t.Error("scenarios are not in the order of the file")
	}
}

func TestVerdict(t *testing.T) {
	rule := func(severity string, outcome Outcome) RuleResult {
		return RuleResult{Rule: Rule{Severity: severity}, Outcome: outcome}
	}
	tests := []struct {
		name         string
		rules        []RuleResult
		strict, warn bool
		want         Outcome
	}{
		{"all passed", []RuleResult{rule("MUST", Passed), rule("MUST", Skipped)}, false, false, Passed},
		{"over budget", []RuleResult{rule("MUST", OverBudget)}, false, false, OverBudget},
		{"over budget, lowered", []RuleResult{rule("MUST", OverBudget)}, false, true, Passed},
		{"failed, budgets lowered", []RuleResult{rule("MUST", OverBudget), rule("MUST", Failed)}, false, true, Failed},
		{"a SHOULD failed", []RuleResult{rule("SHOULD", Failed)}, false, false, Passed},
		{"a SHOULD failed, strict", []RuleResult{rule("SHOULD", Failed)}, true, false, Failed},
		{"a SHOULD could not be judged", []RuleResult{rule("SHOULD", Errored)}, false, false, Errored},
		{"error before failed", []RuleResult{rule("MUST", Failed), rule("MUST", Errored)}, false, false, Errored},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (&Result{Rules: test.rules}).Verdict(test.strict, test.warn); got != test.want {
				t.Errorf("verdict %q, want %q", got, test.want)
			}
		})
	}
}

func TestConcludeHidesNothingBehindABudget(t *testing.T) {
	budget, step, after := &steps.BudgetError{}, errors.New("step"), errors.New("after")
	for name, c := range map[string]struct{ step, finished, want error }{
		"neither":                         {nil, nil, nil},
		"the step's own failure":          {step, after, step},
		"what holds after every scenario": {nil, after, after},
		"a broken budget":                 {budget, nil, budget},
		"behind a broken budget":          {budget, after, after},
		"a scenario that was skipped":     {godog.ErrSkip, after, godog.ErrSkip},
	} {
		t.Run(name, func(t *testing.T) {
			if got := conclude(c.step, c.finished); !errors.Is(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
