package steps

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// BudgetError is a budget that was broken. It is an outcome of its own: over budget.
type BudgetError struct {
	Request string      // the request whose calls were judged
	Allowed []Allowance // the budget, with what was used of it
	Calls   []wire.Call // every judged call, in order of arrival
	Odd     []int       // indexes of the calls that no allowance covers
}

// Allowance is one line of a budget.
type Allowance struct {
	Service wire.Service `json:"service"`
	Call    string       `json:"call"` // a class, several joined by " or ", or "write" for any one change of one entity
	On      string       `json:"on"`   // a table; or a container, or a part of a blob's path
	Count   int          `json:"count"`
	Used    int          `json:"used"`
}

// Budget is a budget that was judged, whether it held or not.
type Budget struct {
	Step    string      `json:"step"`
	Request int         `json:"request"`           // whose calls were judged: a number among the scenario's requests, from 0
	Allowed []Allowance `json:"allowed,omitempty"` // with what was used of it
	Odd     []int       `json:"odd,omitempty"`     // calls of that request that nothing covers, by number among its calls, from 0
	Exact   bool        `json:"exact,omitempty"`   // what was allowed must be used up
}

// Holds reports whether the calls were within the budget.
func (b Budget) Holds() bool {
	unused := slices.ContainsFunc(b.Allowed, func(a Allowance) bool { return a.Used < a.Count })
	return len(b.Odd) == 0 && (!b.Exact || !unused)
}

// Budgets is every budget that was judged so far, in order. Request counts in Exchanges.
func (w *World) Budgets() []Budget {
	if w.shown != nil {
		return w.shown.world.budgets
	}
	return w.budgets
}

func (e *BudgetError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "over budget: the storage calls of %s", e.Request)
	if len(e.Odd) == 0 {
		text.Reset()
		fmt.Fprintf(&text, "under an exact budget: the storage calls of %s", e.Request)
	}
	text.WriteString("\n  allowed:")
	for _, a := range e.Allowed {
		fmt.Fprintf(&text, "\n    %s: %d, seen %d", wire.Told(a.Service, a.Call, a.On), a.Count, a.Used)
	}
	if len(e.Allowed) == 0 {
		text.WriteString(" none")
	}
	text.WriteString("\n  seen:")
	odd := map[int]bool{}
	for _, i := range e.Odd {
		odd[i] = true
	}
	for i, call := range e.Calls {
		mark := "   "
		if odd[i] {
			mark = " → "
		}
		text.WriteString("\n " + mark + Describe(call))
	}
	return text.String()
}

const untouchedStore = `no storage call was made, not even to create a table`

func budgetSteps() []Step {
	return []Step{
		{`the storage calls are at most`, "Then the storage calls are at most\n| service | call | on | count |\n| table | partition query | UserGroups | 1 |",
			func(w *World) any { return w.callsAtMost }},
		{`the storage calls are exactly`, "Then the storage calls are exactly\n| service | call | on | count |\n| table | update | Groups | 1 |",
			func(w *World) any { return w.callsExactly }},
		{`the storage calls on (\w+) are at most`, "Then the storage calls on GroupMembers are at most\n| service | call | on | count |\n| table | point read | GroupMembers | 1 |",
			func(w *World) any { return w.callsOnTableAtMost }},
		{`no storage call was made`, `Then no storage call was made`,
			func(w *World) any { return func() error { return w.within(nil, nil, false) } }},
		{untouchedStore, `Then no storage call was made, not even to create a table`,
			func(w *World) any { return w.storageUntouched }},
		{`nothing was written`, `Then nothing was written`,
			func(w *World) any { return w.nothingWritten }},
		{`(\S+) was read`, `Then GroupMembers was read`,
			func(w *World) any { return w.wasRead }},
		{`the storage calls brought at most (\d+) entit(?:y|ies)`, `Then the storage calls brought at most 11 entities`,
			func(w *World) any { return w.broughtAtMost }},
		{`the storage calls changed (\d+) entit(?:y|ies)`, `Then the storage calls changed 2 entities`,
			func(w *World) any { return w.changedEntities }},
		{`no write of the scenario was blind`, `Then no write of the scenario was blind`,
			func(w *World) any { return w.noBlindWrite }},
		{`no storage call of the scenario is`, "Then no storage call of the scenario is\n| service | call | on |\n| table | delete | Groups |",
			func(w *World) any { return w.noCallIs }},
	}
}

func (w *World) callsAtMost(table *godog.Table) error {
	allowed, err := w.allowances(table)
	if err != nil {
		return err
	}
	return w.within(allowed, nil, false)
}

