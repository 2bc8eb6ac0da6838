package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// callTable is every request of every scenario, in a form that is small: thousands of calls share few texts. The page's
// script draws a scenario's when it is opened; report.js says what stands where.
type callTable struct {
	Texts     []string `json:"texts"`
	Scenarios [][]any  `json:"scenarios"`

	known map[string]int // texts by where they stand
}

func newCallTable() *callTable {
	t := &callTable{Scenarios: [][]any{}, known: map[string]int{}}
	t.text("") // 0: nothing
	return t
}

func (t *callTable) text(s string) int {
	i, ok := t.known[s]
	if !ok {
		i = len(t.Texts)
		t.Texts, t.known[s] = append(t.Texts, s), i
	}
	return i
}

// add takes the requests of a scenario and gives its number. Of one that passed, long ids are cut: there are thousands.
func (t *callTable) add(result verify.ScenarioResult) int {
	short := func(s string) string { return s }
	if result.Outcome == verify.Passed {
		short = shortened
	}
	requests := []any{}
	for _, r := range result.Requests {
		calls := []any{}
		for i, c := range r.Calls {
			calls = append(calls, t.call(c, r, slices.Contains(r.Odd, i), short))
		}
		heading := fmt.Sprintf("%s sent %s %s", r.Person, r.Method, short(r.Path))
		requests = append(requests, []any{t.text(heading), r.Status, r.Duration.Microseconds(), t.text(attribution(r.Calls)), calls})
	}
	t.Scenarios = append(t.Scenarios, requests)
	return len(t.Scenarios) - 1
}

// What a call is marked as.
const (
	markOdd = 1 << iota
	markLate
	markWrite
	markWide // it may read more than was asked for
)

func (t *callTable) call(c wire.Call, r steps.Exchange, odd bool, short func(string) string) []any {
	marks := 0
	for _, mark := range []struct {
		is   bool
		mark int
	}{{odd, markOdd}, {c.Late, markLate}, {c.Writes(), markWrite}, {c.Class == wire.TableScan, markWide}} {
		if mark.is {
			marks |= mark.mark
		}
	}
	inner := []any{}
	for _, op := range c.Inner {
		op.Service = c.Service
		inner = append(inner, t.call(op, r, false, short))
	}
	row := []any{
		t.text(wire.Told(c.Service, string(c.Class), c.Resource)), t.text(short(key(c))),
		max(0, c.Start.Sub(r.Start).Microseconds()), c.Duration.Microseconds(), c.Status, max(0, c.Entities), attempts(c), marks, t.text(c.ErrorCode), inner,
	}
	if c.Start.IsZero() || r.Start.IsZero() {
		row[2] = 0
	}
	if len(inner) > 0 {
		return row
	}
	row = row[:len(row)-1]
	for len(row) > 2 && fmt.Sprint(row[len(row)-1]) == "0" {
		row = row[:len(row)-1]
	}
	return row
}

// attempts is 0 for a call that was made once, as nearly all are.
func attempts(c wire.Call) int {
	if c.Attempts == 1 {
		return 0
	}
	return c.Attempts
}

// key is what a call names within its table or container.
func key(c wire.Call) string {
	text := ""
	switch {
	case c.Blob != "":
		text = c.Blob
	case c.Row != "":
		text = c.Partition + " / " + c.Row
	case c.Filter != "":
		text = c.Filter
	case c.Partition != "":
		text = c.Partition
	case c.Prefix != "":
		text = c.Prefix + "…"
	}
	if c.Conditional != "" {
		text += " " + c.Conditional
	}
	return text
}

// longID is a digest or the like: nobody reads it to its end.
var longID = regexp.MustCompile(`[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4,}){2,}|[0-9A-Z]{26}`)

func shortened(s string) string {
	return longID.ReplaceAllStringFunc(s, func(id string) string { return id[:8] + "…" })
}

// json is the table as a script element can hold it.
func (t *callTable) json() (template.JS, error) {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(t); err != nil { // it escapes <, > and &
		return "", err
	}
	return template.JS(text.String()), nil //nolint:gosec // JSON, escaped
}
