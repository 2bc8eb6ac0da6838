package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/storespec/storespec/internal/azure"
	"github.com/storespec/storespec/internal/browsertest"
	"github.com/storespec/storespec/internal/budget"
	"github.com/storespec/storespec/internal/cases"
	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/matching"
	"github.com/storespec/storespec/internal/mutant"
	"github.com/storespec/storespec/internal/mutation"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wiremutant"
)

// rich is a stream with everything that a report can show.
func rich() *events.Stream {
	run := mixed()
	run.Asked = events.Asked{Suite: "0123456789ab", Started: "command", Faults: "default", Orders: 200, Seed: 1,
		Flags: []string{"--tags", "~@slow"}, Command: []string{"node", "server.js", "it's"}}
	denied := &run.Result.Rules[1].Results[0]
	denied.Differences = []matching.Difference{{Where: "the answer to POST /api/chat", Expected: "403 not_allowed",
		Seen: "200"}}
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	request := &denied.Requests[1]
	request.Type = "application/json"
	request.Start, request.Duration, request.Body, request.Caller, request.Odd = began, 5*time.Millisecond,
		`{"groupId":"g1","text":"it's <b>me</b>"}`, []string{"x-session-id: {session}"}, []int{1}
	for i := range request.Calls {
		request.Calls[i].Start, request.Calls[i].Duration = began.Add(time.Duration(i)*time.Millisecond),
			time.Millisecond
	}
	denied.Start = began
	denied.Cases = []cases.CaseSummary{{Kind: "fault", Run: 30}}
	calls := strings.Repeat(", table point read on GroupMembers {Family} {Ben.userKey}", 8)
	denied.Broken = []cases.BrokenCase{{Kind: "order", Name: "the order\n    a Ben: send" + calls +
		"\n    b Ana: send" + calls, Step: "Ben is active in both tables of Family", Reason: "Ben has no row",
		Replay: "dG9rZW4",
		Differences: []matching.Difference{{Where: "the rows of Ben in GroupMembers and UserGroups of Family",
			Expected: "there, there", Seen: "there, absent"}}}}
	run.Result.Rules[2].Results[0].Budgets = []budget.Budget{{Step: "the storage calls are at most", Odd: []int{0},
		Allowed: []budget.Allowance{{Service: azure.Table, Call: "point read", On: "Groups", Count: 1, Used: 1}}}}
	run.Result.Rules[0].Results[0].Requests = []scenario.Exchange{{Person: "Ana", Method: "GET", Path: "/api/me/groups",
		Status: 200, Start: began, Duration: time.Millisecond, Calls: azure.AllCompleted([]wire.Call{
			{Service: azure.Table, Class: azure.TableScan, Resource: "Groups", Filter: "name eq '</script><b>'",
				Status: 200, Start: began, Duration: 900 * time.Microsecond, Entities: 3},
			{Service: azure.Table, Class: azure.PointRead, Resource: "UserGroups",
				Key: []string{strings.Repeat("0123456789abcdef", 4), "g1"}, Capacity: new(0.5)},
		})}}
	return &events.Stream{Header: events.Header{Format: events.Format, Version: "v0.1.0"}, Runs: []events.Run{run}}
}

func matrices() *Matrices {
	return &Matrices{Storespec: "v0.1.0", Systems: []matrixView{{
		System: "familyscheduler", Counts: map[mutant.Verdict]int{mutant.Killed: 1, mutant.Survived: 1},
		Missing: []string{"FS-SRV-7"},
		Mutants: []mutantView{
			{Result: mutant.Result{Patch: mutant.Patch{Rule: "FS-GATE-4", Breaks: "a removed member may still chat"},
				Verdict: mutant.Killed,
				Kill:    &mutant.Kill{Scenario: "chat", File: "familyscheduler/gating.feature", Line: 12}}},
			{Result: mutant.Result{Patch: mutant.Patch{Rule: "FS-GRP-1", Breaks: "a rename counts members"},
				Verdict: mutant.Survived}},
		},
	}}, Scores: []scoreView{{
		System: "familyscheduler", Score: 50, Counts: map[mutant.Verdict]int{mutant.Killed: 1, mutant.Survived: 1},
		Mutants: []generatedView{
			{Generated: mutant.Generated{Mutant: &mutation.Mutant{Name: "gate.go/gate/negated-1"},
				Verdict: mutant.Killed}},
			{Generated: mutant.Generated{Mutant: &mutation.Mutant{Name: "gate.go/gate/term-1"},
				Verdict: mutant.Survived, Diff: "-a && b"}},
		},
	}}, Wire: []wireView{{
		System: "notes", Noticed: 75, Breaking: 50,
		Counts: map[mutant.Verdict]int{mutant.Killed: 1, mutant.Survived: 1},
		Gaps:   []string{"no rule notices when writes to Audit <are> lost"},
		Mutants: []wireMutantView{{What: "writes to Notes are lost", Result: wiremutant.Result{Verdict: mutant.Killed,
			Noticed: []wiremutant.Notice{{Rule: "NOTES-ADD-1", Kill: mutant.Kill{File: "notes/notes.feature", Line: 8,
				Outcome: verify.NotPrepared}}}}}},
	}}}
}

