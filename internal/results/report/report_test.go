package report

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got), -update rewrites it:\n%s", file, diff)
	}
}

func rule(id, severity, name string, results ...verify.ScenarioResult) verify.RuleResult {
	r := verify.RuleResult{Rule: verify.Rule{
		ID: id, System: "familyscheduler", Name: name, Severity: severity, Clause: "The gate is by table membership.",
		File: "familyscheduler/gating.feature", Line: 10,
	}, Outcome: verify.Passed, Results: results}
	for i, result := range results {
		if result.Outcome != verify.Passed {
			r.Outcome = result.Outcome
		}
		results[i].Rule, results[i].File, results[i].Line = id, "familyscheduler/gating.feature", 12+i
		results[i].Duration = 1500 * time.Microsecond
	}
	return r
}

func judged(name string, outcome verify.Outcome, reason string) verify.ScenarioResult {
	return verify.ScenarioResult{Name: name, Outcome: outcome, Reason: reason}
}

// mixed is a run with every outcome.
func mixed() events.Run {
	denied := judged("chat", verify.Failed, "POST /api/chat answered 200, not 403 not_allowed")
	denied.Step = "the answer is 403 not_allowed"
	denied.Requests = []scenario.Exchange{
		{Person: "Ana", Method: "POST", Path: "/api/group/create", Status: 200,
			Calls: azure.AllCompleted([]wire.Call{{Service: azure.Table, Class: azure.Insert, Resource: "Groups",
				Status: 201}})},
		{Person: "Ben", Method: "POST", Path: "/api/chat", Status: 200, Calls: azure.AllCompleted([]wire.Call{
			{Service: azure.Blob, Class: azure.Read, Operation: "Get Blob", Resource: "state",
				Key: []string{"familyscheduler/sessions/abc.json"}, Status: 200, Attempts: 1, ResponseBytes: 210,
				Duration: 1234567 * time.Nanosecond},
			{Service: azure.Table, Class: azure.PointRead, Operation: "Get Entity", Resource: "GroupMembers",
				Key: []string{"g1", "k1"}, Status: 404, Attempts: 2},
			{Service: azure.Table, Class: azure.Transaction, Operation: "Entity Group Transaction", Resource: "",
				Status: 202, Attempts: 1, Late: true,
				Inner: []wire.Call{{Service: azure.Table, Class: azure.Insert, Operation: "Insert Entity",
					Resource: "Groups", Status: 201}}},
		})},
	}
	costly := judged("a rename", verify.OverBudget,
		"over budget: the storage calls of POST /api/group/rename\n  allowed: none\n  seen:\n → table update on "+
			"Groups g1 / meta: 204")
	costly.Step = "the storage calls are at most"
	costly.Requests = []scenario.Exchange{{Person: "Ana", Method: "POST", Path: "/api/group/rename", Status: 200,
		Calls: azure.AllCompleted([]wire.Call{{Service: azure.Table, Class: azure.Update, Resource: "Groups",
			Key:    []string{"g1", "meta"},
			Status: 204, ByTrace: true}})}}
	return events.Run{System: "familyscheduler", Result: &verify.Result{
		Target: "node server.js", Store: "azurite", Version: "Azurite 3.35.0", Lanes: 4, Calls: 1,
		Zone:       "Pacific/Kiritimati",
		Attributed: wire.Attribution{ByLane: 1}, Duration: 12345 * time.Millisecond,
		Rules: []verify.RuleResult{
			rule("FS-ID-1", "MUST", "No session is refused", judged("chat", verify.Passed, "")),
			rule("FS-GATE-4", "MUST", "A removed member is refused", denied,
				judged("direct", verify.Failed, "the same"), judged("start", verify.Failed, "the same"),
				judged("close", verify.Failed, "the same")),
			rule("FS-GRP-1", "MUST", "A rename is one update", costly),
			rule("FS-SRV-7", "SHOULD", "A span per request", judged("a span", verify.Failed, "no span was seen")),
			rule("FS-SRV-1", "MUST", "Tables are created once",
				judged("cold", verify.Skipped, "storespec did not start this server"),
				judged("cold again", verify.Skipped, "storespec did not start this server")),
			rule("FS-SRV-2", "MUST", "Two start at once",
				judged("two", verify.Errored, "store unavailable: it ended")),
		},
	}}
}

// of is the report of some runs.
func of(o Options, version string, runs ...events.Run) *Report {
	return New(&events.Stream{Runs: runs,
		Header: events.Header{Version: version, Strict: o.Strict, BudgetsWarn: o.BudgetsWarn}})
}

