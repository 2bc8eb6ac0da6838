package matching

import "slices"

// Pair looks for an item of its own for each row of a table, in any order. A row may be like several items, so that an
// earlier row gives its item up where it can have another one (Kuhn's algorithm for bipartite matching). err says how
// the nearest item that is left differs from the first row that has none; row is its index.
//
// There must be at least as many items as rows.
func Pair(items []any, rows []map[string]string) (row int, err error) {
	left, lone := Unpaired(items, rows)
	if len(lone) == 0 {
		return 0, nil
	}
	_, err = Nearest(left, rows[lone[0]])
	return lone[0], err
}

// Unpaired pairs as many rows as it can with an item of their own, and returns what is left: items, and the indexes of
// rows.
func Unpaired(items []any, rows []map[string]string) (left []any, lone []int) {
	like := make([][]int, len(rows)) // for each row the items that it is like
	for i, row := range rows {
		for j, item := range items {
			if len(differing(item, row)) == 0 {
				like[i] = append(like[i], j)
			}
		}
	}
	owner := make([]int, len(items)) // the row that has each item, -1: none
	for j := range owner {
		owner[j] = -1
	}
	for i := range rows {
		if !take(i, like, owner, make([]bool, len(items))) {
			lone = append(lone, i)
		}
	}
	for j, item := range items {
		if owner[j] < 0 {
			left = append(left, item)
		}
	}
	return left, lone
}

// Only returns those members of an object that a row names, as JSON, Cut.
func Only(item any, row map[string]string) string {
	if _, ok := item.(map[string]any); !ok {
		return Brief(item)
	}
	some := map[string]any{}
	for name := range row {
		if value, ok := Lookup(item, name); ok {
			some[name] = value
		}
	}
	return Brief(some)
}

// take gives a row one of the items it is like. The row that has it takes another one, none of them one that was asked
// for before.
func take(row int, like [][]int, owner []int, asked []bool) bool {
	return slices.ContainsFunc(like[row], func(item int) bool {
		if asked[item] {
			return false
		}
		asked[item] = true
		if owner[item] >= 0 && !take(owner[item], like, owner, asked) {
			return false
		}
		owner[item] = row
		return true
	})
}
