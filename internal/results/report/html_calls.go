package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// callGroup is the storage calls of a request that are of one kind, or that one line of a budget allows.
type callGroup struct {
	What          string // such as "table point read on Stock"
	Judged, Over  bool   // by a budget; Over: something of it is not allowed
	Allowed, Seen int
	Units         string // of capacity, if a budget limits them or the store reports them
	Calls         []callRow
}

// callRow is one call.
type callRow struct {
	Key, Answer, Start, Took string
	Odd                      bool // nothing allows it
	Inner                    []string
}

// pageBudget is a budget that a scenario broke.
type pageBudget struct {
	Request string
	Exact   bool
	Groups  []callGroup
	Laws    []string // how the calls grow
	request int
}

// groupsOf groups the calls of a request by what they do to what, in order of the first of each.
func groupsOf(r scenario.Exchange) (groups []callGroup) {
	at := map[string]int{}
	for i, call := range r.Calls {
		what := call.Describe(call.On())
		n, known := at[what]
		if !known {
			n = len(groups)
			at[what], groups = n, append(groups, callGroup{What: what})
		}
		groups[n].add(r, i)
	}
	return groups
}

func (g *callGroup) add(r scenario.Exchange, i int) {
	odd := slices.Contains(r.Odd, i)
	g.Seen++
	g.Over = g.Over || odd
	g.Calls = append(g.Calls, rowOf(r, i, odd))
}

func rowOf(r scenario.Exchange, i int, odd bool) callRow {
	call := r.Calls[i]
	row := callRow{Key: key(call), Answer: answerOf(call), Took: milli(call.Duration), Odd: odd,
		Inner: budget.DescribeInner(call)}
	if !call.Start.IsZero() && !r.Start.IsZero() {
		row.Start = "+" + milli(max(0, call.Start.Sub(r.Start)))
	}
	return row
}

// answerOf says what the store answered.
func answerOf(c wire.Call) string {
	text := "no answer"
	if c.Status != 0 {
		text = strings.TrimSpace(strconv.Itoa(c.Status) + " " + c.ErrorCode)
	}
	if c.Effect == wire.Reads && c.Breadth != wire.One && c.Entities != wire.EntitiesUnknown && c.Succeeded() {
		text += fmt.Sprintf(", %d found", c.Entities)
	}
	if c.Capacity != nil {
		text += fmt.Sprintf(", %g units", *c.Capacity)
	}
	if c.Attempts > 1 {
		text += fmt.Sprintf(", %d attempts", c.Attempts)
	}
	if c.Late {
		text += ", after the answer"
	}
	if c.Unsure {
		text += ", may belong to an earlier request"
	}
	return text
}

// brokenBudget returns the budget that a scenario broke, or nil.
func brokenBudget(result *verify.ScenarioResult) *pageBudget {
	for _, judged := range slices.Backward(result.Budgets) {
		if !judged.Holds() && judged.Request < len(result.Requests) {
			return newPageBudget(judged, result.Requests[judged.Request])
		}
	}
	return nil
}

// newPageBudget puts each call under the line of the budget that covers it, as budget.Judge counts them, and those that
// no line covers in groups of their own, before the lines that hold.
func newPageBudget(judged budget.Budget, r scenario.Exchange) *pageBudget {
	shown := &pageBudget{Request: r.Method + " " + r.Path, Exact: judged.Exact, request: judged.Request,
		Laws: budget.Each(r.Calls, judged.Odd)}
	r.Odd = judged.Odd
	lines := make([]callGroup, len(judged.Allowed))
	for i, a := range judged.Allowed {
		lines[i] = callGroup{What: wire.Describe(a.Service, a.Call, a.On), Judged: true, Allowed: a.Count,
			Over: judged.Exact && a.Used < a.Count}
		if a.Capacity != nil {
			lines[i].Units = fmt.Sprintf("%g of %g units", a.Units, *a.Capacity)
		}
	}
	counted := slices.Clone(judged.Allowed)
	for i := range counted {
		counted[i].Used = 0
	}
	rest := scenario.Exchange{Start: r.Start}
	for i, call := range r.Calls {
		at := budget.Line(counted, call)
		if at < 0 {
			rest.Odd = append(rest.Odd, len(rest.Calls))
			rest.Calls = append(rest.Calls, call)
			continue
		}
		counted[at].Used++
		lines[at].add(r, i)
	}
	for _, group := range groupsOf(rest) {
		group.Judged = true
		shown.Groups = append(shown.Groups, group)
	}
	for _, over := range []bool{true, false} {
		for _, line := range lines {
			if line.Over == over {
				shown.Groups = append(shown.Groups, line)
			}
		}
	}
	return shown
}

// key returns what a call names within its resource.
func key(c wire.Call) string {
	text := cmp.Or(c.Filter, c.Name())
	switch {
	case c.NamesOne():
		text = c.Name()
	case text == "" && c.Prefix != "":
		text = c.Prefix + "…"
	}
	if c.Conditional != "" {
		text += " " + c.Conditional
	}
	return shortened(text)
}
