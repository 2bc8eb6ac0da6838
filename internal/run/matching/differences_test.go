package matching

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDifferencesOfAnError(t *testing.T) {
	status := Placed(Matches("removed", "active", nil), "%s of the row GroupMembers g / k", "status")
	time := Placed(Matches(Missing{}, "a time", nil), "joinedAt")
	err := fmt.Errorf("row 2: %w", errors.Join(status, errors.New("something else"), time))
	want := []Difference{
		{Where: "status of the row GroupMembers g / k", Expected: "active", Seen: `"removed"`},
		{Where: "joinedAt", Expected: "a UTC time like 2026-01-31T12:00:00Z", Seen: "absent"},
	}
	if diff := cmp.Diff(want, Differences(err), cmpopts.IgnoreUnexported(Difference{})); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	if want := `row 2: status of the row GroupMembers g / k is "removed", not active`; !strings.HasPrefix(err.Error(),
		want) {
		t.Errorf("the message is %q, not %q", err, want)
	}
	if got := Differences(errors.New("the store is gone")); got != nil {
		t.Errorf("differences %v of an error that has none", got)
	}
}
