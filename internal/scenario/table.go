package scenario

import (
	"fmt"
	"slices"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
)

// Pair is a line of a two-column table: a name, and its value or expectation.
type Pair struct{ Name, Value string }

// Pairs reads a two-column table without a header: name and expectation.
func (n *Names) Pairs(table *godog.Table) ([]Pair, error) {
	var list []Pair
	for _, row := range table.Rows {
		if len(row.Cells) != 2 {
			return nil, fmt.Errorf("the table has %d columns; it needs two: a name and what it is", len(row.Cells))
		}
		value, err := n.Written(row.Cells[1].Value)
		if err != nil {
			return nil, err
		}
		list = append(list, Pair{row.Cells[0].Value, value})
	}
	return list, nil
}

// Table reads a table with a header into one map per row. Cells are expanded. If columns are given, the table must have
// exactly these, in any order; the error names a missing or an extra one.
func (n *Names) Table(table *godog.Table, columns ...string) ([]map[string]string, error) {
	if table == nil || len(table.Rows) == 0 {
		return nil, fmt.Errorf("the step needs a table with the columns %v", columns)
	}
	var header []string
	for _, cell := range table.Rows[0].Cells {
		if len(columns) > 0 && !slices.Contains(columns, cell.Value) {
			return nil, fmt.Errorf("the table has a column %q; its columns are %v", cell.Value, columns)
		}
		header = append(header, cell.Value)
	}
	for _, name := range columns {
		if !slices.Contains(header, name) {
			return nil, fmt.Errorf("the table has no column %q", name)
		}
	}
	var rows []map[string]string
	for _, row := range table.Rows[1:] {
		values := map[string]string{}
		for i, cell := range row.Cells {
			value, err := n.Written(cell.Value)
			if err != nil {
				return nil, err
			}
			values[header[i]] = value
		}
		rows = append(rows, values)
	}
	return rows, nil
}

// HasItems compares a list of texts with a table of one column, without a header, in any order.
func (n *Names) HasItems(list []any, table *godog.Table) error {
	var want, got []string
	for _, row := range table.Rows {
		text, err := n.Written(row.Cells[0].Value)
		if err != nil {
			return err
		}
		want = append(want, text)
	}
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			return fmt.Errorf("has the item %s, which is not a text", matching.Brief(item))
		}
		got = append(got, text)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("has the items %s, not %s", n.Shown(matching.Brief(got)), n.Shown(matching.Brief(want)))
	}
	return nil
}
