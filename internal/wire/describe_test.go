package wire_test

import (
	"testing"

	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func TestDescribe(t *testing.T) {
	for _, test := range []struct {
		service     wire.Service
		call, where string
		want        string
	}{
		{azure.Table, azure.PointRead, "Groups g / r", "table point read on Groups g / r"},
		{azure.Table, azure.TableScan, "Groups", "table scan on Groups"},
		{azure.Blob, azure.Read, "state/a", "blob read on state/a"},
		{azure.Table, "write", "Groups", "table write on Groups"},
		{azure.Table, azure.Transaction, "", "table transaction"},
		{azure.Table, azure.TableScan, "", "table scan"},
	} {
		if got := wire.Describe(test.service, test.call, test.where); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
