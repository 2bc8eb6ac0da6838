package store_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/store"
)

func TestContentIsReadAsWritten(t *testing.T) {
	content := &store.Content{
		Rows: map[string][]store.Row{"Things": {{
			"PartitionKey": {Is: "a <b>"}, "RowKey": {Is: "1"}, "Count": {Is: json.Number("3")},
			"Half": {Is: json.Number("3.0")}, "Yes": {Is: true}, "Large": {Is: "5", Type: "int64"},
			"None": {Is: "NaN", Type: "double"},
		}}},
		Objects: map[string]map[string][]byte{"state": {"a/b": []byte("{}"), "picture": {0xff, 0}, "empty": {}}},
	}
	var text bytes.Buffer
	if _, err := content.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"Half": 3.0`, `"a <b>"`, `"a/b": "{}"`, `"base64": "/wA="`} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("written without %s:\n%s", want, &text)
		}
	}
	got, err := store.Parse(&text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(content, got); diff != "" {
		t.Errorf("read otherwise than written (-written +read):\n%s", diff)
	}
}

func TestContentThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		``:                                    `want {"rows": {…}, "objects": {…}}`,
		`{"names": {}}`:                       `unknown field "names"`,
		`{} {}`:                               "more than one JSON value",
		`{"rows": {"T": [{}, {"A": null}]}}`:  "row 2 of T, A: ",
		`{"rows": {"T": [{"A": {"x": {}}}]}}`: "row 1 of T, A: ",
		`{"objects": {"c": {"o": 1}}}`:        "object o of c: 1: want a text",
		`{"objects": {"c": {"o": {"base64": "_"}}}}`: "object o of c: illegal base64",
	} {
		if _, err := store.Parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"rows": {"T": [{"A": {"int64": "5"}}]}, "objects": {"c": {"o": {"base64": "/wA="}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		content, err := store.Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		var written bytes.Buffer
		if _, err := content.WriteTo(&written); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Parse(&written); err != nil {
			t.Errorf("%q cannot be read again: %v", text, err)
		}
	})
}
