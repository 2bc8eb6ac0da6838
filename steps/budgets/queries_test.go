package budgets

import (
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

func TestARangeMayBeginAnywhereBetweenTwoKeys(t *testing.T) {
	want := []string{"GSI1 | ana | between 2023-12-11..2024-01-10# and 2024-01-31", "GSI1 | ben | begins_with 2024"}
	for _, test := range []struct {
		from, to string
		allowed  bool
	}{
		{"2023-12-11", "2024-01-31", true},
		{"2024-01-01", "2024-01-31", true},
		{"2024-01-10#", "2024-01-31", true},
		{"2023-12-10", "2024-01-31", false},
		{"2024-01-11", "2024-01-31", false},
		{"2024-01-01", "2024-02-01", false},
	} {
		call := wire.Call{Index: "GSI1", Key: []string{"ana"},
			Range: &wire.Range{Operator: "between", From: test.from, To: test.to}}
		if got := askedBy(call, anyBeginning(want)); (got == want[0]) != test.allowed {
			t.Errorf("from %s to %s: %s", test.from, test.to, got)
		}
	}
}
