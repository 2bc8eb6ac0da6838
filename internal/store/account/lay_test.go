package account

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storespec/storespec/internal/store"
)

// What is read from one account, and written out and read again between, is the same in another one.
func TestLaidAsItStood(t *testing.T) {
	opened, ctx := openStore(t, store.Options{Name: "embedded", Lanes: 2}), t.Context()
	from, to := mustLease(t, opened), mustLease(t, opened)
	row := store.Row{
		"Text": {Is: "it's <b>", Type: "string"}, "Yes": {Is: true, Type: "bool"},
		"Three": {Is: json.Number("3"), Type: "int32"}, "Same": {Is: json.Number("3.0"), Type: "double"},
		"None": {Is: "NaN", Type: "double"}, "Large": {Is: "5000000000", Type: "int64"},
		"Bytes": {Is: "AAE=", Type: "binary"}, "At": {Is: "2026-01-31T12:00:00Z", Type: "datetime"},
	}
	for _, key := range [][]string{{"p", "2"}, {"p", "1"}, {"it's", ""}} {
		if err := from.Rows().Put(ctx, "Things", key, row); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{"a/b": `{"x":1}`, "empty": "", "picture": "\xff\x00"} {
		if err := from.Objects().Put(ctx, "state", name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	before, err := store.Read(ctx, from.Rows(), from.Objects(), "state")
	if err != nil {
		t.Fatal(err)
	}
	if got := before.Rows["Things"][0]["None"]; got != row["None"] {
		t.Fatalf("None is read as %v", got)
	}
	var text bytes.Buffer
	if _, err := before.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	parsed, err := store.Parse(&text)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Lay(ctx, to, parsed); err != nil {
		t.Fatal(err)
	}
	after, err := store.Read(ctx, to.Rows(), to.Objects(), "state")
	if err != nil {
		t.Fatal(err)
	}
	ownTime := cmpopts.IgnoreMapEntries(func(column string, _ store.Value) bool { return column == "Timestamp" })
	if diff := cmp.Diff(before, after, ownTime); diff != "" || len(after.Rows["Things"]) != 3 {
		t.Errorf("laid otherwise than it stood (-stood +laid):\n%s", diff)
	}
}

func TestRowsWithoutAKey(t *testing.T) {
	l := mustLease(t, openStore(t, store.Options{Name: "embedded"}))
	content := &store.Content{Rows: map[string][]store.Row{"Things": {{"PartitionKey": {Is: "p"}}}}}
	if err := store.Lay(t.Context(), l, content); !errors.Is(err, store.ErrNoKey) ||
		!strings.Contains(err.Error(), "row 1 of Things") {
		t.Errorf("error %v", err)
	}
}
