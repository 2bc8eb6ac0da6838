package wire

import "testing"

func TestTold(t *testing.T) {
	for _, test := range []struct {
		service     Service
		call, where string
		want        string
	}{
		{Table, string(PointRead), "Groups g / r", "table point read on Groups g / r"},
		{Table, string(TableScan), "Groups", "table scan on Groups"},
		{Blob, string(Read), "state/a", "blob read on state/a"},
		{Table, "write", "Groups", "table write on Groups"},
		{Table, string(Transaction), "", "table transaction"},
		{Table, string(TableScan), "", "table scan"},
	} {
		if got := Told(test.service, test.call, test.where); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