func html(t *testing.T) string {
	t.Helper()
	var page strings.Builder
	if err := HTML(&page, rich(), matrices()); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

func TestHTMLTellsEverything(t *testing.T) {
	page := html(t)
	for what, want := range map[string]string{
		"verdict":          "familyscheduler: not every rule could be judged",
		"link to a rule":   `<a href="#FS-GATE-4">FS-GATE-4</a>`,
		"anchor of a rule": `id="FS-GATE-4"`,
		"clause":           "<blockquote>The gate is by table membership.</blockquote>",
		"expected":         "<code>403 not_allowed</code>",
		"curl": `-d &#39;{&#34;groupId&#34;:&#34;g1&#34;,&#34;text&#34;:&#34;it&#39;\&#39;&#39;s ` +
			`&lt;b&gt;me&lt;/b&gt;&#34;}&#39;`,
		"rows of a case": `<td data-as="seen"><code>there, absent</code></td>`,
		"replay command": `storespec verify familyscheduler --replay dG9rZW4 --tags &#39;~@slow&#39; -- node ` +
			`server.js &#39;it&#39;\&#39;&#39;s&#39;`,
		"budget within": `<td>table point read on Groups</td><td class="number" data-as="allowed">1</td><td ` +
			`class="number" data-as="seen">1</td>`,
		"call over budget":    `<tr class="over">`,
		"mutant":              "a removed member may still chat",
		"score":               "The score is 50.0 %",
		"survivor":            `<h3>gate.go/gate/term-1 <span class="outcome`,
		"its change":          "<pre>-a &amp;&amp; b</pre>",
		"mutants at the wire": `75.0 % of the mutants are noticed by a rule; 50.0 % of the rules break under one`,
		"gap":                 `<li>no rule notices when writes to Audit &lt;are&gt; lost</li>`,
		"who noticed": `<a href="#NOTES-ADD-1">NOTES-ADD-1</a> <span class="soft">notes/notes.feature:8, not ` +
			`prepared</span>`,
		"rule without mutant":                         `Rules without a mutant: <a href="#FS-SRV-7">`,
		"a text of a call that looks like the page's": `name eq '\u003c/script\u003e\u003cb\u003e'`,
		"seed":              "seed 1",
		"reason for a skip": "2 skipped: storespec did not start this target",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: the page lacks %q", what, want)
		}
	}
	if strings.Contains(page, strings.Repeat("0123456789abcdef", 4)) {
		t.Error("a digest stands there in full, in a scenario that passed")
	}
}

// The whole of two systems has to fit into 3 MiB: some 1,500 scenarios of 4 requests with 5 calls each.
func TestHTMLIsSmall(t *testing.T) {
	stream := rich()
	passed := &stream.Runs[0].Result.Rules[0]
	sample := passed.Results[0]
	sample.Requests[0].Calls = nil
	passed.Results = nil
	for i := range 1500 {
		s := sample
		s.Requests = nil
		for j := range 4 {
			r := sample.Requests[0]
			for k := range 5 {
				r.Calls = append(r.Calls,
					azure.Completed(wire.Call{Service: azure.Table, Class: azure.PointRead, Operation: "Get Entity",
						Resource: "GroupMembers",
						Key:      []string{fmt.Sprintf("grp-Family-%d", i), fmt.Sprintf("%064x", i*7+k)}, Status: 200,
						Entities: 1,
						Start:    r.Start.Add(time.Duration(j*k) * time.Millisecond),
						Duration: time.Duration(k) * time.Millisecond, Attempts: 1, RequestBytes: 10,
						ResponseBytes: 300}))
			}
			s.Requests = append(s.Requests, r)
		}
		passed.Results = append(passed.Results, s)
	}
	var page strings.Builder
	if err := HTML(&page, stream, nil); err != nil {
		t.Fatal(err)
	}
	if page.Len() > 3<<20 {
		t.Errorf("the page has %d bytes", page.Len())
	}
}

