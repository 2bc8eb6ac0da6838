package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// callTable is every request of every scenario, in a compact form: thousands of calls share few texts. The page's
// script renders a scenario's when it is opened; report.js documents the layout.
type callTable struct {
	Texts     []string `json:"texts"`
	Scenarios [][]any  `json:"scenarios"`

	known map[string]int // indices of texts
}

func newCallTable() *callTable {
	t := &callTable{Scenarios: [][]any{}, known: map[string]int{}}
	t.text("") // 0: empty
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

// add adds the requests of a scenario and returns its number. If it passed, long ids are truncated: there are
// thousands.
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
		requests = append(requests,
			[]any{t.text(heading), r.Status, r.Duration.Microseconds(), t.text(attribution(r.Calls)), calls})
	}
	t.Scenarios = append(t.Scenarios, requests)
	return len(t.Scenarios) - 1
}

// The marks of a call.
const (
	markOdd = 1 << iota
	markLate
	markWrite
	markWide // it may read more than was requested
	markUnsure
)

func (t *callTable) call(c wire.Call, r scenario.Exchange, odd bool, short func(string) string) []any {
	marks := 0
	for _, mark := range []struct {
		is   bool
		mark int
	}{{odd, markOdd}, {c.Late, markLate}, {c.Writes(), markWrite}, {c.Scans(), markWide}, {c.Unsure, markUnsure}} {
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
		t.text(c.Describe(c.On())), t.text(short(key(c))),
		max(0, c.Start.Sub(r.Start).Microseconds()), c.Duration.Microseconds(), c.Status, max(0, c.Entities),
		attempts(c), marks, t.text(c.ErrorCode), units(c), inner,
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

// units returns the units of capacity; 0 if the store counts none.
func units(c wire.Call) float64 {
	if c.Capacity == nil {
		return 0
	}
	return *c.Capacity
}

// attempts returns 0 for a call that was made once, as nearly all are.
func attempts(c wire.Call) int {
	if c.Attempts == 1 {
		return 0
	}
	return c.Attempts
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
	return text
}

// longID matches a digest or the like: nobody reads it to the end.
var longID = regexp.MustCompile(`[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4,}){2,}|[0-9A-Z]{26}`)

func shortened(s string) string {
	return longID.ReplaceAllStringFunc(s, func(id string) string { return id[:8] + "…" })
}

// json returns the table in a form that is safe in a script element.
func (t *callTable) json() (template.JS, error) {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(t); err != nil { // it escapes <, > and &
		return "", err
	}
	return template.JS(text.String()), nil //nolint:gosec // JSON, escaped
}
