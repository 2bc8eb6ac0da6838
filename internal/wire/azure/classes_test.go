package azure

import (
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

// What budgets, laws, faults and orders know of a call they know by its effect and breadth.
func TestWhatCallsDo(t *testing.T) {
	effects := map[wire.Effect][]string{
		wire.Reads: {PointRead, PartitionQuery, PartitionRange, TableScan, Page, Read, Head, List},
		wire.Writes: {Insert, Update, Merge, Upsert, Delete, Transaction, Write, Copy, DeleteTable,
			DeleteContainer},
		wire.Provisions: {CreateTable, CreateContainer},
		wire.Surveys:    {ListTables},
		wire.Other:      {Lease, other, wire.Unknown},
	}
	seen := 0
	for effect, classes := range effects {
		for _, class := range classes {
			if got := known[class].Effect; got != effect {
				t.Errorf("%s %s, want %s", class, got, effect)
			}
			seen++
		}
	}
	if seen != len(known) {
		t.Errorf("%d classes are tested, of %d", seen, len(known))
	}
	breadths := map[wire.Breadth][]string{
		wire.Some:  {PartitionQuery, PartitionRange, Page, Transaction, List, ListTables},
		wire.Whole: {TableScan, DeleteTable, DeleteContainer, other, wire.Unknown},
	}
	for name, class := range known {
		want := wire.One
		for breadth, names := range breadths {
			if slices.Contains(names, name) {
				want = breadth
			}
		}
		if class.Breadth != want {
			t.Errorf("%s looks at %s, want %s", name, class.Breadth, want)
		}
	}
}

func TestGuards(t *testing.T) {
	for _, tt := range []struct {
		classes, conditional string
		want                 wire.Guard
	}{
		{"insert", "", wire.Guarded},
		{"upsert", "", wire.Blind},
		{"update merge delete", "", wire.Unguarded},
		{"update merge delete", "If-Match: *", wire.Unguarded},
		{"update merge delete", `If-Match: W/"x"`, wire.Guarded},
		{"write copy transaction read", "", wire.Unjudged},
	} {
		for class := range strings.FieldsSeq(tt.classes) {
			if got := guardOf(class, tt.conditional); got != tt.want {
				t.Errorf("%s under %q is %d, want %d", class, tt.conditional, got, tt.want)
			}
		}
	}
}