func written(t *testing.T, run events.Run, o Options, look Look) string {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, NewRun(run, o), look); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	holds := events.Run{System: "familyscheduler", Result: &verify.Result{
		Target: "reference", Store: "container", Version: "Azurite 3.35.0", Lanes: 1, Calls: 16,
		Attributed: wire.Attribution{ByTrace: 5, ByLane: 2, Commands: 6, Nobody: 1, Other: 2},
		Duration:   90 * time.Millisecond,
		Rules: []verify.RuleResult{rule("FS-ID-1", "MUST", "No session is refused",
			judged("chat", verify.Passed, ""))},
	}}
	lowered := mixed()
	lowered.Result.Rules = lowered.Result.Rules[2:4] // a budget, and what is preferred
	stopped := mixed()
	stopped.Result.Interrupted = true
	stopped.Result.Rules = stopped.Result.Rules[:1]
	for _, test := range []struct {
		golden  string
		run     events.Run
		options Options
		look    Look
	}{
		{"holds.txt", holds, Options{}, Look{}},
		{"mixed.txt", mixed(), Options{}, Look{}},
		{"mixed_lenient.txt", mixed(), Options{BudgetsWarn: true, Strict: true}, Look{}},
		{"lowered.txt", lowered, Options{BudgetsWarn: true}, Look{}},
		{"colored.txt", holds, Options{}, Look{Color: true}},
		{"interrupted.txt", stopped, Options{}, Look{}},
		{"verbose.txt", lowered, Options{}, Look{Verbose: true}},
	} {
		t.Run(test.golden, func(t *testing.T) { golden(t, test.golden, written(t, test.run, test.options, test.look)) })
	}
}

// A feature file alone is to blame only if nothing that counts says that the server is wrong.
func TestTextOfAScenarioThatIsNotWrittenToBeJudged(t *testing.T) {
	miswritten := judged("named wrongly", verify.Errored, "{Famliy} names nothing")
	miswritten.Miswritten = true
	const alone = "its feature file, not the server, is to blame"
	for _, test := range []struct {
		name, severity string
		outcome        verify.Outcome
		options        Options
		want           string
	}{
		{"alone", "MUST", verify.Passed, Options{}, alone},
		{"a broken rule", "MUST", verify.Failed, Options{},
			"a rule is broken; a scenario is not written so that it can be judged"},
		{"an unclear rule", "MUST", verify.Unclear, Options{}, "a rule is unclear; a scenario is not written"},
		{"what does not count", "SHOULD", verify.Failed, Options{}, alone},
		{"what counts if asked", "SHOULD", verify.Failed, Options{Strict: true}, "a rule is broken; "},
		{"a warning", "MUST", verify.OverBudget, Options{BudgetsWarn: true}, alone},
		{"another error", "MUST", verify.Errored, Options{}, "not every rule could be judged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := events.Run{System: "notes", Result: &verify.Result{Rules: []verify.RuleResult{
				rule("N-A-1", "MUST", "One", miswritten),
				rule("N-A-2", test.severity, "Another", judged("other", test.outcome, "so"))}}}
			lines := strings.Split(strings.TrimSpace(written(t, run, test.options, Look{})), "\n")
			if last := lines[len(lines)-1]; !strings.Contains(last, test.want) {
				t.Errorf("%q, want %q", last, test.want)
			}
		})
	}
}

// What a run has counted is shown although it cannot be trusted; a run without a result has nothing to show.
func TestTextOfARunThatCannotBeTrusted(t *testing.T) {
	run := mixed()
	run.Err = &verify.NoCallsError{}
	got := written(t, run, Options{}, Look{})
	wantInOrder(t, got, "Causes", "10 scenarios: 1 passed", "familyscheduler: nothing could be judged")
	if strings.Contains(got, "design: ") {
		t.Errorf("rules are shown:\n%s", got)
	}
	run.Result = nil
	if got := written(t, run, Options{}, Look{}); got != "" {
		t.Errorf("text %q: the one message is the error's", got)
	}
}

func TestJSON(t *testing.T) {
	unstarted := events.Run{System: "other", Err: errors.New("store unavailable: node is not in PATH")}
	var b strings.Builder
	if err := JSON(&b, of(Options{}, "v0.1.0 (go1.26)", mixed(), unstarted)); err != nil {
		t.Fatal(err)
	}
	golden(t, "mixed.json", b.String())
	if !json.Valid([]byte(b.String())) {
		t.Error("it is not JSON")
	}
}

