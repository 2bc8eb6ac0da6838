package report

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// filled is a run of three filled examples: all stand in one line, and two could not be prepared, each for a reason of
// its own, which a scenario of the next rule shares with the second.
func filled() events.Run {
	list := []verify.ScenarioResult{
		judged("Ben calls GET /a", verify.NotPrepared, "there is no /groups"),
		judged("Ben calls GET /b", verify.NotPrepared, "there is no /lists"),
		judged("Ben calls GET /c", verify.Passed, ""),
	}
	gate := rule("FS-GATE-1", "MUST", "It is gated", list...)
	for i := range gate.Results {
		gate.Results[i].Line = 12
		gate.Scenarios = append(gate.Scenarios, verify.Scenario{Name: list[i].Name, Line: 12})
	}
	next := rule("FS-GRP-1", "MUST", "It is listed", judged("a list", verify.NotPrepared, "there is no /lists"))
	return events.Run{System: "familyscheduler", Result: &verify.Result{Target: "t", Store: "azurite",
		Rules: []verify.RuleResult{gate, next}}}
}

func TestFilledExamplesAreToldApart(t *testing.T) {
	text := written(t, filled(), Options{}, Look{})
	for _, want := range []string{
		"  familyscheduler/gating.feature:12 Ben calls GET /a: not prepared\n",
		"  familyscheduler/gating.feature:12 Ben calls GET /b: not prepared\n",
		"  1 scenario not prepared, for the reason at familyscheduler/gating.feature:12 \"Ben calls GET /b\"\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	var b strings.Builder
	if err := GitHub(&b, of(Options{}, "", filled())); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"::Ben calls GET /a%0Athere is no /groups%0A1 scenario could not",
		"::Ben calls GET /b%0Athere is no /lists%0A2 scenarios could not"} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("%q is not once in\n%s", want, b.String())
		}
	}
	if n := strings.Count(b.String(), "\n"); n != 2 {
		t.Errorf("there are %d annotations, not 2:\n%s", n, b.String())
	}
}
