package budgets

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// What a query has returned is shown, since a server that stops at a short page has made the right call.
func TestDescribeTellsWhatAQueryBrought(t *testing.T) {
	for want, call := range map[string]wire.Call{
		"table partition query on Notes ana: 200, 2 found": {Service: azure.Table,
			Class: azure.PartitionQuery, Resource: "Notes", Key: []string{"ana"}, Status: 200, Entities: 2},
		"table page on Notes ana: 200, 0 found, more to come": {Service: azure.Table,
			Class: azure.Page, Resource: "Notes", Key: []string{"ana"}, Status: 200, More: true},
		"table partition query on Notes ana: 200": {Service: azure.Table,
			Class: azure.PartitionQuery, Resource: "Notes", Key: []string{"ana"}, Status: 200,
			Entities: wire.EntitiesUnknown},
		"table partition query on Notes ana: 503 after 4 attempts": {Service: azure.Table,
			Class: azure.PartitionQuery, Resource: "Notes", Key: []string{"ana"}, Status: 503, Attempts: 4},
		"table point read on Notes ana / milk: 200": {Service: azure.Table,
			Class: azure.PointRead, Resource: "Notes", Key: []string{"ana", "milk"}, Status: 200, Entities: 1},
		"table partition range on Notes ana: 200, 1 found, late: after the answer": {Service: azure.Table,
			Class: azure.PartitionRange, Resource: "Notes", Key: []string{"ana"}, Status: 200, Entities: 1, Late: true},
		"blob list on pages under ana/: 200, 3 found": {Service: azure.Blob, Class: azure.List, Resource: "pages",
			Prefix: "ana/", Status: 200, Entities: 3},
	} {
		if got := budget.Describe(azure.Completed(call)); got != want {
			t.Errorf("it says %q, not %q", got, want)
		}
	}
}

// Of a transaction that failed the store answers the operation that made it fail, and does none.
func TestDescribeTellsWhatATransactionLeftUndone(t *testing.T) {
	failed := azure.Completed(wire.Call{Service: azure.Table, Class: azure.Transaction, Resource: "Notes",
		Key: []string{"ana"}, Status: 202,
		Inner: []wire.Call{
			{Service: azure.Table, Class: azure.Insert, Resource: "Notes", Key: []string{"ana", "milk"}},
			{Service: azure.Table, Class: azure.Update, Resource: "Notes", Key: []string{"ana", "count"}, Status: 412},
		}})
	unheard := failed
	unheard.Status, unheard.Inner = 0, failed.Inner[:1]
	for _, test := range []struct {
		name string
		call wire.Call
		want []string
	}{
		{"one operation was refused", failed,
			[]string{"table insert on Notes ana / milk: not done", "table update on Notes ana / count: 412"}},
		{"nothing was answered", unheard, []string{"table insert on Notes ana / milk: no answer"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, budget.DescribeInner(test.call)); diff != "" {
				t.Errorf("operations (-want +got):\n%s", diff)
			}
		})
	}
}