func TestOutcomeOfSeveralRuns(t *testing.T) {
	with := func(severity string, outcome verify.Outcome) events.Run {
		return events.Run{Result: &verify.Result{Rules: []verify.RuleResult{rule("X-Y-1", severity, "",
			judged("", outcome, ""))}}}
	}
	for _, test := range []struct {
		name    string
		runs    []events.Run
		options Options
		want    verify.Outcome
	}{
		{"all pass", []events.Run{with("MUST", verify.Passed), with("MUST", verify.Skipped)}, Options{}, verify.Passed},
		{"the worst counts", []events.Run{with("MUST", verify.OverBudget), with("MUST", verify.Failed)}, Options{},
			verify.Failed},
		{"budgets warn", []events.Run{with("MUST", verify.OverBudget)}, Options{BudgetsWarn: true}, verify.Passed},
		{"should", []events.Run{with("SHOULD", verify.Failed)}, Options{}, verify.Passed},
		{"should, strict", []events.Run{with("SHOULD", verify.Failed)}, Options{Strict: true}, verify.Failed},
		{"not begun", []events.Run{with("MUST", verify.Failed), {Err: io.EOF}}, Options{}, verify.Errored},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			if err := JSON(&b, of(test.options, "", test.runs...)); err != nil {
				t.Fatal(err)
			}
			var got struct{ Outcome verify.Outcome }
			if err := json.Unmarshal([]byte(b.String()), &got); err != nil || got.Outcome != test.want {
				t.Errorf("outcome %q, %v; want %q", got.Outcome, err, test.want)
			}
		})
	}
}

