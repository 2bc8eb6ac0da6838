package wiremutant

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

func call(class, table string, change ...func(*wire.Call)) wire.Call {
	c := azure.Completed(wire.Call{Service: azure.Table, Class: class, Resource: table, Status: 200})
	for _, one := range change {
		one(&c)
	}
	return c
}

func passed(rule string, line int, took time.Duration, requests ...scenario.Exchange) verify.ScenarioResult {
	return verify.ScenarioResult{Rule: rule, File: "f", Line: line, Outcome: verify.Passed, Duration: took,
		Requests: requests}
}

func resultOf(all ...verify.ScenarioResult) *verify.Result {
	result := &verify.Result{}
	for _, one := range all {
		at := slices.IndexFunc(result.Rules, func(r verify.RuleResult) bool { return r.ID == one.Rule })
		if at < 0 {
			at = len(result.Rules)
			result.Rules = append(result.Rules,
				verify.RuleResult{Rule: verify.Rule{ID: one.Rule}, Outcome: one.Outcome})
		}
		result.Rules[at].Results = append(result.Rules[at].Results, one)
		result.Rules[at].Outcome = verify.Worse(result.Rules[at].Outcome, one.Outcome)
	}
	return result
}

func heard() *listener {
	return &listener{routes: notesRoutes(),
		usual: map[string]answer{"GET /notes": {}, "POST /notes": {}, "GET /healthz": {}},
		lists: map[string]bool{"GET /notes": true},
		names: map[string]map[string]bool{"GET /notes": {"notes": true, "traceId": true}}}
}

