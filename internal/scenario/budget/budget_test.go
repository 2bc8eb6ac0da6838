package budget

import (
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func TestAllowanceCovers(t *testing.T) {
	session := azure.Completed(wire.Call{Service: azure.Blob, Class: azure.Read, Resource: "state",
		Key: []string{"familyscheduler/sessions/s-1.json"}})
	update := azure.Completed(wire.Call{Service: azure.Table, Class: azure.Update, Resource: "Groups",
		Key: []string{"group", "g1"}})
	move := azure.Completed(wire.Call{Service: azure.Table, Class: azure.Transaction, Inner: []wire.Call{
		{Class: azure.Delete, Resource: "AppointmentsIndex"}, {Class: azure.Insert, Resource: "AppointmentsIndex"}}})
	tests := []struct {
		name string
		a    Allowance
		call wire.Call
		want bool
	}{
		{"a part of a blob's path", Allowance{Service: azure.Blob, Call: "read", On: "sessions"}, session, true},
		{"a container", Allowance{Service: azure.Blob, Call: "read", On: "state"}, session, true},
		{"a pattern", Allowance{Service: azure.Blob, Call: "read", On: "s-*.json"}, session, true},
		{"half a part does not count", Allowance{Service: azure.Blob, Call: "read", On: "session"}, session, false},
		{"another class", Allowance{Service: azure.Blob, Call: "write", On: "sessions"}, session, false},
		{"another service", Allowance{Service: azure.Table, Call: "write", On: "sessions"}, session, false},
		{"an alternative", Allowance{Service: azure.Table, Call: "merge or update", On: "Groups"}, update, true},
		{"any write of one entity", Allowance{Service: azure.Table, Call: "write", On: "Groups"}, update, true},
		{"another table", Allowance{Service: azure.Table, Call: "write", On: "UserGroups"}, update, false},
		{"a transaction is not a write of one entity",
			Allowance{Service: azure.Table, Call: "write", On: "AppointmentsIndex"}, move, false},
		{"a transaction by its operations' table",
			Allowance{Service: azure.Table, Call: "transaction", On: "AppointmentsIndex"}, move, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.a.Covers(test.call); got != test.want {
				t.Errorf("covers = %t, want %t", got, test.want)
			}
		})
	}
}

func TestAllowanceCheckRefusesWhatMatchesNothing(t *testing.T) {
	for _, a := range []Allowance{{Service: "tables", Call: "insert"}, {Service: azure.Table, Call: "point-read"},
		{Service: azure.Blob, Call: "read or insert"}, {Service: azure.Table, Call: ""}} {
		if a.Check() == nil {
			t.Errorf("%+v was accepted", a)
		}
	}
}

func TestJudgeTakesEachAllowanceUp(t *testing.T) {
	read := azure.Completed(wire.Call{Service: azure.Table, Class: azure.PointRead, Resource: "Groups"})
	allowed := []Allowance{{Service: azure.Table, Call: "point read", On: "Groups", Count: 2}}
	if odd := Judge(allowed, []wire.Call{read, read, read}, ""); !slices.Equal(odd, []int{2}) {
		t.Errorf("too many are %v, not the last", odd)
	}
	broken := Budget{Sent: "GET /x", Allowed: allowed, Calls: []wire.Call{read, read, read}, Odd: []int{2}}
	text := broken.Error()
	for _, want := range []string{"over budget", "GET /x", "table point read on Groups: 2, seen 3",
		" → table point read on Groups: no answer"} {
		if !strings.Contains(text, want) {
			t.Errorf("message %q lacks %q", text, want)
		}
	}
	if strings.Count(text, "→") != 1 {
		t.Errorf("message %q marks other calls than the odd one", text)
	}
}

func TestABudgetOfAMisspeltTableSaysSo(t *testing.T) {
	read := azure.Completed(wire.Call{Service: azure.Table, Class: azure.PointRead, Resource: "Groups"})
	for on, want := range map[string]string{
		"groups": "hint: no call is on \"groups\"; did you mean Groups?", "Group": "did you mean Groups?",
		"UserGroups": "", "Groups": "",
	} {
		broken := Budget{Sent: "GET /x", Allowed: []Allowance{{Service: azure.Table, Call: "update", On: on}},
			Calls: []wire.Call{read}, Odd: []int{0}}
		if text := broken.Error(); !strings.Contains(text, want) || (want == "") == strings.Contains(text, "hint") {
			t.Errorf("a budget on %s: %q, want %q", on, text, want)
		}
	}
}