func TestRules(t *testing.T) {
	first := mixed().Result.Rules[0].Rule
	first.Scenarios = []verify.Scenario{{Name: "chat", File: first.File, Line: 12},
		{Name: "chat costs", File: first.File, Line: 20, Reference: true}}
	second := mixed().Result.Rules[3].Rule
	second.Scenarios = []verify.Scenario{{Name: "a span", File: second.File, Line: 30}}
	var b strings.Builder
	if err := Rules(&b, []verify.Rule{first, second}); err != nil {
		t.Fatal(err)
	}
	golden(t, "rules.txt", b.String())

	b.Reset()
	if err := RulesJSON(&b, nil); err != nil || b.String() != "{\n  \"rules\": []\n}\n" {
		t.Errorf("no rules: %q, %v", b.String(), err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestWriteErrorsAreReturned(t *testing.T) {
	for name, write := range map[string]func() error{
		"text":  func() error { return Text(full{}, NewRun(mixed(), Options{}), Look{}) },
		"json":  func() error { return JSON(full{}, of(Options{}, "")) },
		"rules": func() error { return Rules(full{}, []verify.Rule{{}}) },
	} {
		if err := write(); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Codes that are only spelled differently get lines for a mapping; others are defects.
func TestCodesThatAreSpelledDifferently(t *testing.T) {
	cause := func(got, want string) *Cause {
		return &Cause{Reason: fmt.Sprintf("POST /a answered 404 with the error code %q, not %q", got, want)}
	}
	for name, test := range map[string]struct {
		causes []*Cause
		want   string
	}{
		"in another case": {[]*Cause{cause("NOT_A_MEMBER", "not_a_member"), cause("NOT_A_MEMBER", "not_a_member")},
			"codes:\n  NOT_A_MEMBER: not_a_member\n"},
		"in words":     {[]*Cause{cause("not-a.member", "not_a_member")}, "codes:\n  not-a.member: not_a_member\n"},
		"another code": {[]*Cause{cause("GONE", "not_a_member")}, ""},
		"beside a route": {[]*Cause{{Missing: "GET /b"}, cause("GONE_1", "gone1")},
			"routes:\n  GET /b: missing\ncodes:\n  GONE_1: gone1\n"},
	} {
		about, lines := mappingOf(events.Run{Result: &verify.Result{}}, test.causes)
		if lines != test.want || (about == "") != (lines == "") {
			t.Errorf("%s: %q, introduced by %q", name, lines, about)
		}
	}
}

// runOfMissingRoutes is a run on a server that lacks two routes.
func runOfMissingRoutes() events.Run {
	missing := func(name string, outcome verify.Outcome, reason, route string) verify.ScenarioResult {
		result := judged(name, outcome, reason)
		result.Missing = &verify.MissingRoute{Route: route, Status: 404}
		result.Requests = []scenario.Exchange{{Person: "Ana", Method: "POST", Path: "/hook", Status: 404}}
		return result
	}
	return events.Run{System: "familyscheduler", Result: &verify.Result{Target: "node server.mjs", Store: "embedded",
		Rules: []verify.RuleResult{
			rule("FS-A-1", "MUST", "a", judged("one", verify.Failed, "GET /a answered 200, not 400"),
				judged("two", verify.Failed, "GET /a answered 200, not 400")),
			rule("FS-B-1", "MUST", "b", missing("one", verify.NotPrepared,
				"POST /hook answered 404, which no step expects", "POST /hook")),
			rule("FS-C-1", "MUST", "c", missing("one", verify.Failed, "POST /hook answered 404, not 503", "POST /hook"),
				missing("two", verify.Failed, "GET /x/1 answered 404, not 200", "GET /x/{id}")),
		}}}
}

// Scenarios that fail by a route that the server does not have are one cause, the first, with what to paste.
func TestMissingRoutesAreOneCauseEach(t *testing.T) {
	run := runOfMissingRoutes()
	var text, document strings.Builder
	if err := Text(&text, NewRun(run, Options{}), Look{}); err != nil {
		t.Fatal(err)
	}
	wantInOrder(t, text.String(), "FS-B-1", "which no step expects", "FS-C-1",
		"1 scenario: POST /hook always answered 404, as at familyscheduler/gating.feature:12", "Causes",
		"2 failed: POST /hook always answered 404 (FS-B-1, FS-C-1)",
		"1 failed: GET /x/{id} always answered 404 (FS-C-1)",
		"2 failed: GET /a answered 200, not 400 (FS-A-1)", "--map FILE", "  routes:\n    POST /hook: missing\n"+
			"    GET /x/{id}: missing\n")
	if strings.Contains(text.String(), "answered 404, not 503") {
		t.Errorf("every scenario of a missing route is shown in full:\n%s", text.String())
	}
	if err := JSON(&document, of(Options{}, "1", run)); err != nil {
		t.Fatal(err)
	}
	wantInOrder(t, document.String(), `"missing": "POST /hook"`,
		`"mapping": "routes:\n  POST /hook: missing\n  GET /x/{id}: missing\n"`)
	stream := of(Options{}, "", run)
	var summary, page, annotations strings.Builder
	if err := errors.Join(Summary(&summary, stream), HTML(&page, stream, Extras{}),
		GitHub(&annotations, stream)); err != nil {
		t.Fatal(err)
	}
	wantInOrder(t, summary.String(), "| 2 | failed | POST /hook always answered 404",
		"```yaml\nroutes:\n  POST /hook: missing\n")
	wantInOrder(t, page.String(), "POST /hook always answered 404", "<pre>routes:\n  POST /hook: missing\n")
	if n := strings.Count(annotations.String(), "POST /hook always answered 404"); n != 1 {
		t.Errorf("%d annotations for one missing route:\n%s", n, annotations.String())
	}
}

func TestNoMappingIsAdvisedWithoutAWholeRun(t *testing.T) {
	run := runOfMissingRoutes()
	limited := run
	limited.Asked.Rules = []string{"FS-B-1"} // of a few scenarios, all may rightly be answered 404
	run.Err = errors.New("the server has none of the routes")
	for what, run := range map[string]events.Run{"a limited run": limited, "a run that cannot be judged": run} {
		var all strings.Builder
		stream := of(Options{}, "", run)
		if err := errors.Join(Text(&all, NewRun(run, Options{}), Look{}), JSON(&all, of(Options{}, "1", run)),
			Summary(&all, stream), HTML(&all, stream, Extras{})); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(all.String(), "POST /hook: missing") {
			t.Errorf("%s says what a mapping needs:\n%s", what, all.String())
		}
	}
	var text strings.Builder
	if err := Text(&text, NewRun(run, Options{}), Look{}); err != nil {
		t.Fatal(err)
	}
	wantInOrder(t, text.String(), "2 failed: POST /hook always answered 404", "5 scenarios: 1 not prepared, 4 failed",
		"familyscheduler: nothing could be judged")
	if strings.Contains(text.String(), "FS-A-1 failed") {
		t.Errorf("rules are shown of a run that cannot be trusted:\n%s", text.String())
	}
}

// wantInOrder checks that a text has all parts, one after the other.
func wantInOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("%q does not stand where it is expected in:\n%s", part, text)
		}
		rest = after
	}
}
