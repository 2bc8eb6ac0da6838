package verify

import (
	"errors"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
)

func TestABrokenContractDoesNotHideABrokenBudget(t *testing.T) {
	over := &budget.Budget{Sent: "GET /notes", Odd: []int{0}}
	contract := errors.New("GET /notes answered 200 against its contract: notes must be a list")
	both := conclude(over, contract)
	if got := judge(both); got != Failed {
		t.Errorf("the outcome is %s, not %s", got, Failed)
	}
	for _, want := range []string{contract.Error(), "over budget: the storage calls of GET /notes"} {
		if !strings.Contains(both.Error(), want) {
			t.Errorf("%q does not say %q", both, want)
		}
	}
	for want, err := range map[Outcome]error{
		OverBudget: over,
		Unclear:    &scenario.UnclearError{First: over},
	} {
		if got := judge(conclude(err, nil)); got != want {
			t.Errorf("%v is %s, not %s", err, got, want)
		}
	}
	if got := judge(&scenario.UnclearError{First: both}); got != Unclear {
		t.Errorf("what only one of two runs broke is %s, not %s", got, Unclear)
	}
}