func TestScenariosReachWhatTheyUse(t *testing.T) {
	filtered := func(c *wire.Call) { c.Filter = "PartitionKey eq 'a'" }
	guarded := func(c *wire.Call) { c.Conditional, c.Guard = `If-Match: W/"1"`, wire.Guarded }
	anything := func(c *wire.Call) { c.Conditional, c.Guard = `If-Match: *`, wire.Unguarded }
	read, insert := call(azure.PointRead, "A"), call(azure.Insert, "A")
	query := call(azure.PartitionQuery, "A", filtered)
	failed := call(azure.Insert, "A", func(c *wire.Call) { c.Status = 409 })
	batch := call(azure.Transaction, "A", func(c *wire.Call) {
		c.Inner = []wire.Call{call(azure.Delete, "A", anything), call(azure.Merge, "A", guarded)}
	})
	for _, test := range []struct {
		name  string
		calls []wire.Call
		want  string
	}{
		{"a read", []wire.Call{read}, "read added"},
		{"a query", []wire.Call{query}, "query widened, read added"},
		{"a write", []wire.Call{insert}, "read added, write repeated, writes lost"},
		{"a read after a write", []wire.Call{insert, read}, "read added, stale read, write repeated, writes lost"},
		{"a read after one that failed", []wire.Call{failed, read}, "read added, write repeated, writes lost"},
		{"a read before a write", []wire.Call{read, insert}, "read added, write repeated, writes lost"},
		{"a write elsewhere", []wire.Call{call(azure.Insert, "B"), read}, "read added"},
		{"a condition", []wire.Call{call(azure.Update, "A", guarded)},
			"condition dropped, read added, write repeated, writes lost"},
		{"a condition that all meet", []wire.Call{call(azure.Update, "A", anything)},
			"read added, write repeated, writes lost"},
		{"a transaction", []wire.Call{batch}, "condition dropped, read added, write repeated, writes lost"},
		{"a table made", []wire.Call{call(azure.CreateTable, "A")}, ""},
		{"a table deleted", []wire.Call{call(azure.DeleteTable, "A")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := lessonsOf(resultOf(passed("R-A-1", 1, 0, scenario.Exchange{Method: "GET", Path: "/none",
				Calls: test.calls})), heard(), "", "/healthz")
			var kinds []string
			for _, m := range l.mutants {
				if m.Resource == "A" {
					kinds = append(kinds, string(m.Kind))
				}
			}
			slices.Sort(kinds)
			if got := strings.Join(kinds, ", "); got != test.want {
				t.Errorf("reaches %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatTheUndisturbedRunShows(t *testing.T) {
	add := scenario.Exchange{Method: "POST", Path: "/notes", Status: 201,
		Calls: []wire.Call{call(azure.Insert, "Notes"), call(azure.Insert, "Audit")}}
	other := scenario.Exchange{Method: "POST", Path: "/notes", Status: 201,
		Calls: []wire.Call{call(azure.Insert, "Stock")}}
	list := scenario.Exchange{Method: "GET", Path: "/notes", Status: 200}
	stranger := scenario.Exchange{Method: "GET", Path: "/notes", Status: 401}
	one := passed("R-A-1", 1, 0, add, other, list)
	one.Budgets = []budget.Budget{{Request: 0}, {Request: 2}}
	skipped := passed("R-A-3", 1, 0)
	skipped.Outcome = verify.Skipped
	l := lessonsOf(resultOf(one, passed("R-A-2", 2, 0, stranger), skipped), heard(), "traceId", "/healthz")
	for _, check := range []struct {
		what string
		got  []string
		want string
	}{
		{"routes that refuse no one", l.unasked, "[POST /notes]"},
		{"written and in no budget", l.unlimited, "[Stock]"},
		{"rules", l.rules, "[R-A-1 R-A-2]"},
	} {
		if got := fmt.Sprint(check.got); got != check.want {
			t.Errorf("%s: %s, want %s", check.what, got, check.want)
		}
	}
	for _, want := range []Mutant{
		{Kind: Admitted, Route: "GET /notes"}, {Kind: RowAdded, Route: "GET /notes"},
		{Kind: FieldTaken, Route: "GET /notes", Field: "notes"},
	} {
		if !slices.Contains(l.mutants, want) {
			t.Errorf("no mutant is %s", want)
		}
	}
	if slices.ContainsFunc(l.mutants, func(m Mutant) bool { return m.Field == "traceId" }) {
		t.Error("the trace id is taken away, which is another in each answer")
	}
}

func TestOnlyTheFirstFieldsAreTakenAway(t *testing.T) {
	h := heard()
	for i := range 2 * mostFields {
		h.names["GET /notes"][fmt.Sprintf("f%02d", i)] = true
	}
	list := scenario.Exchange{Method: "GET", Path: "/notes", Status: 200}
	l := lessonsOf(resultOf(passed("R-A-1", 1, 0, list)), h, "", "/healthz")
	taken := 0
	for _, m := range l.mutants {
		if m.Kind == FieldTaken {
			taken++
		}
	}
	if taken != mostFields || l.left != mostFields+2 {
		t.Errorf("%d fields are taken away and %d left, want %d and %d", taken, l.left, mostFields, mostFields+2)
	}
}

func TestTheUndisturbedRunMustBeGreen(t *testing.T) {
	for _, outcome := range []verify.Outcome{verify.Failed, verify.OverBudget, verify.NotPrepared, verify.Unclear,
		verify.Errored} {
		one := passed("R-A-1", 3, 0)
		one.Outcome, one.Reason = outcome, "no luck\nmore"
		got := fmt.Sprint(brokenIn(resultOf(passed("R-A-1", 1, 0), one, passed("R-A-2", 5, 0))))
		if want := "[R-A-1: f:3 " + string(outcome) + ": no luck]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	skipped := passed("R-A-1", 3, 0)
	skipped.Outcome = verify.Skipped
	if broken := brokenIn(resultOf(passed("R-A-1", 1, 0), skipped)); broken != nil {
		t.Errorf("a skipped scenario breaks a rule: %q", broken)
	}
}

func TestTheQuickestScenarioOfEachRuleIsFirst(t *testing.T) {
	m := Mutant{Kind: Lost, Service: azure.Table, Resource: "A"}
	reaches := map[Mutant]bool{m: true}
	l := &lessons{scenarios: []used{
		{verify.Place{Rule: "R-A-1", Line: 1}, 3, true, reaches},
		{verify.Place{Rule: "R-A-1", Line: 2}, 1, false, reaches},
		{verify.Place{Rule: "R-A-2", Line: 3}, 2, false, reaches},
		{verify.Place{Rule: "R-A-2", Line: 4}, 1, true, nil}, {verify.Place{Rule: "R-A-3", Line: 5}, 1, true, nil},
	}}
	lines := func(all []used) (found []int) {
		for _, one := range all {
			found = append(found, one.Line)
		}
		return found
	}
	first, rest := l.reaching(m)
	if !slices.Equal(lines(first), []int{2, 3}) || !slices.Equal(lines(rest), []int{1}) {
		t.Errorf("first %v, then %v", lines(first), lines(rest))
	}
}

func TestVerdicts(t *testing.T) {
	noticed := []Notice{{Rule: "R-B-1"}, {Rule: "R-A-1"}}
	for _, test := range []struct {
		name   string
		result Result
		open   bool // in the contract
		want   mutant.Verdict
		err    bool
	}{
		{"noticed", Result{Noticed: noticed, judged: true}, false, mutant.Killed, false},
		{"noticed though it is left open", Result{Noticed: noticed, judged: true}, true, mutant.Killed, false},
		{"noticed before the server was gone", Result{Noticed: noticed, judged: true, Err: errors.New("gone")}, false,
			mutant.Killed, false},
		{"not noticed", Result{judged: true}, false, mutant.Survived, false},
		{"not noticed and left open", Result{judged: true}, true, LeftOpen, false},
		{"all skipped", Result{}, true, mutant.NotJudged, true},
		{"the server does not start", Result{Err: errors.New("gone")}, true, mutant.Errored, true},
	} {
		test.result.conclude(test.open)
		if test.result.Verdict != test.want || (test.result.Err != nil) != test.err {
			t.Errorf("%s: %s, %v", test.name, test.result.Verdict, test.result.Err)
		}
	}
	if noticed[0].Rule != "R-A-1" {
		t.Error("the rules are not in order")
	}
}

func TestWhatIsOpenIsAsked(t *testing.T) {
	killed := &Result{Noticed: []Notice{{Rule: "R-A-1"}}}
	r := &run{broken: map[string]bool{"R-A-1": true, "R-A-2": true}}
	for _, test := range []struct {
		name   string
		result *Result
		rule   string
		full   bool
		want   bool
	}{
		{"a rule that noticed", killed, "R-A-1", true, false},
		{"another that breaks anyway", killed, "R-A-2", false, false},
		{"the same where all is asked", killed, "R-A-2", true, true},
		{"a rule that nothing breaks", killed, "R-A-3", false, true},
		{"a mutant that goes unnoticed", &Result{}, "R-A-2", false, true},
	} {
		if r.options.Full = test.full; r.open(test.result, test.rule) != test.want {
			t.Errorf("%s: asked is %t, want %t", test.name, !test.want, test.want)
		}
	}
}

// A member is left open if every answer that has it satisfies the contract without it.
func TestWhatTheContractLeavesOpen(t *testing.T) {
	document, err := contract.Load([]byte(`
openapi: 3.1.0
info: {title: notes, version: '1'}
paths:
  /notes:
    get:
      responses:
        '200':
          description: all
          content:
            application/json:
              schema:
                oneOf:
                  - {type: object, required: [notes], properties: {notes: {type: array}}}
                  - {type: object, required: [next], properties: {next: {type: string}, notes: false}}
`))
	if err != nil {
		t.Fatal(err)
	}
	asJSON := func(body string) answer {
		return answer{http.Header{"Content-Type": {"application/json"}}, http.StatusOK, []byte(body)}
	}
	bodies := []string{`{"notes":[],"count":0}`, `{"next":"b","count":0}`}
	for name, test := range map[string]struct {
		contract *contract.Contract
		open     []string
	}{"a contract": {document, []string{"count"}}, "no contract": {nil, nil}} {
		l := heard()
		l.routes.contract, l.names = test.contract, map[string]map[string]bool{}
		for _, body := range bodies {
			l.hear("GET /notes", http.MethodGet, "/notes?limit=1", asJSON(body))
		}
		var open []string
		for m, is := range lessonsOf(resultOf(), l, "", "/healthz").open {
			if is {
				open = append(open, m.Field)
			}
		}
		if !slices.Equal(open, test.open) || len(l.names["GET /notes"]) != 3 {
			t.Errorf("with %s, open are %v of %v, want %v", name, open, l.names, test.open)
		}
	}
}