func (w *World) callsExactly(table *godog.Table) error {
	allowed, err := w.allowances(table)
	if err != nil {
		return err
	}
	return w.within(allowed, nil, true)
}

func (w *World) callsOnTableAtMost(name string, table *godog.Table) error {
	allowed, err := w.allowances(table)
	if err != nil {
		return err
	}
	only := func(c wire.Call) bool {
		if c.Service == wire.Table && c.Resource == name {
			return true
		}
		for _, inner := range c.Inner {
			if inner.Resource == name {
				return true
			}
		}
		return false
	}
	return w.within(allowed, only, false)
}

func (w *World) allowances(table *godog.Table) ([]Allowance, error) {
	lines, err := w.rows(table, "service", "call", "on", "count")
	if err != nil {
		return nil, err
	}
	var allowed []Allowance
	for _, line := range lines {
		count, err := strconv.Atoi(line["count"])
		if err != nil || count < 0 {
			return nil, fmt.Errorf("the count %q of a budget is no whole number", line["count"])
		}
		a := Allowance{Service: wire.Service(line["service"]), Call: line["call"], On: line["on"], Count: count}
		if err := a.check(); err != nil {
			return nil, err
		}
		allowed = append(allowed, a)
	}
	return allowed, nil
}

// check refuses a budget line that could match no call: a misspelt class would allow nothing, or
// forbid nothing.
func (a Allowance) check() error {
	classes := map[wire.Service]string{
		wire.Table: "point read, partition query, partition range, table scan, page, insert, update, merge, upsert, delete, transaction, write",
		wire.Blob:  "read, head, write, delete, list, lease, copy",
	}
	known, ok := classes[a.Service]
	if !ok {
		return fmt.Errorf("the service %q of a budget is neither table nor blob", a.Service)
	}
	for call := range strings.SplitSeq(a.Call, " or ") {
		if !strings.Contains(", "+known+", ", ", "+call+", ") {
			return fmt.Errorf("the call %q of a budget is none of the %s calls: %s", call, a.Service, known)
		}
	}
	return nil
}

// Covers reports whether the call is of the allowance's kind.
func (a Allowance) Covers(c wire.Call) bool {
	if c.Service != a.Service || !a.isOn(c) {
		return false
	}
	for call := range strings.SplitSeq(a.Call, " or ") {
		if string(c.Class) == call {
			return true
		}
		if call == "write" && c.Service == wire.Table {
			switch c.Class {
			case wire.Insert, wire.Update, wire.Merge, wire.Upsert:
				return true
			}
		}
	}
	return false
}

// isOn reports whether the call's table, container or a part of its blob's path is the allowance's.
func (a Allowance) isOn(c wire.Call) bool {
	if a.On == "anything" || c.Resource == a.On {
		return true
	}
	if c.Class == wire.Transaction {
		for _, inner := range c.Inner {
			if inner.Resource != a.On {
				return false
			}
		}
		return len(c.Inner) > 0
	}
	for part := range strings.SplitSeq(c.Blob, "/") {
		if matched, err := path.Match(a.On, part); err == nil && matched {
			return true
		}
	}
	return false
}

// judged is the calls of the last request, without those that only create tables or containers.
func (w *World) judged() (*exchange, []wire.Call, error) {
	e, err := w.last()
	if err != nil {
		return nil, nil, err
	}
	if err := w.settle(); err != nil {
		return nil, nil, err
	}
	var calls []wire.Call
	for _, call := range e.calls() {
		if !call.Provisions() {
			calls = append(calls, call)
		}
	}
	return e, calls, nil
}

// within holds the last request's calls to a budget: each call uses up one of the first line that
// covers it and is not used up.
func (w *World) within(allowed []Allowance, only func(wire.Call) bool, exact bool) error {
	e, _, err := w.judged()
	if err != nil {
		return err
	}
	broken := &BudgetError{Request: e.String(), Allowed: allowed}
	budget := Budget{Step: w.pickle.Steps[w.at].Text, Request: len(w.exchanges) - 1, Allowed: allowed, Exact: exact}
	for i, call := range e.calls() {
		if call.Provisions() || only != nil && !only(call) {
			continue
		}
		broken.Calls = append(broken.Calls, call)
		if !use(allowed, call) {
			broken.Odd, budget.Odd = append(broken.Odd, len(broken.Calls)-1), append(budget.Odd, i)
		}
	}
	w.budgets = append(w.budgets, budget)
	if !budget.Holds() {
		e.odd = budget.Odd
		return broken
	}
	return nil
}

func use(allowed []Allowance, call wire.Call) bool {
	for i := range allowed {
		if allowed[i].Used < allowed[i].Count && allowed[i].Covers(call) {
			allowed[i].Used++
			return true
		}
	}
	return false
}
