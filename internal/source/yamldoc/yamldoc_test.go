package yamldoc

import (
	"slices"
	"strings"
	"testing"
)

func TestNodes(t *testing.T) {
	r := Reader{Path: "a.yaml"}
	doc, err := r.Parse([]byte("list: [a, b]\ntext: c\nnothing:\nempty: []\n"))
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for key := range Entries(doc) {
		keys = append(keys, key.Value)
	}
	if want := []string{"list", "text", "nothing", "empty"}; !slices.Equal(keys, want) {
		t.Errorf("the keys are %q, want %q", keys, want)
	}
	for range Entries(nil) {
		t.Error("nil has an entry")
	}
	fields, err := r.Fields(doc, "the file", keys...)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		key   string
		text  bool
		items int      // -1: it is not a list
		texts []string // nil: it is neither a text nor a list of texts
	}{
		{"list", false, 2, []string{"a", "b"}},
		{"text", true, -1, []string{"c"}},
		{"nothing", false, 0, nil},
		{"empty", false, 0, nil},
	} {
		t.Run(test.key, func(t *testing.T) {
			node := fields[test.key]
			if IsText(node) != test.text {
				t.Errorf("IsText: %t", !test.text)
			}
			items, err := r.List(node, "it")
			if (err != nil) != (test.items < 0) || err == nil && len(items) != test.items {
				t.Errorf("List: %d items, %v", len(items), err)
			}
			texts, err := r.Texts(node, "it")
			if !slices.Equal(texts, test.texts) || (err != nil) != (test.texts == nil) {
				t.Errorf("Texts: %q, %v", texts, err)
			}
			if err != nil && !strings.HasPrefix(err.Error(), "a.yaml:") {
				t.Errorf("Texts: %v", err)
			}
		})
	}
	if IsText(nil) {
		t.Error("nil is a text")
	}
}
