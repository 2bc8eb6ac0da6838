package matching

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	items := []any{
		map[string]any{"sku": "a1", "name": "Bread", "left": "3"},
		map[string]any{"sku": "a0", "name": "Milk", "left": "4"},
		map[string]any{"sku": "a2", "name": "Milk", "left": "5"},
	}
	for _, test := range []struct {
		name  string
		items []any
		row   map[string]string
		index int
		want  string
	}{
		{"one differs in less than the last", items, map[string]string{"sku": "a0", "name": "Milk", "left": "9"}, 1,
			`left is "4", not 9`},
		{"in the order of the columns", items[:1], map[string]string{"sku": "a0", "name": "Milk", "left": "3"}, 0,
			"name is \"Bread\", not Milk\nsku is \"a1\", not a0"},
		{"one matches", items, map[string]string{"sku": "a2"}, 2, ""},
		{"none", nil, map[string]string{"sku": "a2"}, -1, ""},
		{"no object", []any{"a"}, map[string]string{"sku": "a2"}, 0, `an item is not an object: "a"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			index, err := Nearest(test.items, test.row)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if index != test.index || got != test.want {
				t.Errorf("got %d %q, want %d %q", index, got, test.index, test.want)
			}
		})
	}
}

func TestCutKeepsLettersWhole(t *testing.T) {
	if got := Cut("a" + strings.Repeat("é", 400)); !utf8.ValidString(got) || !strings.HasSuffix(got, "é…") {
		t.Errorf("got %q", got)
	}
}

func TestAbridged(t *testing.T) {
	long := strings.Repeat("é", 1500)
	for _, test := range []struct{ name, message, want string }{
		{"empty", "", ""},
		{"short lines stay", "a\nb", "a\nb"},
		{"so do long ones that are read", strings.Repeat("a", 1700), strings.Repeat("a", 1700)},
		{"start and end stay", "a is " + long + ", not b\nc",
			"a is " + long[:1494] + " … 1312 bytes … " + long[:192] + ", not b\nc"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Abridged(test.message)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !utf8.ValidString(got) {
				t.Errorf("%q is not valid", got)
			}
		})
	}
}
