package mutant

import (
	"testing"

	"github.com/storespec/storespec/internal/verify"
)

// ran is a run in which the scenarios of the rule of a mutant, and those of another rule, had these outcomes.
func ran(own, others []verify.Outcome) *verify.Result {
	rule := func(id string, outcomes []verify.Outcome) verify.RuleResult {
		r := verify.RuleResult{Rule: verify.Rule{ID: id}, Outcome: verify.Skipped}
		for _, outcome := range outcomes {
			r.Results = append(r.Results, verify.ScenarioResult{Rule: id, Name: "s", Outcome: outcome, Reason: "why"})
			r.Outcome = verify.Worse(r.Outcome, outcome)
		}
		return r
	}
	return &verify.Result{Rules: []verify.RuleResult{rule("X-A-1", own), rule("X-A-2", others)}}
}

func TestWhatAScenarioSaysOfAMutant(t *testing.T) {
	type outcomes = []verify.Outcome
	passed := outcomes{verify.Passed}
	for _, test := range []struct {
		name        string
		own, others outcomes
		want        Verdict
	}{
		{"it failed", outcomes{verify.Skipped, verify.Failed}, passed, Killed},
		{"over budget", outcomes{verify.OverBudget}, passed, Killed},
		{"it could not be prepared", outcomes{verify.NotPrepared}, passed, Killed},
		{"it passed", outcomes{verify.Skipped, verify.Passed}, passed, Survived},
		{"only another rule noticed", passed, outcomes{verify.Failed}, KilledByOthers},
		{"all were skipped", outcomes{verify.Skipped, verify.Skipped}, passed, NotJudged},
		{"all were skipped, and another rule noticed", outcomes{verify.Skipped}, outcomes{verify.Failed}, NotJudged},
		{"none could be judged", outcomes{verify.Skipped, verify.Errored}, passed, NotJudged},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := Result{Patch: Patch{Rule: "X-A-1"}}
			err := result.read(ran(test.own, test.others), nil)
			if err != nil || result.Verdict != test.want {
				t.Errorf("%s, %v; want %s", result.Verdict, err, test.want)
			}
			if (result.Err != nil) != (test.want == NotJudged) {
				t.Errorf("the reason is %v", result.Err)
			}
			matrix := Matrix{Mutants: []Result{result}}
			if matrix.Complete() != (test.want == Killed) {
				t.Errorf("complete: %t", matrix.Complete())
			}
		})
	}
}

// The unmutated server starts wherever a scenario starts it again.
func TestWhoCannotStartTheServerAnewHasNoticed(t *testing.T) {
	for _, unstarted := range []bool{false, true} {
		rule := verify.RuleResult{Results: []verify.ScenarioResult{{Outcome: verify.Errored, Unstarted: unstarted}}}
		if kill := Killing(rule); (kill != nil) != unstarted {
			t.Errorf("unstarted: %t: %+v", unstarted, kill)
		}
	}
}
