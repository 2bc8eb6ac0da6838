package budget

import (
	"slices"
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func TestJudgeAddsUpCapacity(t *testing.T) {
	query := func(units float64) wire.Call {
		return wire.Call{Service: "dynamodb", Class: "query", Effect: wire.Reads, Breadth: wire.Some, Resource: "Notes",
			Index: "byOwner", Parts: []string{"partition", "sort"}, Key: []string{"ana"}, Status: 200, Capacity: &units}
	}
	capacity := 2.0
	calls := []wire.Call{query(0.5), query(4), query(1)}
	allowed := []Allowance{{Service: "dynamodb", Call: "query or page", On: "Notes/byOwner", Count: 3,
		Capacity: &capacity}}
	if odd := Judge(allowed, calls, ""); !slices.Equal(odd, []int{1}) || allowed[0].Units != 5.5 {
		t.Errorf("too dear are %v; %g units", odd, allowed[0].Units)
	}
	if _, some := Unmetered(allowed, calls); some || Units(calls) != 5.5 {
		t.Errorf("%g units", Units(calls))
	}
	calls[0].Capacity = nil
	if call, some := Unmetered(allowed, calls); !some || call.Capacity != nil {
		t.Error("a call without a figure is not found")
	}
}

func TestJudgeMarksTheCallThatNothingExplains(t *testing.T) {
	point := func(on string, key ...string) wire.Call {
		return azure.Completed(wire.Call{Service: azure.Table, Class: azure.PointRead, Resource: on, Key: key,
			Status: 200})
	}
	query := azure.Completed(wire.Call{Service: azure.Table, Class: azure.PartitionQuery, Resource: "Orders",
		Key: []string{"ana"}, Status: 200, Entities: 3})
	one := func(on string, count int) Allowance {
		return Allowance{Service: azure.Table, Call: "point read", On: on, Count: count}
	}
	tests := []struct {
		name    string
		allowed []Allowance
		calls   []wire.Call
		request string
		odd     []int
		used    []int
		each    []string
	}{
		{"the second of two reads of one row, though a read of another follows", []Allowance{one("Stock", 2)},
			[]wire.Call{point("Stock", "a", "1"), point("Stock", "a", "1"), point("Stock", "a", "2")}, "",
			[]int{1}, []int{3}, nil},
		{"a row that the request does not name", []Allowance{one("Groups", 1)},
			[]wire.Call{point("Groups", "group", "grp-other"), point("Groups", "group", "grp-mine")},
			"/group?id=grp-mine", []int{0}, []int{2}, nil},
		{"a row that no other call names", []Allowance{one("Members", 1), one("Groups", 1)},
			[]wire.Call{point("Members", "grp-other", "ana"), point("Members", "grp-mine", "ana"),
				point("Groups", "group", "grp-mine")}, "", []int{0}, []int{2, 1}, nil},
		{"a call of a kind that is not allowed at all", []Allowance{one("Groups", 1)},
			[]wire.Call{point("Stock", "a", "1"), point("Groups", "group", "grp-mine")}, "", []int{0}, []int{1}, nil},
		{"one read for each item that a query found",
			[]Allowance{{Service: azure.Table, Call: "partition query", On: "Orders", Count: 1}, one("Stock", 1)},
			[]wire.Call{query, point("Stock", "s", "aaa"), point("Stock", "s", "bbb"), point("Stock", "s", "ccc")}, "",
			[]int{2, 3}, []int{1, 3}, []string{"+1 point read on Stock per item: a query before found 3"}},
		{"as many reads as items, but before the query", []Allowance{one("Stock", 0)},
			[]wire.Call{point("Stock", "s", "a"), point("Stock", "s", "b"), point("Stock", "s", "c"), query}, "",
			[]int{0, 1, 2, 3}, []int{3}, nil},
		{"the same row as often as there are items", []Allowance{one("Stock", 1),
			{Service: azure.Table, Call: "partition query", On: "Orders", Count: 1}},
			[]wire.Call{query, point("Stock", "s", "a"), point("Stock", "s", "a"), point("Stock", "s", "a")}, "",
			[]int{2, 3}, []int{3, 1}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if odd := Judge(test.allowed, test.calls, test.request); !slices.Equal(odd, test.odd) {
				t.Errorf("too many are %v, not %v", odd, test.odd)
			}
			for i, want := range test.used {
				if got := test.allowed[i].Used; got != want {
					t.Errorf("line %d: %d used, not %d", i, got, want)
				}
			}
			if each := Each(test.calls, test.odd); !slices.Equal(each, test.each) {
				t.Errorf("laws %q, not %q", each, test.each)
			}
		})
	}
}
