package scenario

import (
	"errors"
	"testing"

	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// The second run counts if it explains the first; what nothing explains is unclear.
func TestConfirm(t *testing.T) {
	upsert := azure.Completed(wire.Call{Service: azure.Table, Class: azure.Upsert, Resource: "Log", Status: 204})
	own, forgotten, traced := upsert, upsert, upsert
	own.Key, forgotten.Forgotten, traced.ByTrace = []string{"tag45678", "1"}, true, true
	over := func(c wire.Call) error {
		return &budget.Budget{Sent: "POST /x", Calls: []wire.Call{c}, Odd: []int{0}}
	}
	other := errors.New("POST /x answered 500, not 200")
	for _, test := range []struct {
		name          string
		first, second error
		background    bool
		want          string
	}{
		{"the same again", over(upsert), over(upsert), false, "second"},
		{"a call of an earlier scenario, on a server that works on after answers", over(upsert), nil, true, "passed"},
		{"a call that came only once, on a server that does not", over(upsert), nil, false, "unclear"},
		{"a call on a row of this scenario, which came only once", over(own), nil, true, "unclear"},
		{"a call with the trace of an earlier scenario", over(forgotten), nil, false, "passed"},
		{"too few calls, and then all", &budget.Budget{Sent: "POST /x"}, nil, false, "passed"},
		{"something else", over(upsert), other, true, "unclear"},
		{"late calls that the first run missed", nil, over(upsert), true, "second"},
		{"passed, and then something else", nil, other, true, "unclear"},
		{"passed twice", nil, nil, true, "passed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(&Stage{}, "tag45678")
			got, err := "passed", w.Confirm(test.first, nil, newWorld(&Stage{}, ""), test.second, test.background)
			switch {
			case errors.As(err, new(*UnclearError)):
				got = "unclear"
			case err != nil && errors.Is(err, test.second):
				got = "second"
			}
			if got != test.want {
				t.Errorf("%v, which is %s, not %s", err, got, test.want)
			}
		})
	}
	for want, err := range map[bool]error{true: over(upsert), false: over(traced)} {
		if got := Doubtful(err); got != want {
			t.Errorf("%v is doubtful: %t, not %t", err, got, want)
		}
	}
	if !Doubtful(RestsOn(errors.New("it wrote"), upsert)) || Doubtful(other) {
		t.Error("only a failure by calls is doubtful")
	}
}

// A call that came to the wrong request of a scenario is explained by one more of another in the second run.
func TestDisplacedCalls(t *testing.T) {
	upsert := azure.Completed(wire.Call{Service: azure.Table, Class: azure.Upsert, Resource: "Log", Status: 204})
	read := azure.Completed(wire.Call{Service: azure.Table, Class: azure.PointRead, Resource: "Log", Status: 200})
	for _, test := range []struct {
		name        string
		seen, again []Exchange
		want        bool
	}{
		{"it came to the other", []Exchange{{}, {Calls: []wire.Call{upsert}}},
			[]Exchange{{Calls: []wire.Call{upsert}}, {}}, true},
		{"it came once more", []Exchange{{Calls: []wire.Call{upsert}}, {Calls: []wire.Call{upsert}}},
			[]Exchange{{Calls: []wire.Call{upsert}}, {}}, false},
		{"something else came", []Exchange{{}, {Calls: []wire.Call{upsert}}},
			[]Exchange{{Calls: []wire.Call{read}}, {}}, false},
		{"nothing is known of the first run", nil, []Exchange{{Calls: []wire.Call{upsert}}}, false},
	} {
		if got := displaced(upsert, test.seen, test.again); got != test.want {
			t.Errorf("%s: %t, not %t", test.name, got, test.want)
		}
	}
}
