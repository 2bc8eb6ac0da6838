package matching

import (
	"fmt"
	"strings"
	"testing"
)

func TestPair(t *testing.T) {
	item := func(sku, name string) any { return map[string]any{"sku": sku, "name": name} }
	row := func(sku, name string) map[string]string { return map[string]string{"sku": sku, "name": name} }
	for _, test := range []struct {
		name  string
		items []any
		rows  []map[string]string
		want  string // the row without an item, and why
	}{
		{"in the same order", []any{item("a", "x"), item("b", "y")},
			[]map[string]string{row("a", "x"), row("b", "y")}, ""},
		{"in another order", []any{item("b", "y"), item("a", "x")},
			[]map[string]string{row("a", "x"), row("b", "y")}, ""},
		{"a row that could take either", []any{item("a", "x"), item("a", "y")},
			[]map[string]string{row("a", "anything"), row("a", "x")}, ""},
		{"three rows that have to move", []any{item("a", "x"), item("b", "x"), item("b", "y")},
			[]map[string]string{row("anything", "x"), row("b", "anything"), row("a", "x")}, ""},
		{"two rows for one item", []any{item("a", "x"), item("b", "y")},
			[]map[string]string{row("a", "anything"), row("a", "x")},
			`1: name is "y", not x` + "\n" + `sku is "b", not a`},
		{"the nearest that is left", []any{item("a", "x"), item("a", "y"), item("b", "z")},
			[]map[string]string{row("a", "anything"), row("b", "x"), row("a", "y")}, `1: name is "z", not x`},
		{"no items", nil, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if i, err := Pair(test.items, test.rows); err != nil {
				got = fmt.Sprintf("%d: %v", i, err)
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestUnpaired(t *testing.T) {
	item := func(sku, name string) any { return map[string]any{"sku": sku, "name": name, "note": "n"} }
	rows := []map[string]string{{"sku": "a"}, {"sku": "b"}, {"sku": "c"}}
	left, lone := Unpaired([]any{item("c", "x"), item("d", "y"), item("a", "z"), item("a", "z")}, rows)
	var shown []string
	for _, one := range left {
		shown = append(shown, Only(one, rows[0]))
	}
	if got, want := fmt.Sprint(shown, lone), `[{"sku":"d"} {"sku":"a"}] [1]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Every row but the last would take the first item, and has to move when the last one comes.
func TestPairMovesEveryRow(t *testing.T) {
	var items []any
	var rows []map[string]string
	for i := range 300 {
		items = append(items, map[string]any{"n": strings.Repeat("x", i), "first": "y"})
		rows = append(rows, map[string]string{"first": "y"})
	}
	rows = append(rows[1:], map[string]string{"n": ""})
	if i, err := Pair(items, rows); err != nil {
		t.Errorf("row %d has no item: %v", i, err)
	}
}
