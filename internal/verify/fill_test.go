package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
)

// filling is a feature whose Examples are filled; the outline and its Examples are inserted.
const filling = `Feature: F
  Background:
    Given the gated routes
      | route             | request   |
      | GET /one          | ?a=1      |
      | POST /{group}/two | {"b":"x"} |
    And the budgeted routes
      | route     | with |
      | GET /one  |      |
      | POST /two | a    |
      | POST /two | b    |

  @T-GATE-1 @every-route
  Rule: R
    > clause

%s
    Scenario: after it
      Given List stands for "l"
      When Ana calls GET /one for List
      Then the answer is 200
      And the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Notes | 1     |
      When Ana sends POST /two {"a":"b"}
      Then the storage calls are at most
        | service | call       | on    | count |
        | table   | point read | Notes | 1     |
`

// every is an outline over the gated routes.
const every = `    Scenario Outline: Ben calls <route>
      Given List stands for "l"
      When Ben calls <route> for List
      Then the answer is 200

`

func loadFilled(t *testing.T, outline string) (*Catalogue, error) {
	t.Helper()
	text := fmt.Sprintf(filling, outline)
	return Load(fstest.MapFS{"test/f.feature": {Data: []byte(text)}}, system.System{Name: "test"})
}

func TestExamplesAreFilledFromTheTable(t *testing.T) {
	one := Scenario{Name: "Ben calls GET /one", Example: map[string]string{"route": "GET /one"}, File: "test/f.feature",
		Line: 22}
	two := one
	two.Name, two.Example = "Ben calls POST /{group}/two", map[string]string{"route": "POST /{group}/two"}
	after := func(line int) Scenario { return Scenario{Name: "after it", File: "test/f.feature", Line: line} }
	row := Scenario{Name: "Ben calls GET /one", Example: map[string]string{"what": "more", "route": "GET /one"},
		File: "test/f.feature", Line: 26}
	requests := []Scenario{one, two}
	requests[0].Name, requests[0].Line = "GET /one ?a=1", 22
	requests[0].Example = map[string]string{"route": "GET /one", "request": "?a=1"}
	requests[1].Name, requests[1].Line = `POST /{group}/two {"b":"x"}`, 22
	requests[1].Example = map[string]string{"route": "POST /{group}/two", "request": `{"b":"x"}`}
	budgeted := []Scenario{
		{Name: "GET /one with ", Example: map[string]string{"route": "GET /one", "with": ""}},
		{Name: "POST /two with a", Example: map[string]string{"route": "POST /two", "with": "a"}},
		{Name: "POST /two with b", Example: map[string]string{"route": "POST /two", "with": "b"}},
	}
	for i := range budgeted {
		budgeted[i].File, budgeted[i].Line = "test/f.feature", 26
	}
	for _, test := range []struct {
		name, outline string
		want          []Scenario
	}{
		{"by the routes", every + "      Examples: every gated route\n", []Scenario{one, two, after(24)}},
		{"below a description", every + "      Examples: every gated route\n        Members only,\n\n" +
			"        # not this\n        and guests.\n", []Scenario{one, two, after(28)}},
		{"beside rows", every + "      Examples: every gated route\n\n      Examples:\n        | what | route    |\n" +
			"        | more | GET /one |\n", []Scenario{one, two, row, after(28)}},
		{"by the columns that the outline uses", "    Scenario Outline: <route> <request>\n" +
			"      Given List stands for \"l\"\n      When Ben calls <route> for List\n      Then the answer is 200\n" +
			"\n      Examples: every gated route\n", []Scenario{requests[0], requests[1], after(24)}},
		{"by the budgeted routes", every + `      Examples: every gated route
    Scenario Outline: <route> with <with>
      When Ben sends <route>
      Then the answer is 200
      Examples: every budgeted route
`, []Scenario{one, two, budgeted[0], budgeted[1], budgeted[2], after(28)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := loadFilled(t, test.outline)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, c.Rules[0].Scenarios); diff != "" {
				t.Errorf("the scenarios (-want +got):\n%s", diff)
			}
			if got := len(c.Documents[0].Pickles); got != len(test.want) {
				t.Errorf("the document has %d scenarios, not %d", got, len(test.want))
			}
		})
	}
}

