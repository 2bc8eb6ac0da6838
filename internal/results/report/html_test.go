package report

import (
	htmltext "html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/prove/mutation"
	"github.com/storespec/storespec/internal/prove/wiremutant"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/results/price"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// rich is a stream with everything that a page can show.
func rich() *events.Stream {
	run := mixed()
	run.Asked = events.Asked{Suite: "0123456789ab", Started: "command", Faults: "default", Orders: 200, Seed: 1,
		Flags: []string{"--tags", "~@slow"}, Command: []string{"node", "server.js", "it's"}}
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	family := "8a3f6f0e-5a2c-4a67-9d0e-0123456789ab"

	denied := &run.Result.Rules[1].Results[0]
	denied.Start, denied.Steps, denied.Names = began, make([]time.Duration, 3), map[string]string{family: "Family"}
	denied.Differences = []matching.Difference{{Where: "the answer to POST /api/chat", Expected: "403 not_allowed",
		Seen: "200"}}
	denied.Requests[0].Step = 1
	request := &denied.Requests[1]
	request.Step, request.Type, request.Answer, request.Wrote = 2, "application/json", `{"of":"`+family+`"}`,
		"TypeError: <b>\n    at chat (server.js:1)"
	request.Start, request.Duration, request.Body, request.Caller, request.Odd = began, 5*time.Millisecond,
		`{"groupId":"`+family+`","text":"it's <b>me</b>"}`, []string{"x-session-id: {session}"}, []int{1}
	for i := range request.Calls {
		request.Calls[i].Start, request.Calls[i].Duration = began.Add(time.Duration(i)*time.Millisecond),
			time.Millisecond
	}

	raced := &run.Result.Rules[1].Results[1]
	raced.Step, raced.Steps = "these run at the same time", make([]time.Duration, 1)
	raced.Cases = []cases.CaseSummary{{Kind: "order", Run: 30}}
	raced.Broken = []cases.BrokenCase{order("dG9rZW4"), order("b3RoZXI")}
	raced.Requests = []scenario.Exchange{{Step: 1, Person: "Ana", Method: "PUT", Path: "/api/a", Status: 204},
		{Step: 1, Person: "Ben", Method: "PUT", Path: "/api/b", Status: 409}}

	costly := &run.Result.Rules[2].Results[0]
	costly.Budgets = []budget.Budget{{Step: "the storage calls are at most", Odd: []int{2},
		Allowed: []budget.Allowance{{Service: azure.Table, Call: "write", On: "Groups", Count: 1, Used: 1},
			{Service: azure.Table, Call: "point read", On: "Groups", Count: 1, Used: 2}}}}
	read := azure.Completed(wire.Call{Service: azure.Table, Class: azure.PointRead, Resource: "Groups",
		Key: []string{"g1", "meta"}, Status: 200, Entities: 1})
	costly.Requests[0].Calls = append(costly.Requests[0].Calls, read, read)
	costly.Reason = strings.Replace(costly.Reason, "over budget", "a span is missing\nover budget", 1)

	run.Result.Rules[0].Results[0].Requests = []scenario.Exchange{{Person: "Ana", Method: "GET",
		Path: "/api/groups/" + family, Status: 200, Start: began, Duration: time.Millisecond,
		Calls: azure.AllCompleted([]wire.Call{
			{Service: azure.Table, Class: azure.TableScan, Resource: "Groups</script>", Status: 200, Start: began,
				Duration: 900 * time.Microsecond, Entities: 3},
			{Service: azure.Table, Class: azure.PointRead, Resource: "UserGroups",
				Key: []string{strings.Repeat("0123456789abcdef", 4), "g1"}, Capacity: new(0.5)},
		})}}
	const file = "familyscheduler/gating.feature"
	return &events.Stream{Header: events.Header{Format: events.Format, Version: "v0.1.0"}, Runs: []events.Run{run},
		Scenarios: []events.Scenario{
			{File: file, Line: 12, Name: "chat", Steps: []events.Step{
				{Keyword: "Given ", Text: "Ana is an active member of Family", Prepares: true},
				{Keyword: "When ", Text: `Ben sends POST /api/chat {"groupId":"{Family}"}`},
				{Keyword: "Then ", Text: denied.Step},
				{Keyword: "And ", Text: "Family is as before"}}},
			{File: file, Line: 13, Name: "direct", Steps: []events.Step{
				{Keyword: "When ", Text: raced.Step, Table: [][]string{{"who", "method", "path"},
					{"Ana", "PUT", "/api/a"}, {"Ben", "PUT", "/api/b"}}},
				{Keyword: "Then ", Text: "each answer is one of 200, 409"},
				{Keyword: "And ", Text: "Ben is active in both tables of Family"}}},
		}}
}

// order is a case in which two requests write the same row.
func order(replay string) cases.BrokenCase {
	return cases.BrokenCase{Kind: "order", Name: "in the order\n    a Ana: send\n    b Ben: send", Replay: replay,
		Step: "Ben is active in both tables of Family", Reason: "Ben has no row",
		Differences: []matching.Difference{{Where: "the rows of Ben in GroupMembers and UserGroups of Family",
			Expected: "a row in each of the two tables", Seen: "there in one, absent in the other"}},
		Order: []cases.Turn{
			{Request: 0, Who: "Ana", Call: "send"},
			{Request: 0, Who: "Ana", Call: "table point read on GroupMembers {Family} {Ben.userKey}", Status: 200},
			{Request: 1, Who: "Ben", Call: "send"},
			{Request: 1, Who: "Ben", Call: "table update on GroupMembers {Family} {Ben.userKey}", Status: 412},
			{Request: 1, Who: "Ben", Call: "table point read on Groups group {Family}", Status: 200}}}
}

func matrices() *Matrices {
	return &Matrices{Storespec: "v0.1.0", Systems: []matrixView{{
		judgedView: judgedView{System: "familyscheduler"},
		Counts:     map[mutant.Verdict]int{mutant.Killed: 1, mutant.Survived: 1},
		Missing:    []string{"FS-SRV-7"},
		Mutants: []mutantView{
			{Result: mutant.Result{Patch: mutant.Patch{Rule: "FS-GATE-4", Breaks: "a removed member may still chat"},
				Verdict: mutant.Killed,
				Kill:    &mutant.Kill{Scenario: "chat", File: "familyscheduler/gating.feature", Line: 12}}},
			{Result: mutant.Result{Patch: mutant.Patch{Rule: "FS-GRP-1", Breaks: "a rename counts members"},
				Verdict: mutant.Survived}},
		},
	}}, Scores: []scoreView{{
		judgedView: judgedView{System: "familyscheduler"},
		Score:      50, Counts: map[mutant.Verdict]int{mutant.Killed: 1, mutant.Survived: 1},
		Mutants: []generatedView{
			{Generated: mutant.Generated{Mutant: &mutation.Mutant{Name: "gate.go/gate/negated-1"},
				Verdict: mutant.Killed}},
			{Generated: mutant.Generated{Mutant: &mutation.Mutant{Name: "gate.go/gate/term-1"},
				Verdict: mutant.Survived, Diff: "-a && b"}},
		},
	}}, Wire: []wireView{{
		judgedView: judgedView{System: "notes"}, Noticed: 75, Breaking: 50,
		Counts: map[mutant.Verdict]int{mutant.Killed: 1, mutant.Survived: 1},
		Gaps:   []string{"no rule notices when writes to Audit <are> lost"},
		Mutants: []wireMutantView{{What: "writes to Notes are lost", Result: wiremutant.Result{Verdict: mutant.Killed,
			Noticed: []wiremutant.Notice{{Rule: "NOTES-ADD-1", Kill: mutant.Kill{File: "notes/notes.feature", Line: 8,
				Outcome: verify.NotPrepared}}}}}},
	}}}
}

func html(t *testing.T, s *events.Stream, extras Extras) string {
	t.Helper()
	var page strings.Builder
	if err := HTML(&page, New(s), extras); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

var (
	unread = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`)
	blocks = regexp.MustCompile(`</?(p|li|ol|ul|pre|div|section|h\d|tr|summary|dt|blockquote|title)\b[^>]*>`)
	tags   = regexp.MustCompile(`<[^>]*>`)
	gaps   = regexp.MustCompile(`[ \t]*\n\s*`)
	blanks = regexp.MustCompile(`[ \t]+`)
)

// readable returns what a page says to a reader without styles and scripts.
func readable(page string) string {
	page = tags.ReplaceAllString(blocks.ReplaceAllString(unread.ReplaceAllString(page, ""), "\n"), " ")
	return strings.TrimSpace(gaps.ReplaceAllString(blanks.ReplaceAllString(htmltext.UnescapeString(page), " "), "\n")) +
		"\n"
}

func TestHTMLReadsWithoutStylesAndScripts(t *testing.T) {
	golden(t, "page.txt", readable(html(t, rich(), Extras{Mutants: matrices(), Prices: prices(t)})))
}

// prices is a list that lacks most calls.
func prices(t *testing.T) *price.List {
	t.Helper()
	file := filepath.Join(t.TempDir(), "prices.yaml")
	const text = "currency: USD\ndate: 2026-11-20\nsource: an offer\nprices:\n" +
		"  - {service: table, call: table scan, price: 0.5, per: 10000}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := price.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestHTMLIsSafeAndLinked(t *testing.T) {
	page := html(t, rich(), Extras{Mutants: matrices()})
	for what, want := range map[string]string{
		"the outcome in the title": "<title>✗ Not every rule could be judged – familyscheduler</title>",
		"an icon":                  `<link rel="icon" href="data:image/svg&#43;xml,`,
		"a link to a cause":        `<a class="why" href="#FS-GATE-4.1">`,
		"an anchor of a rule":      `id="FS-GATE-4"`,
		"a request in a command": `-d &#39;{&#34;groupId&#34;:&#34;8a3f6f0e-5a2c-4a67-9d0e-0123456789ab&#34;,&#34;` +
			`text&#34;:&#34;it&#39;\&#39;&#39;s &lt;b&gt;me&lt;/b&gt;&#34;}&#39;`,
		"a replay": `storespec verify familyscheduler --replay dG9rZW4 --tags &#39;~@slow&#39; -- node ` +
			`server.js &#39;it&#39;\&#39;&#39;s&#39;`,
		"a text that looks like the page's": "Groups&lt;/script&gt;",
		"what is open":                      `id="FS-GATE-4.1" data-outcome="failed" open>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: the page lacks %q", what, want)
		}
	}
	for what, unwanted := range map[string]string{
		"a digest in full":                      strings.Repeat("0123456789abcdef", 4),
		"a style in an element, against policy": ` style="`,
		"the reason beside the budget it tells": "→ table update on Groups",
		"a price that nobody gave":              "per million</th>",
	} {
		if strings.Contains(page, unwanted) {
			t.Errorf("%s: the page has %q", what, unwanted)
		}
	}
}

// A stream of before steps were known shows the requests, and what the scenario failed by.
func TestHTMLOfAStreamWithoutSteps(t *testing.T) {
	stream := rich()
	stream.Scenarios = nil
	stream.Runs[0].Result.Rules[1].Results[1].Broken[0].Order = nil
	text := readable(html(t, stream, Extras{}))
	for _, want := range []string{"POST /api/chat answered 200, not 403 not_allowed", "in the order\n a Ana: send",
		"At the step: Ben is active in both tables of Family", "Ben sent POST /api/chat 200"} {
		if !strings.Contains(text, strings.ReplaceAll(want, "\n ", "\n")) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestOperationsAreNamedByTheirRoute(t *testing.T) {
	told := &events.Scenario{Steps: []events.Step{{Text: `Ana sends GET /notes/{Main}/parts/a?of={Ana} {"x":"/y"}`}}}
	for path, want := range map[string]string{
		"/notes/of-work/parts/a":       "GET /notes/{…}/parts/a",
		"/notes/of-work/parts/b":       "GET /notes/of-work/parts/b",
		"/v1/notes/8a3f6f0e/parts/<x>": "GET /v1/notes/{…}/parts/{…}",
		"/":                            "GET /",
	} {
		if got := operationOf(scenario.Exchange{Method: "GET", Path: path, Step: 1}, told); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

func TestSpread(t *testing.T) {
	for want, list := range map[string][]float64{"": nil, "2": {2, 2}, "1 – 3": {3, 1, 3},
		"1 – 9 (median 2)": {9, 1, 2}} {
		if got := spread(list, "%.0f"); got != want {
			t.Errorf("%v is %q, want %q", list, got, want)
		}
	}
}

// What a reason says of the server itself is on the page, whatever else the scenario failed by.
func TestWhatTheServerDidIsNotCutOff(t *testing.T) {
	const over = "over budget: the storage calls of GET /notes\n  allowed:\n    table point read: 1, seen 2\n" +
		"  hint: did you mean Notes?"
	const gone = "the server exited by itself: exit status 5; it wrote:\n  panic"
	for reason, want := range map[string]string{over: "  hint: did you mean Notes?", over + "\n" + gone: gone} {
		hints := strings.Join(budgetHint.FindAllString(budgetReport.FindString(reason), -1), "")
		if got := budgetReport.ReplaceAllString(reason, "") + hints; !strings.Contains(got, want) ||
			strings.Contains(got, "allowed:") {
			t.Errorf("%q is left of %q", got, reason)
		}
	}
	for reason, want := range map[string]string{"2 of 3 faults broke it\n" + gone: gone, "2 of 3 faults broke it": "",
		"x\nthe server's log holds a session id": "the server's log holds a session id"} {
		if got := besides(reason); got != want {
			t.Errorf("%q is left of %q", got, reason)
		}
	}
}
