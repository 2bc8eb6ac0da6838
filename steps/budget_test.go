package steps

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

func TestAllowanceCovers(t *testing.T) {
	session := wire.Call{Service: wire.Blob, Class: wire.Read, Resource: "state", Blob: "familyscheduler/sessions/s-1.json"}
	update := wire.Call{Service: wire.Table, Class: wire.Update, Resource: "Groups", Partition: "group", Row: "g1"}
	move := wire.Call{Service: wire.Table, Class: wire.Transaction, Inner: []wire.Call{
		{Class: wire.Delete, Resource: "AppointmentsIndex"}, {Class: wire.Insert, Resource: "AppointmentsIndex"}}}
	tests := []struct {
		name string
		a    Allowance
		call wire.Call
		want bool
	}{
		{"a part of a blob's path", Allowance{Service: wire.Blob, Call: "read", On: "sessions"}, session, true},
		{"a container", Allowance{Service: wire.Blob, Call: "read", On: "state"}, session, true},
		{"a pattern", Allowance{Service: wire.Blob, Call: "read", On: "s-*.json"}, session, true},
		{"half a part is none", Allowance{Service: wire.Blob, Call: "read", On: "session"}, session, false},
		{"another class", Allowance{Service: wire.Blob, Call: "write", On: "sessions"}, session, false},
		{"another service", Allowance{Service: wire.Table, Call: "write", On: "sessions"}, session, false},
		{"an alternative", Allowance{Service: wire.Table, Call: "merge or update", On: "Groups"}, update, true},
		{"any write of one entity", Allowance{Service: wire.Table, Call: "write", On: "Groups"}, update, true},
		{"another table", Allowance{Service: wire.Table, Call: "write", On: "UserGroups"}, update, false},
		{"a transaction is no write of one entity", Allowance{Service: wire.Table, Call: "write", On: "AppointmentsIndex"}, move, false},
		{"a transaction by its operations' table", Allowance{Service: wire.Table, Call: "transaction", On: "AppointmentsIndex"}, move, true},
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
	for _, a := range []Allowance{{Service: "tables", Call: "insert"}, {Service: wire.Table, Call: "point-read"}, {Service: wire.Blob, Call: "read or insert"}, {Service: wire.Table, Call: ""}} {
		if a.check() == nil {
			t.Errorf("%+v was accepted", a)
		}
	}
}

func TestUseTakesEachAllowanceUp(t *testing.T) {
	read := wire.Call{Service: wire.Table, Class: wire.PointRead, Resource: "Groups"}
	allowed := []Allowance{{Service: wire.Table, Call: "point read", On: "Groups", Count: 2}}
	for i, want := range []bool{true, true, false} {
		if got := use(allowed, read); got != want {
			t.Errorf("read %d: %t, want %t", i+1, got, want)
		}
	}
	broken := BudgetError{Request: "GET /x", Allowed: allowed, Calls: []wire.Call{read, read, read}, Odd: []int{2}}
	text := broken.Error()
	for _, want := range []string{"over budget", "GET /x", "table point read on Groups: 2, seen 2", " → table point read on Groups: no answer"} {
		if !strings.Contains(text, want) {
			t.Errorf("message %q lacks %q", text, want)
		}
	}
	if strings.Count(text, "→") != 1 {
		t.Errorf("message %q marks other calls than the odd one", text)
	}
}