// A cell may hold what separates cells, and a file may end with the line of its Examples.
func TestFilledRowsAreWrittenAsGherkinReadsThem(t *testing.T) {
	const text = "Feature: F\n  Background:\n    Given the gated routes\n" +
		"      | route    | request           |\n      | GET /one | {\"a\":\"\\|\\\\\\\\\"} |\n" +
		"  @T-GATE-1\n  Rule: R\n    > clause\n    Scenario Outline: <route> <request>\n" +
		"      When Ana sends POST /x <request>\n      Then the answer is 200\n\n      Examples: every gated route"
	c, err := Load(fstest.MapFS{"test/f.feature": {Data: []byte(text)}}, system.System{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if name, want := c.Rules[0].Scenarios[0].Name, `GET /one {"a":"|\\"}`; name != want {
		t.Errorf("the scenario is %s, not %s", name, want)
	}
	read, err := fs.ReadFile(c.files, "test/f.feature")
	const rows = "\n| route | request |\n| GET /one | {\"a\":\"\\|\\\\\\\\\"} |\n"
	if err != nil || !strings.HasSuffix(string(read), rows) {
		t.Errorf("%v: godog reads\n%s", err, read)
	}
}

var refusedFillings = []struct{ name, outline, where, reason string }{
	{"rows of their own", every + "      Examples: every gated route\n        | route |\n        | GET /one |\n",
		"test/f.feature:22", "Examples: every gated route are filled from the table of the gated routes, and these " +
			"have rows of their own: remove the rows, or the name"},
	{"a header of their own", every + "      Examples: every gated route\n        | route |\n", "test/f.feature:22",
		"rows of their own"},
	{"no rows and no name", every + "      Examples:\n", "test/f.feature:22",
		"the Examples have no rows, so nothing would run"},
	{"no rows below a header", every + "      Examples:\n        | route |\n", "test/f.feature:22",
		"the Examples have no rows, so nothing would run"},
	{"a misspelt name", every + "      Examples: every gatd route\n", "test/f.feature:22",
		`the Examples have no rows, so nothing would run; did you mean "Examples: every gated route"?`},
	{"another misspelt name", every + "      Examples: every budgeted routes\n", "test/f.feature:22",
		`did you mean "Examples: every budgeted route"?`},
	{"a placeholder in a step", strings.Replace(every, "answer is 200", "answer is <status>", 1) +
		"      Examples: every gated route\n", "test/f.feature:20",
		"<status> is not a column of the gated routes, which fill the Examples in line 22"},
	{"a placeholder in a table", strings.Replace(every, "answer is 200\n", "answer has\n        | x | <a b> |\n", 1) +
		"      Examples: every gated route\n", "test/f.feature:21", "<a b> is not a column of the gated routes"},
	{"a placeholder in a text", strings.Replace(every, "answer is 200\n",
		"the answer is\n        \"\"\"\n        <x>\n        \"\"\"\n", 1) + "      Examples: every gated route\n",
		"test/f.feature:20", "<x> is not a column of the gated routes"},
	{"a name without the route", strings.Replace(every, "Ben calls <route>\n", "Ben calls it\n", 1) +
		"      Examples: every gated route\n", "test/f.feature:17",
		"the outline's name lacks <route>: reports would not say which route of the Examples in line 22 failed"},
	{"two routes of one name", "    Scenario Outline: <route>\n      When Ben sends <route>\n" +
		"      Then the answer is 200\n      Examples: every budgeted route\n", "test/f.feature:17",
		`two of the budgeted routes give the scenario "POST /two": its name needs another column of the table`},
	{"a route twice", every + "      Examples: every gated route\n" +
		"    Scenario Outline: <route> <with>\n      When Ben sends <route>\n      Then the answer is 200\n" +
		"      Examples: every budgeted route\n      Examples: every budgeted route\n", "test/f.feature:27",
		`T-GATE-1 has two scenarios "GET /one " with the same example, the first in line 26`},
}

func TestExamplesThatCannotBeFilledAreRefused(t *testing.T) {
	for _, test := range refusedFillings {
		t.Run(test.name, func(t *testing.T) {
			_, err := loadFilled(t, test.outline)
			if !says(err, test.where, test.reason) {
				t.Errorf("error %v, want %q at %s", err, test.reason, test.where)
			}
		})
	}
}

func TestExamplesAreFilledFromATableThatIsThere(t *testing.T) {
	const text = "Feature: F\n  Background:\n    Given %s\n  @T-GATE-1\n  Rule: R\n    > clause\n" +
		"    Scenario Outline: <route>\n      Then the answer is 200\n      Examples: every gated route\n"
	for _, test := range []struct{ background, where, reason string }{
		{"Ana is a person", "test/f.feature:9", "Examples: every gated route are filled from a table, and the " +
			`feature's Background has no "Given the gated routes"`},
		{"the gated routes\n      | path | request |\n      | GET / | |", "test/f.feature:3",
			"the table of the gated routes needs the column route and at least one row, to fill the Examples in " +
				"line 11"},
		{"the gated routes\n      | route | request |", "test/f.feature:3",
			"the table of the gated routes needs the column route and at least one row, to fill the Examples in " +
				"line 10"},
	} {
		files := fstest.MapFS{"test/f.feature": {Data: fmt.Appendf(nil, text, test.background)}}
		_, err := Load(files, system.System{Name: "test"})
		if !says(err, test.where, test.reason) {
			t.Errorf("%s: error %v, want %q at %s", test.background, err, test.reason, test.where)
		}
	}
}

// filledRun is a run of a filled outline, with the routes that its table lists.
func filledRun(t *testing.T, answer http.HandlerFunc, steps string, routes ...string) Options {
	t.Helper()
	o := options(t, open(t, store.Options{Name: "embedded"}), answer, asks)
	text := "Feature: F\n  Background:\n    Given the gated routes\n      | route | request |\n"
	for _, route := range routes {
		text += "      | " + route + " | |\n"
	}
	text += "  @T-GATE-1 @every-route\n  Rule: R\n    > clause\n    Scenario Outline: Ben calls <route>\n" +
		"      Given List stands for \"l\"\n" + steps + "      Examples: every gated route\n" +
		"    Scenario: the last\n      When Ben sends GET /api/last\n      Then the answer is 200\n"
	var err error
	o.Catalogue, err = Load(fstest.MapFS{"test/f.feature": {Data: []byte(text)}}, system.System{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	o.Storeless = true
	return o
}

const calledOnce = "      When Ben calls <route> for List\n      Then the answer is 200\n"

func TestEachFilledExampleHasItsOwnResult(t *testing.T) {
	o := filledRun(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/b" {
			w.WriteHeader(http.StatusTeapot)
		}
	}, calledOnce, "GET /api/a", "GET /api/b", "GET /api/c")
	var begun []Place
	o.Begins = func(at Place) { begun = append(begun, at) }
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := []Place{{"T-GATE-1", 15, "Ben calls GET /api/a"}, {"T-GATE-1", 15, "Ben calls GET /api/b"},
		{"T-GATE-1", 15, "Ben calls GET /api/c"}, {"T-GATE-1", 16, "the last"}}
	byName := func(a, b Place) int { return strings.Compare(a.Name, b.Name) }
	if slices.SortFunc(begun, byName); !slices.Equal(begun, want) {
		t.Errorf("began %v, not %v", begun, want)
	}
	var got []Place
	for _, one := range result.Rules[0].Results {
		got = append(got, one.Place())
		outcome := Passed
		if one.Name == "Ben calls GET /api/b" {
			outcome = Failed
		}
		if one.Outcome != outcome {
			t.Errorf("%s: %s: %s", one.Name, one.Outcome, one.Reason)
		}
		if route, found := strings.CutPrefix(one.Name, "Ben calls "); found && !maps.Equal(one.Example,
			map[string]string{"route": route}) {
			t.Errorf("%s is the example %v", one.Name, one.Example)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("there are results of %v, not of %v", got, want)
	}
	rule, where := result.Rules[0].Rule, []string{}
	for _, one := range result.Rules[0].Results {
		where = append(where, rule.Where(one))
	}
	if where[1] != `test/f.feature:15 "Ben calls GET /api/b"` || where[3] != "test/f.feature:16" {
		t.Errorf("they stand at %q", where)
	}
}

func TestFilledExamplesAreSelectedOneByOne(t *testing.T) {
	var paths []string
	o := filledRun(t, func(_ http.ResponseWriter, r *http.Request) { paths = append(paths, r.URL.Path) }, calledOnce,
		"GET /api/a", "GET /api/b", "GET /api/c")
	o.Select = func(at Place) bool { return at == Place{"T-GATE-1", 15, "Ben calls GET /api/b"} }
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"/api/b"}; !slices.Equal(paths, want) || len(result.Rules[0].Results) != 1 {
		t.Errorf("it asked %q, not %q: %v", paths, want, result.Rules[0].Results)
	}
}

func TestOneFilledExampleIsReplayed(t *testing.T) {
	var paths []string
	o := filledRun(t, func(_ http.ResponseWriter, r *http.Request) { paths = append(paths, r.URL.Path) },
		calledOnce, "GET /api/a", "GET /api/b")
	for _, test := range []struct {
		at   string
		want []string
		err  error
	}{
		{"test/f.feature:14 Ben calls GET /api/b", []string{"/api/b"}, nil},
		{"test/f.feature:15", []string{"/api/last"}, nil}, // as tokens named scenarios before
		{"test/f.feature:14 Ben calls GET /api/c", nil, ErrNothingSelected},
	} {
		paths, o.Proofs.Only = nil, &proof.Replay{Scenario: test.at}
		if _, err := Run(t.Context(), o); !errors.Is(err, test.err) || !slices.Equal(paths, test.want) {
			t.Errorf("%s: it asked %q, not %q: %v", test.at, paths, test.want, err)
		}
	}
}

// A token names one of the examples, though all of them are in one line.
func TestACaseOfAFilledExampleIsReplayed(t *testing.T) {
	var asked []string
	count := byCount()
	server := &noting{key: func(r *http.Request) string {
		asked = append(asked, r.URL.Path)
		if r.URL.Path == "/api/b" {
			return count(r)
		}
		return path.Base(r.URL.Path)
	}}
	o := filledRun(t, server.ServeHTTP, "      When Ben sends <route> {}, and any one storage call fails\n"+
		"      Then the table Things holds 1 row\n", "POST /api/a", "POST /api/b", "POST /api/c")
	o.Target = told{o.Target, func(connection string) { server.connection = connection }}
	o.Proofs = proof.Proofs{Faults: proof.DefaultFaults, Suite: "d1", Seed: 4}
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	broken := result.Rules[0].Results[1]
	if broken.Name != "Ben calls POST /api/b" || broken.Outcome != Failed || result.ScenarioCounts()[Passed] != 3 {
		t.Fatalf("%v: %s: %s: %s", result.ScenarioCounts(), broken.Name, broken.Outcome, broken.Reason)
	}
	replay, err := proof.ParseReplay(broken.Broken[0].Replay)
	if err != nil {
		t.Fatal(err)
	}
	if want := "test/f.feature:15 Ben calls POST /api/b"; replay.Scenario != want {
		t.Errorf("the token names %q, not %q", replay.Scenario, want)
	}
	asked, o.Proofs.Only = nil, replay
	if result, err = Run(t.Context(), o); err != nil || result.ScenarioCounts()[Failed] != 1 {
		t.Fatalf("%v: %v", err, result.ScenarioCounts())
	}
	if slices.ContainsFunc(asked, func(one string) bool { return one != "/api/b" }) {
		t.Errorf("the replay asked %q", asked)
	}
}

func TestASecondRunOfAFilledExampleReplacesItsFirstAlone(t *testing.T) {
	of := func(name string, outcome Outcome) ScenarioResult {
		return ScenarioResult{Rule: "T-GATE-1", Name: name, Line: 15, Outcome: outcome}
	}
	r := &run{left: map[string]int{}, results: []ScenarioResult{of("a", Passed), of("b", Failed), of("c", Passed)}}
	r.replace(t.Context(), &ended{ScenarioResult: of("b", Passed)})
	want := []ScenarioResult{of("a", Passed), of("c", Passed), of("b", Passed)}
	if diff := cmp.Diff(want, r.results); diff != "" {
		t.Errorf("the results (-want +got):\n%s", diff)
	}
}
