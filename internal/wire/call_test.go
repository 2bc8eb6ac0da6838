package wire

import "testing"

func TestCallWritesAndProvisions(t *testing.T) {
	kinds := map[Class]string{
		PointRead: "", PartitionQuery: "", PartitionRange: "", TableScan: "", Page: "", Read: "", Head: "", List: "", Lease: "", Other: "", Unknown: "",
		Insert: "writes", Update: "writes", Merge: "writes", Upsert: "writes", Delete: "writes", Transaction: "writes",
		Write: "writes", Copy: "writes", DeleteTable: "writes", DeleteContainer: "writes",
		CreateTable: "provisions", ListTables: "provisions", CreateContainer: "provisions",
	}
	for class, kind := range kinds {
		c := Call{Class: class}
		if c.Writes() != (kind == "writes") || c.Provisions() != (kind == "provisions") {
			t.Errorf("%s: writes %v, provisions %v", class, c.Writes(), c.Provisions())
		}
	}
}

func TestCallSucceeded(t *testing.T) {
	for _, tt := range []struct {
		name string
		call Call
		want bool
	}{
		{"no answer", Call{}, false},
		{"done", Call{Status: 204}, true},
		{"not modified", Call{Status: 304}, true},
		{"refused", Call{Status: 412}, false},
		{"transaction done", Call{Status: 202, Inner: []Call{{Status: 204}}}, true},
		{"transaction refused inside", Call{Status: 202, Inner: []Call{{}, {Status: 409}}}, false},
	} {
		if got := tt.call.Succeeded(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
