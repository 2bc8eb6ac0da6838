package compare

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// Move is a budget whose storage calls, or whose allowances, are others than before: of a scenario, or of an outline that
// measures several sizes.
type Move struct {
	System   string `json:"system"`
	Rule     string `json:"rule"`
	Scenario string `json:"scenario"` // of an outline, with the size's column in place of its value
	File     string `json:"file"`
	Line     int    `json:"line"` // of the first size
	Step     string `json:"step"`
	Request  string `json:"request"`          // method and path; of the first size
	Sizes    []int  `json:"sizes,omitempty"`  // what an outline measured
	Column   string `json:"column,omitempty"` // what they are sizes of
	Calls    []Law  `json:"calls,omitempty"`  // those that were added or lost
	Allowed  []Law  `json:"allowed,omitempty"`
	Worse    bool   `json:"worse"` // see costs
}

// pair is a scenario in both runs.
type pair struct {
	system  string
	was, is verify.ScenarioResult
}

// Kind is what calls have in common that are counted together.
type Kind struct {
	Service wire.Service `json:"service"`
	Call    string       `json:"call"` // a class; of an allowance, what it allows
	On      string       `json:"on"`
}

// measured is a budget of a pair: how many calls of each kind there were and might have been.
type measured struct {
	move     Move
	size     int
	was, is  map[Kind]int
	allow    map[Kind]int // the difference of what is allowed
	multiple bool         // it is of an outline with a size
}

// moves finds the budgets that moved, one Move for all sizes of an outline.
func moves(pairs []pair) []Move {
	var order []string
	groups := map[string][]measured{}
	for _, p := range pairs {
		for i := range min(len(p.was.Budgets), len(p.is.Budgets)) {
			if m, ok := p.measure(i); ok {
				key := fmt.Sprintf("%q %d %v", []string{p.system, m.move.Rule, m.move.Scenario, m.move.Column}, i, others(p.is.Example, m.move.Column))
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

// measure counts the calls of budget i. It is not ok where the budgets are not of the same step.
func (p pair) measure(i int) (measured, bool) {
	was, is := p.was.Budgets[i], p.is.Budgets[i]
	if was.Step != is.Step || was.Request >= len(p.was.Requests) || is.Request >= len(p.is.Requests) {
		return measured{}, false
	}
	lines := slices.Concat(was.Allowed, is.Allowed)
	request := p.is.Requests[is.Request]
	m := measured{
		move: Move{System: p.system, Rule: p.is.Rule, Scenario: p.is.Name, File: p.is.File, Line: p.is.Line, Step: is.Step, Request: request.Method + " " + request.Path},
		was:  count(p.was.Requests[was.Request].Calls, lines), is: count(request.Calls, lines), allow: map[Kind]int{},
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

// sizeOf is the column and the value of an example whose only whole number it is.
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

// others is the cells of an example but the size's.
func others(example map[string]string, column string) map[string]string {
	rest := maps.Clone(example)
	delete(rest, column)
	return rest
}

// outline is the name of a scenario with its size taken out again.
func outline(name, column string, size int) string {
	return regexp.MustCompile(`\b`+strconv.Itoa(size)+`\b`).ReplaceAllLiteralString(name, "<"+column+">")
}

// count counts calls by kind. Those that only create tables and containers are in no budget.
func count(calls []wire.Call, lines []steps.Allowance) map[Kind]int {
	counts := map[Kind]int{}
	for _, call := range calls {
		if !call.Provisions() {
			counts[Kind{call.Service, string(call.Class), place(call, lines)}]++
		}
	}
	return counts
}

// place is what a call is on, in the words of the budgets: the names of blobs are others in each run.
func place(call wire.Call, lines []steps.Allowance) string {
	if call.Service == wire.Blob {
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
	return cmp.Or(call.Resource, strings.Join(names, ", "))
}

// together makes one move of all sizes of a budget. It has not moved when every size needs the calls it needed.
func together(sizes []measured) (move Move, moved bool) {
	move = sizes[0].move
	slices.SortFunc(sizes, func(a, b measured) int { return cmp.Compare(a.size, b.size) })
	calls, allowed := make([]map[Kind]int, len(sizes)), make([]map[Kind]int, len(sizes))
	for i, m := range sizes {
		if m.multiple {
			move.Sizes = append(move.Sizes, m.size)
		}
		calls[i], allowed[i] = minus(m.is, m.was), m.allow
		move.Worse = move.Worse || slices.Compare(costs(m.is), costs(m.was)) > 0
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

// costs are compared one after the other: table scans, all calls, and calls that read more than one entity. So a scan is worse
// than anything that it replaces, and a partition query is worse than a point read but better than two.
func costs(calls map[Kind]int) []int {
	sums := make([]int, 3)
	for kind, n := range calls {
		sums[1] += n
		switch wire.Class(kind.Call) {
		case wire.TableScan:
			sums[0] += n
			sums[2] += n
		case wire.PartitionQuery, wire.PartitionRange, wire.Page, wire.List:
			sums[2] += n
		}
	}
	return sums
}
