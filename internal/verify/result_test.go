package verify

import (
	"errors"
	"strings"
	"testing"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
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
	}, false)
	if len(got) != 2 || got[0].Outcome != OverBudget || got[1].Outcome != Skipped {
		t.Fatalf("rules %+v", got)
	}
	if got[0].Results[0].Line != 1 {
		t.Error("scenarios are not in the order of the file")
	}
}

func TestAnInterruptedRuleIsUnfinished(t *testing.T) {
	rules := []Rule{{ID: "A-A-1", Severity: "MUST", Scenarios: []Scenario{{File: "f", Line: 1}, {File: "f", Line: 2}}}}
	for outcome, want := range map[Outcome]Outcome{Passed: Unfinished, Skipped: Unfinished, Failed: Failed} {
		got := byRule(rules, []ScenarioResult{{Rule: "A-A-1", File: "f", Line: 1, Outcome: outcome}}, true)
		if got[0].Outcome != want {
			t.Errorf("%s and not run: %s, want %s", outcome, got[0].Outcome, want)
		}
	}
	whole := []ScenarioResult{{Rule: "A-A-1", File: "f", Line: 1, Outcome: Passed},
		{Rule: "A-A-1", File: "f", Line: 2, Outcome: Passed}}
	if got := byRule(rules, whole, true); got[0].Outcome != Passed {
		t.Errorf("a rule that ran whole is %s", got[0].Outcome)
	}
	if got := (&Result{Interrupted: true, Rules: byRule(rules, whole, true)}).Verdict(false, false); got != Unfinished {
		t.Errorf("the verdict of an interrupted run is %s", got)
	}
}

func TestVerdict(t *testing.T) {
	rule := func(severity string, outcome Outcome, scenarios ...Outcome) RuleResult {
		r := RuleResult{Rule: Rule{Severity: severity}, Outcome: outcome}
		for _, one := range scenarios {
			r.Results = append(r.Results, ScenarioResult{Outcome: one})
		}
		return r
	}
	tests := []struct {
		name         string
		rules        []RuleResult
		strict, warn bool
		want         Outcome
	}{
		{"all passed", []RuleResult{rule("MUST", Passed), rule("MUST", Skipped)}, false, false, Passed},
		{"nothing", nil, false, false, Skipped},
		{"all skipped", []RuleResult{rule("MUST", Skipped), rule("SHOULD", Skipped)}, false, false, Skipped},
		{"over budget", []RuleResult{rule("MUST", OverBudget)}, false, false, OverBudget},
		{"over budget, lowered", []RuleResult{rule("MUST", OverBudget)}, false, true, Passed},
		{"failed, budgets lowered", []RuleResult{rule("MUST", OverBudget), rule("MUST", Failed)}, false, true, Failed},
		{"a SHOULD failed", []RuleResult{rule("SHOULD", Failed)}, false, false, Passed},
		{"a SHOULD failed, strict", []RuleResult{rule("SHOULD", Failed)}, true, false, Failed},
		{"a SHOULD could not be judged", []RuleResult{rule("SHOULD", Errored)}, false, false, Errored},
		{"fixed next to over budget, lowered", []RuleResult{rule("MUST", OverBudget, Fixed, OverBudget)}, false, true,
			Fixed},
		{"fixed next to failed in a SHOULD", []RuleResult{rule("SHOULD", Failed, Failed, Fixed)}, false, false, Fixed},
		{"known next to over budget, lowered", []RuleResult{rule("MUST", OverBudget, OverBudget, KnownFailing,
			Skipped)},
			false, true, KnownFailing},
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

func TestScrubReachesOperationsOfTransactions(t *testing.T) {
	shared := []wire.Call{{Key: []string{"kept", "secret"}}}
	result := ScenarioResult{Requests: []scenario.Exchange{{Path: "/secret",
		Calls: []wire.Call{{Key: []string{"secret"}, Inner: shared}}}}}
	clean := func(text string) string { return strings.ReplaceAll(text, "secret", "…") }
	result.scrub(clean, clean, errors.New("a secret"))
	got := result.Requests[0]
	if inner := got.Calls[0].Inner[0]; got.Path != "/…" || got.Calls[0].Key[0] != "…" || inner.Key[1] != "…" ||
		inner.Key[0] != "kept" || result.Reason != "a …" {
		t.Errorf("secrets are left in %+v", result)
	}
	if shared[0].Key[1] != "secret" {
		t.Error("the recorder's own calls were changed")
	}
}

// A rule about large texts would otherwise write megabytes into every report.
func TestMessagesAreAbridged(t *testing.T) {
	same := func(text string) string { return text }
	large := strings.Repeat("x", 1_000_000)
	var result ScenarioResult
	result.scrub(same, same, matching.Differ("the text", "absent", large, "the text is "+large+", not absent"))
	if got := result.Reason; len(got) > 2000 || !strings.HasSuffix(got, "x, not absent") {
		t.Errorf("%d bytes that end with %q", len(got), got[max(0, len(got)-20):])
	}
	if got := result.Differences[0].Seen; len(got) > 2000 {
		t.Errorf("a difference has %d bytes", len(got))
	}
}

func TestConcludeHidesNothingBehindABudget(t *testing.T) {
	budget, step, after := &budget.Budget{}, errors.New("step"), errors.New("after")
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
