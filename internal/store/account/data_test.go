package account

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/store"
)

func TestRowsPastTheGateway(t *testing.T) {
	l := mustLease(t, openStore(t, store.Options{Name: "embedded"}))
	rows, ctx := l.Rows(), t.Context()
	if found, err := rows.Get(ctx, "Things", []string{"p", "1"}); err != nil || found != nil {
		t.Errorf("a row of a missing table: %v, %v", found, err)
	}
	if found, err := rows.List(ctx, "Things", nil); err != nil || len(found) > 0 {
		t.Errorf("the rows of a missing table: %v, %v", found, err)
	}
	want := store.Row{
		"Text": {Is: "x", Type: "string"}, "Yes": {Is: true, Type: "bool"},
		"Three": {Is: json.Number("3"), Type: "int32"},
		"Half":  {Is: json.Number("0.5"), Type: "double"}, "Large": {Is: "5000000000", Type: "int64"},
		"Bytes": {Is: "AAE=", Type: "binary"}, "At": {Is: "2026-01-31T12:00:00Z", Type: "datetime"},
	}
	for _, key := range [][]string{{"p", "2"}, {"p", "1"}, {"it's", "3"}} {
		if err := rows.Put(ctx, "Things", key, want); err != nil {
			t.Fatal(err)
		}
	}
	got, err := rows.Get(ctx, "Things", []string{"p", "1"})
	if err != nil || got["RowKey"].Is != "1" || got["Timestamp"].Is == nil {
		t.Fatalf("%v, %v", got, err)
	}
	// What was read can be written again, the time of the last change included, which is not the writer's to say.
	got.Set("Text", "y")
	if err := rows.Put(ctx, "Things", []string{"p", "1"}, got); err != nil {
		t.Fatal(err)
	}
	if got, err = rows.Get(ctx, "Things", []string{"p", "1"}); err != nil {
		t.Fatal(err)
	}
	want.Set("Text", "y")
	for _, ofAzure := range []string{"PartitionKey", "RowKey", "Timestamp"} {
		delete(got, ofAzure)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read otherwise than written (-written +read):\n%s", diff)
	}
	var keys []any
	listed, err := rows.List(ctx, "Things", []string{"p"})
	for _, row := range listed {
		keys = append(keys, row["RowKey"].Is)
	}
	if err != nil || !slices.Equal(keys, []any{"1", "2"}) {
		t.Errorf("the partition holds %v, %v", keys, err)
	}
	if all, err := rows.List(ctx, "Things", nil); err != nil || len(all) != 3 {
		t.Errorf("the table holds %d rows, %v", len(all), err)
	}
	if tables, err := rows.Resources(ctx); err != nil || !slices.Equal(tables, []string{"Things"}) {
		t.Errorf("tables %v, %v", tables, err)
	}
}

func TestObjectsPastTheGateway(t *testing.T) {
	l := mustLease(t, openStore(t, store.Options{Name: "embedded"}))
	blobs, ctx := l.Objects(), t.Context()
	if names, err := blobs.List(ctx, "state"); err != nil || len(names) > 0 {
		t.Errorf("a missing container holds %v, %v", names, err)
	}
	for name, content := range map[string]string{"a/b": "x", "empty": ""} {
		if err := blobs.Put(ctx, "state", name, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := blobs.Get(ctx, "state", name); err != nil || got == nil || string(got) != content {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	if err := blobs.Delete(ctx, "state", "a/b"); err != nil {
		t.Error(err)
	}
	if got, err := blobs.Get(ctx, "state", "a/b"); err != nil || got != nil {
		t.Errorf("a deleted blob holds %q, %v", got, err)
	}
	if names, err := blobs.List(ctx, "state"); err != nil || !slices.Equal(names, []string{"empty"}) {
		t.Errorf("blobs %v, %v", names, err)
	}
}

func TestAKeyOfAnEntityHasTwoParts(t *testing.T) {
	l := mustLease(t, openStore(t, store.Options{Name: "embedded"}))
	_, err := l.Rows().Get(t.Context(), "Notes", []string{"ana"})
	for _, err := range []error{err, l.Rows().Put(t.Context(), "Notes", []string{"ana", "b", "c"}, store.Row{})} {
		if err == nil || !strings.Contains(err.Error(), "is not a partition key and a row key") {
			t.Errorf("error %v", err)
		}
	}
}