func TestHTMLInABrowser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(html(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	address := "file://" + filepath.ToSlash(file)
	b := browsertest.Open(t)
	b.Do(chromedp.Navigate(address))
	b.Await(`document.documentElement.dataset.ready === "true"`)
	b.Looks("report")

	b.TabTo("Find rules")
	b.Do(chromedp.SendKeys("#filter", "removed member", chromedp.ByID))
	b.Await(`document.getElementById("found").textContent === "1 of 6 rules" && ` +
		`document.getElementById("FS-ID-1").hidden && !document.getElementById("FS-GATE-4").hidden`)

	// A link to what the filter hides shows it, with the calls of each request.
	b.Do(chromedp.Evaluate(`location.hash = "FS-ID-1.1"`, nil))
	b.Await(`!document.getElementById("FS-ID-1").hidden && document.getElementById("FS-ID-1.1").open && ` +
		`document.activeElement === document.querySelector("[id='FS-ID-1.1'] > summary")`)
	b.Await(`document.querySelector("[id='FS-ID-1.1'] .calls").innerText.includes("table scan on Groups") && ` +
		`document.querySelectorAll("[id='FS-ID-1.1'] .track i.wide").length === 1`)
	b.Await(`document.querySelector("[id='FS-GATE-4.1'] .calls li.odd").innerText.includes("→ table point read on ` +
		`GroupMembers")`)
	b.Await(`document.querySelectorAll("[id='FS-GATE-4.1'] .calls li.inner").length === 1`)

	// By keyboard alone: the summary that has the focus closes.
	b.Do(chromedp.KeyEvent(kb.Enter))
	b.Await(`!document.getElementById("FS-ID-1.1").open`)

	b.Do(chromedp.Evaluate(`for (const d of document.querySelectorAll("details")) d.open = true`, nil))
	b.Await(`document.querySelectorAll("[id='FS-ID-1.1'] .calls li").length === 2`)
	b.Await(`document.querySelector("[id='FS-ID-1.1'] .calls").innerText.includes("0.5 units")`)
	b.Looks("report-open")
	b.Do(emulation.SetDeviceMetricsOverride(1280, 740, 1, false))
	b.Await(`document.documentElement.clientWidth === 1280`)
	if got := b.Eval(brokenWords); got != "" {
		t.Errorf("narrow columns break words: %s", got)
	}
	if got := b.Eval(obscured); got != "" {
		t.Errorf("the focus hides behind the filter box: %s", got)
	}
	if got := b.Eval(`document.querySelector("[data-as=case]").innerText.split("\n").length`); got != "3" {
		t.Errorf("the steps of an order stand in %s lines, not 3", got)
	}
	b.Do(emulation.SetDeviceMetricsOverride(800, 740, 1, false))
	b.Await(`document.documentElement.clientWidth === 800 && Math.min(...[...document.querySelectorAll(".calls ` +
		`li:not(.inner) .key")].map((key) => key.offsetWidth)) > 150`)
	b.NoProblems()
	for _, asked := range b.Requests() {
		if asked, _, _ := strings.Cut(asked, "#"); asked != address {
			t.Errorf("the page asks for %s", asked)
		}
	}
}

// brokenWords names the short texts of tables that stand in more lines than they have words.
const brokenWords = `[...document.querySelectorAll("th, td.number, [data-as=seen] code")].filter((e) => {
	const text = document.createRange();
	text.selectNodeContents(e);
	return new Set([...text.getClientRects()].map((line) => line.top)).size > e.textContent.trim().split(/\s+/).length;
}).map((e) => e.textContent)`

// obscured names what stands behind the filter box when it has the focus, on the way from the end of the page to its
// begin (WCAG 2.2, 2.4.11).
const obscured = `[...document.querySelectorAll("main summary, main [href]")].filter((e) => e.offsetParent)
.reverse().filter((e) => {
	e.focus();
	return e.getBoundingClientRect().top < document.querySelector(".find").getBoundingClientRect().bottom - 1;
}).map((e) => e.textContent)`

var (
	scheme   = regexp.MustCompile(`(?s):root \{(.*?)\}`)
	variable = regexp.MustCompile(`--(\w+): #([0-9a-f]{3,6});`)
)

// Each text has a contrast of 4.5:1 with what it stands on, each bar 3:1 (WCAG 2.2, 1.4.3 and 1.4.11), in every scheme.
func TestPaletteHasContrast(t *testing.T) {
	style, err := pageFiles.ReadFile("page/report.css")
	if err != nil {
		t.Fatal(err)
	}
	schemes := scheme.FindAllStringSubmatch(string(style), -1)
	if len(schemes) != 3 {
		t.Fatalf("%d schemes, not light, dark and print", len(schemes))
	}
	colors := map[string]string{}
	for i, found := range schemes {
		for _, v := range variable.FindAllStringSubmatch(found[1], -1) {
			colors[v[1]] = v[2]
		}
		for _, ground := range []string{"ground", "card", "mark"} {
			for _, on := range []string{"text", "soft", "accent", "good", "bad", "warn", "idle"} {
				if ratio := contrast(t, colors[on], colors[ground]); ratio < 4.5 {
					t.Errorf("scheme %d: --%s on --%s has the contrast %.2f", i, on, ground, ratio)
				}
			}
		}
		for _, bar := range []string{"read", "write", "wide"} {
			if ratio := contrast(t, colors[bar], colors["ground"]); ratio < 3 {
				t.Errorf("scheme %d: --%s on --ground has the contrast %.2f", i, bar, ratio)
			}
		}
	}
}

// contrast is the ratio of two colors (WCAG 2.2, "contrast ratio").
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, color string) float64 {
	t.Helper()
	if len(color) == 3 {
		color = string([]byte{color[0], color[0], color[1], color[1], color[2], color[2]})
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		channel, err := strconv.ParseUint(color[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatalf("the color %q: %v", color, err)
		}
		v := float64(channel) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
