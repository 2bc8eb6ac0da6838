package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/search/explore"
)

// walked is a run of explore with one finding.
func walked() Explored {
	return Explored{System: "notes", Seed: 7, Command: []string{"node", "server.js"}, Result: &explore.Result{
		Findings: []explore.Finding{{
			Difference: explore.Difference{Kind: "GET /notes answered 200, not 403", Text: "a <b>difference</b>"},
			Walk:       &explore.Walk{System: "notes", Steps: []explore.Step{{ID: 1, Method: "GET", Path: "/notes"}}},
			Scenario:   "  Scenario: GET /notes\n    When Ben sends GET /notes?q=<b>\n    Then the answer is 403\n",
			Beside:     "    200   403\n", Unproven: "steps cannot say all of it",
		}},
		Walks: 3, Steps: 90, Kept: 2, Seen: 11, Diverged: 1, NotSent: 4, Duration: time.Second,
		Slow: 1, Slowest: explore.SlowAnswer{Route: "GET /notes", Took: 2400 * time.Millisecond},
		Unrepeated: []string{"POST /notes answered 500"},
		Asked: map[explore.Asked]int{{Route: "GET /notes", Person: "Ana", Status: 200}: 5,
			{Route: "GET /notes", Person: "Ben", Status: 200}: 2, {Route: "GET /notes", Person: "Ben", Status: 403}: 1},
		Routes: []string{"GET /metrics", "GET /notes"}, Skipped: map[string]string{"GET /metrics": "it tells times"},
		Freedoms: []explore.Freedom{{What: "message", Of: []string{"*"}, Why: "silent: what it says"}},
	}}
}

func TestExploredText(t *testing.T) {
	var text strings.Builder
	if err := ExploredText(&text, walked()); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"GET /notes answered 200, not 403\n", "    When Ben sends GET /notes?q=<b>\n", "    200   403\n",
		"  the replay shows it, the scenario does not: steps cannot say all of it\n",
		"  again: storespec explore notes --replay ", " -- node server.js\n",
		"not reproducible, not counted: POST /notes answered 500\n",
		"  GET /metrics  not asked: it tells times\n",
		"  GET /notes    200 ×7 Ana Ben; 403 ×1 Ben;\n",
		"notes: 90 steps in 3 walks, 90 a second; 11 things seen, 2 walks kept; 1 walk cut short: the two " +
			"servers made different storage calls; 4 requests not sent: the server lacks what they need; " +
			"1 answer took 1s or longer, the slowest 2.4 s: GET /notes; 1 found\n",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("%q is not in\n%s", line, &text)
		}
	}
}

func TestExploredJSON(t *testing.T) {
	var text strings.Builder
	if err := ExploredJSON(&text, walked(), "v1"); err != nil {
		t.Fatal(err)
	}
	var read struct {
		System        string
		Seed          uint64
		Findings      []struct{ Kind, Scenario, Replay string }
		NotRepeatable []string
		Asked         []struct {
			Route, Person string
			Status, Count int
		}
	}
	if err := json.Unmarshal([]byte(text.String()), &read); err != nil {
		t.Fatal(err)
	}
	if read.System != "notes" || read.Seed != 7 || len(read.Findings) != 1 || len(read.NotRepeatable) != 1 ||
		len(read.Asked) != 3 || read.Asked[0].Count != 5 {
		t.Errorf("%+v", read)
	}
	if walk, err := explore.Parse(read.Findings[0].Replay); err != nil || walk.System != "notes" {
		t.Errorf("the token gives %+v, %v", walk, err)
	}
}

func TestExploredHTML(t *testing.T) {
	var page strings.Builder
	if err := ExploredHTML(&page, walked(), "v1"); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"<title>1 found – storespec explore: notes</title>", "default-src &#39;none&#39;",
		"When Ben sends GET /notes?q=&lt;b&gt;", "<td>message</td><td>*</td><td>silent: what it says</td>",
		`<th class="number">200</th><th class="number">403</th>`,
		`<td class="number">7<br><span class="soft">Ana Ben</span></td>` +
			`<td class="number">1<br><span class="soft">Ben</span></td>`,
		`<td colspan="2">not asked: it tells times</td>`,
	} {
		if !strings.Contains(page.String(), part) {
			t.Errorf("%q is not on the page\n%s", part, &page)
		}
	}
	if strings.Contains(page.String(), "<b>difference") || strings.Contains(page.String(), "q=<b>") {
		t.Error("the page takes what a server said for markup")
	}
}
