package compare

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// Move is a budget whose storage calls or allowances have changed: of a scenario, or of an outline that measures
// several sizes.
type Move struct {
	System   string `json:"system"`
	Rule     string `json:"rule"`
	Scenario string `json:"scenario"` // of an outline, with the name of the size's column instead of its value
	File     string `json:"file"`
	Line     int    `json:"line"` // of the first size
	Step     string `json:"step"`
	Request  string `json:"request"`          // method and path; of the first size
	Sizes    []int  `json:"sizes,omitempty"`  // what an outline measured
	Column   string `json:"column,omitempty"` // the column of the sizes
	Calls    []Law  `json:"calls,omitempty"`  // calls that were added or removed
	Allowed  []Law  `json:"allowed,omitempty"`
	Worse    bool   `json:"worse"` // see costs
}

// pair is a scenario in both runs.
type pair struct {
	system  string
	was, is verify.ScenarioResult
}

// Kind is what the calls that are counted together have in common.
type Kind struct {
	Service wire.Service `json:"service"`
	Call    string       `json:"call"` // a class; for an allowance, what it allows
	On      string       `json:"on"`
}

// measured is a budget of a pair: how many calls of each kind there were and were allowed.
type measured struct {
	move     Move
	size     int
	was, is  map[Kind]int
	allow    map[Kind]int // the difference in what is allowed
	multiple bool         // it belongs to an outline with a size
	dearer   bool         // see costs
}

// moves finds the budgets that changed, one Move for all sizes of an outline.
func moves(pairs []pair) []Move {
	var order []string
	groups := map[string][]measured{}
	for _, p := range pairs {
		for i := range min(len(p.was.Budgets), len(p.is.Budgets)) {
			if m, ok := p.measure(i); ok {
				key := fmt.Sprintf("%q %d %v", []string{p.system, m.move.Rule, m.move.Scenario, m.move.Column}, i,
					others(p.is.Example, m.move.Column))
				if groups[key] == nil {
					order = append(order, key)
				}
				groups[key] = append(groups[key], m)
			}
		}
	}
	var found []Move
	for _, key := range order {
		if move, moved := together(groups[key]); moved {
			found = append(found, move)
		}
	}
	return found
}

// measure counts the calls of budget i. ok is false if the two budgets do not belong to the same step.
func (p pair) measure(i int) (measured, bool) {
	was, is := p.was.Budgets[i], p.is.Budgets[i]
	if was.Step != is.Step || was.Request >= len(p.was.Requests) || is.Request >= len(p.is.Requests) {
		return measured{}, false
	}
	lines := slices.Concat(was.Allowed, is.Allowed)
	request, before := p.is.Requests[is.Request], p.was.Requests[was.Request]
	m := measured{
		dearer: slices.Compare(costs(request.Calls), costs(before.Calls)) > 0,
		move: Move{System: p.system, Rule: p.is.Rule, Scenario: p.is.Name, File: p.is.File, Line: p.is.Line,
			Step: is.Step, Request: request.Method + " " + request.Path},
		was: count(before.Calls, lines), is: count(request.Calls, lines), allow: map[Kind]int{},
	}
	for _, a := range is.Allowed {
		m.allow[Kind{a.Service, a.Call, a.On}] += a.Count
	}
	for _, a := range was.Allowed {
		m.allow[Kind{a.Service, a.Call, a.On}] -= a.Count
	}
	m.move.Column, m.size, m.multiple = sizeOf(p.is.Example)
	if m.multiple {
		m.move.Scenario = outline(p.is.Name, m.move.Column, m.size)
	}
	return m, true
}

// sizeOf returns the column and value of an example's only whole number.
func sizeOf(example map[string]string) (column string, size int, ok bool) {
	for _, name := range slices.Sorted(maps.Keys(example)) {
		if n, err := strconv.Atoi(example[name]); err == nil {
			if ok {
				return "", 0, false
			}
			column, size, ok = name, n, true
		}
	}
	return column, size, ok
}

// others returns the cells of an example except the size.
func others(example map[string]string, column string) map[string]string {
	rest := maps.Clone(example)
	delete(rest, column)
	return rest
}

// outline returns the name of a scenario with the size replaced by its column.
func outline(name, column string, size int) string {
	return regexp.MustCompile(`\b`+strconv.Itoa(size)+`\b`).ReplaceAllLiteralString(name, "<"+column+">")
}

// count counts calls by kind. Calls that only create tables and containers belong to no budget.
func count(calls []wire.Call, lines []budget.Allowance) map[Kind]int {
	counts := map[Kind]int{}
	for _, call := range calls {
		if !call.Provisions() {
			counts[Kind{call.Service, call.Class, place(call, lines)}]++
		}
	}
	return counts
}

// place returns what a call is on, in the terms of the budgets: names that are paths differ in each run.
func place(call wire.Call, lines []budget.Allowance) string {
	if call.Path() {
		for _, line := range lines {
			if line.Covers(call) {
				return line.On
			}
		}
	}
	var names []string
	for _, inner := range call.Inner {
		if !slices.Contains(names, inner.Resource) {
			names = append(names, inner.Resource)
		}
	}
	return cmp.Or(call.On(), strings.Join(names, ", "))
}

// together combines all sizes of a budget into one move. The budget has not moved if every size needs the same calls as
// before.
func together(sizes []measured) (move Move, moved bool) {
	move = sizes[0].move
	slices.SortFunc(sizes, func(a, b measured) int { return cmp.Compare(a.size, b.size) })
	calls, allowed := make([]map[Kind]int, len(sizes)), make([]map[Kind]int, len(sizes))
	for i, m := range sizes {
		if m.multiple {
			move.Sizes = append(move.Sizes, m.size)
		}
		calls[i], allowed[i] = minus(m.is, m.was), m.allow
		move.Worse = move.Worse || m.dearer
	}
	move.Calls, move.Allowed = laws(move.Sizes, calls), laws(move.Sizes, allowed)
	return move, len(move.Calls)+len(move.Allowed) > 0
}

func minus(a, b map[Kind]int) map[Kind]int {
	difference := maps.Clone(a)
	for kind, n := range b {
		difference[kind] -= n
	}
	return difference
}

// costs returns values to compare in order: scans of a whole resource, all calls, and calls that read more than one row
// or object. So a scan is worse than anything it replaces, and a partition query is worse than a point read but better
// than two.
func costs(calls []wire.Call) []int {
	scans, all, several := 0, 0, 0
	for _, call := range calls {
		if call.Provisions() {
			continue
		}
		all++
		if call.Scans() {
			scans++
		}
		if call.Effect == wire.Reads && call.Breadth != wire.One {
			several++
		}
	}
	return []int{scans, all, several}
}
