package steps

import (
	"testing"

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
