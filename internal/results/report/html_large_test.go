package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/storespec/storespec/internal/dev/browsertest"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// most is how large a page may be, in bytes.
const most = 3 << 20

// large is a run of many scenarios in 60 rules, each with 4 requests of 5 calls. In a red one all fail, a third of them
// over budget, for 40 causes.
func large(scenarios int, red bool) *events.Stream {
	const rules = 60
	stream := rich()
	result := stream.Runs[0].Result
	denied, costly := result.Rules[1].Results[0], result.Rules[2].Results[0]
	told := slices.Clone(stream.Scenarios[0].Steps)
	result.Rules, stream.Scenarios = nil, nil
	for i := range scenarios {
		one := denied
		if i%3 == 0 {
			one = costly
		}
		one.Name, one.Line, one.Requests = fmt.Sprintf("what is shown with %d more members", i), i, requests(i)
		one.Reason += fmt.Sprintf(" as %c", 'a'+i%40)
		if !red {
			one = verify.ScenarioResult{Name: one.Name, File: one.File, Line: i, Outcome: verify.Passed,
				Requests: one.Requests}
		}
		if len(result.Rules) <= i*rules/scenarios {
			result.Rules = append(result.Rules, rule(fmt.Sprintf("FS-BIG-%d", len(result.Rules)), "MUST", "It is so"))
		}
		last := &result.Rules[len(result.Rules)-1]
		last.Results = append(last.Results, one)
		last.Outcome = verify.Worse(last.Outcome, one.Outcome)
		stream.Scenarios = append(stream.Scenarios,
			events.Scenario{File: one.File, Line: i, Name: one.Name, Steps: told})
	}
	return stream
}

func requests(i int) (list []scenario.Exchange) {
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for j := range 4 {
		r := scenario.Exchange{Step: 1 + j/2, Person: "Ana", Method: "POST", Path: fmt.Sprintf("/api/group/%d", j),
			Status: 200, Start: began, Duration: 5 * time.Millisecond, Caller: []string{"x-session-id: {session}"},
			Type: "application/json", Body: fmt.Sprintf(`{"groupId":"grp-Family-%d","groupName":"The Smiths"}`, i)}
		for k := range 5 {
			r.Calls = append(r.Calls, azure.Completed(wire.Call{Service: azure.Table, Class: azure.PointRead,
				Operation: "Get Entity", Resource: []string{"GroupMembers", "Groups"}[k%2],
				Key: []string{fmt.Sprintf("grp-Family-%d", i), fmt.Sprintf("%064x", i*7+k)}, Status: 200, Entities: 1,
				Start:    began.Add(time.Duration(j*k) * time.Millisecond),
				Duration: time.Duration(k) * time.Millisecond, Attempts: 1}))
		}
		list = append(list, r)
	}
	return list
}

// The whole of two systems fits into 3 MiB: some 1,500 scenarios. So does a run in which 500 fail.
func TestLargePagesAreSmall(t *testing.T) {
	for name, stream := range map[string]*events.Stream{"green": large(1500, false), "red": large(500, true)} {
		page := html(t, stream, Extras{})
		t.Logf("%s: %d bytes", name, len(page))
		if len(page) > most {
			t.Errorf("the %s page has %d bytes, more than %d", name, len(page), most)
		}
	}
}

func BenchmarkHTML(b *testing.B) {
	stream := large(500, true)
	for b.Loop() {
		if err := HTML(io.Discard, New(stream), Extras{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLargePageOpens measures how long the page of 500 scenarios that fail takes to open; go test -v shows it.
func TestLargePageOpens(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(html(t, large(500, true), Extras{})), 0o600); err != nil {
		t.Fatal(err)
	}
	b := browsertest.Open(t)
	b.Do(chromedp.Navigate("file://" + filepath.ToSlash(file)))
	b.Await(`document.documentElement.dataset.ready === "true" && document.readyState === "complete"`)
	if got := b.Eval(`document.querySelectorAll(".scenario").length`); got != "500" {
		t.Errorf("the page has %s scenarios", got)
	}
	t.Logf("opened after %s ms, with %s elements", b.Eval(
		`Math.round(performance.getEntriesByType("navigation")[0].loadEventEnd)`),
		b.Eval(`document.querySelectorAll("*").length`))
	b.NoProblems()
}
