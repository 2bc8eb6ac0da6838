package steps

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/wire"
)

// What a query has brought is told, since a server that stops at a short page has made the right call.
func TestDescribeTellsWhatAQueryBrought(t *testing.T) {
	for want, call := range map[string]wire.Call{
		"table partition query on Notes ana: 200, 2 found":                         {Service: wire.Table, Class: wire.PartitionQuery, Resource: "Notes", Partition: "ana", Status: 200, Entities: 2},
		"table page on Notes ana: 200, 0 found, more to come":                      {Service: wire.Table, Class: wire.Page, Resource: "Notes", Partition: "ana", Status: 200, More: true},
		"table partition query on Notes ana: 200":                                  {Service: wire.Table, Class: wire.PartitionQuery, Resource: "Notes", Partition: "ana", Status: 200, Entities: wire.EntitiesUnknown},
		"table partition query on Notes ana: 503 after 4 attempts":                 {Service: wire.Table, Class: wire.PartitionQuery, Resource: "Notes", Partition: "ana", Status: 503, Attempts: 4},
		"table point read on Notes ana / milk: 200":                                {Service: wire.Table, Class: wire.PointRead, Resource: "Notes", Partition: "ana", Row: "milk", Status: 200, Entities: 1},
		"table partition range on Notes ana: 200, 1 found, late: after the answer": {Service: wire.Table, Class: wire.PartitionRange, Resource: "Notes", Partition: "ana", Status: 200, Entities: 1, Late: true},
		"blob list on pages under ana/: 200, 3 found":                              {Service: wire.Blob, Class: wire.List, Resource: "pages", Prefix: "ana/", Status: 200, Entities: 3},
	} {
		if got := Describe(call); got != want {
			t.Errorf("it says %q, not %q", got, want)
		}
	}
}

// Of a transaction that failed the store answers the operation that made it fail, and does none.
func TestDescribeTellsWhatATransactionLeftUndone(t *testing.T) {
	failed := wire.Call{Service: wire.Table, Class: wire.Transaction, Resource: "Notes", Partition: "ana", Status: 202, Inner: []wire.Call{
		{Service: wire.Table, Class: wire.Insert, Resource: "Notes", Partition: "ana", Row: "milk"},
		{Service: wire.Table, Class: wire.Update, Resource: "Notes", Partition: "ana", Row: "count", Status: 412},
	}}
	unheard := failed
	unheard.Status, unheard.Inner = 0, failed.Inner[:1]
	for _, test := range []struct {
		name string
		call wire.Call
		want []string
	}{
		{"one operation was refused", failed, []string{"table insert on Notes ana / milk: not done", "table update on Notes ana / count: 412"}},
		{"nothing was answered", unheard, []string{"table insert on Notes ana / milk: no answer"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, DescribeInner(test.call)); diff != "" {
				t.Errorf("operations (-want +got):\n%s", diff)
			}
		})
	}
}
