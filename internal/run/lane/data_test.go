package lane

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// putRows notes which rows are written.
type putRows struct {
	noRows

	put []string
}

func (r *putRows) Put(_ context.Context, table string, key []string, _ store.Row) error {
	r.put = append(r.put, table+" "+strings.Join(key, " "))
	return nil
}

// A mapping calls tables as the features do, and rows are laid in those that the environment of the server names.
func TestRowsOfAMappingInATableOfTheEnvironment(t *testing.T) {
	design := system.System{Name: "shop", Names: map[string]string{"items": "{table}"},
		Contract: []byte("openapi: 3.1.0\ninfo: {title: shop, version: '1'}\npaths: {}\n")}
	fitted, err := mapping.Parse("map.yaml", []byte("laid: [{with: {table: items, key: ['USER#{id}']}, "+
		"rows: [{table: items, key: ['PLAN#{id}']}]}]"), design)
	if err != nil {
		t.Fatal(err)
	}
	l := &Lane{Maker: &Maker{System: design, Fitting: Fitting{Mapping: fitted}},
		Lease: store.NewLease(&store.Namespace{Values: func(map[wire.Service]string) map[string]string {
			return map[string]string{"table": "lane-7"}
		}}, nil)}
	rows := &putRows{}
	l.Data = newData(l)
	l.Data.Tables = rows
	for _, table := range []string{l.Called("items"), "Other"} {
		if err := l.Data.Put(t.Context(), table, []string{"USER#1"}, store.Row{}); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"lane-7 USER#1", "lane-7 PLAN#1", "Other USER#1"}; !slices.Equal(rows.put, want) {
		t.Errorf("written are %v, not %v", rows.put, want)
	}
}
