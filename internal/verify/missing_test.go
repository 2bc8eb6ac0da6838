package verify

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

const twoRoutes = `openapi: 3.1.0
info: {title: notes, version: "1"}
paths:
  /: {get: {responses: {"200": {description: ready}}}}
  /notes/{id}:
    get: {responses: {"200": {description: a note}}, parameters: [{name: id, in: path, required: true, schema: {}}]}
    put: {responses: {"200": {description: a note}}, parameters: [{name: id, in: path, required: true, schema: {}}]}
`

// scenarioOf is the result of a scenario that sent requests.
func scenarioOf(outcome Outcome, requests ...scenario.Exchange) ScenarioResult {
	last := requests[len(requests)-1]
	return ScenarioResult{Rule: "N-1", Outcome: outcome, Requests: requests,
		Reason: fmt.Sprintf("%s %s answered %d, not 200", last.Method, last.Path, last.Status)}
}

func request(method, path string, status, calls int) scenario.Exchange {
	return scenario.Exchange{Method: method, Path: path, Status: status, Calls: make([]wire.Call, calls)}
}

// A route is missing only if nothing in the whole run shows that the server has it.
func TestWhatShowsThatARouteIsMissing(t *testing.T) {
	notes, err := contract.Load([]byte(twoRoutes))
	if err != nil {
		t.Fatal(err)
	}
	lost := scenarioOf(Failed, request("GET", "/notes/a", 404, 0))
	for name, test := range map[string]struct {
		results []ScenarioResult
		want    string // the route that the first scenario was missing
	}{
		"always 404": {[]ScenarioResult{lost, scenarioOf(Passed, request("GET", "/notes/b", 404, 0))},
			"GET /notes/{id}"},
		"405 and 501": {[]ScenarioResult{scenarioOf(NotPrepared, request("GET", "/notes/a", 405, 0),
			request("GET", "/notes/a", 501, 0))}, "GET /notes/{id}"},
		"once 200":           {[]ScenarioResult{lost, scenarioOf(Passed, request("GET", "/notes/b", 200, 0))}, ""},
		"once 401":           {[]ScenarioResult{lost, scenarioOf(Passed, request("GET", "/notes/b", 401, 0))}, ""},
		"404 after it asked": {[]ScenarioResult{lost, scenarioOf(Passed, request("GET", "/notes/b", 404, 1))}, ""},
		"another method": {[]ScenarioResult{lost, scenarioOf(Passed, request("PUT", "/notes/a", 200, 1))},
			"GET /notes/{id}"},
		"no answer":           {[]ScenarioResult{scenarioOf(Failed, request("GET", "/notes/a", 0, 0))}, ""},
		"not in the contract": {[]ScenarioResult{scenarioOf(Failed, request("GET", "/other", 404, 0))}, ""},
		"the health route":    {[]ScenarioResult{scenarioOf(Failed, request("GET", "/", 404, 0))}, ""},
		"rightly 404":         {[]ScenarioResult{scenarioOf(Passed, request("GET", "/notes/a", 404, 0))}, ""},
		"failed by what it holds": {[]ScenarioResult{{Outcome: Failed, Requests: lost.Requests,
			Reason: `GET /notes/a answered 404 with the error code "none", not "no_note"`}}, ""},
		"failed by the contract's fields": {[]ScenarioResult{{Outcome: Failed, Requests: lost.Requests,
			Reason: "GET /notes/a answered 404 against its contract: error must be a text"}}, ""},
		"failed by the rows": {[]ScenarioResult{{Outcome: Failed, Requests: lost.Requests,
			Reason: "Notes holds 1 row, not 0"}}, ""},
		"failed by a page": {[]ScenarioResult{{Outcome: Failed, Requests: lost.Requests,
			Reason: "GET /notes/a answered 404 with a body that is not JSON: invalid character"}}, "GET /notes/{id}"},
		"failed by a code too": {[]ScenarioResult{{Outcome: NotPrepared, Requests: lost.Requests,
			Reason: "GET /notes/a answered 404 NO_ROUTE, which no step expects"}}, "GET /notes/{id}"},
		"failed by what is not there": {[]ScenarioResult{{Outcome: NotPrepared, Requests: lost.Requests,
			Reason: `the answer to GET /notes/a (404) has no text or number "id"`}}, "GET /notes/{id}"},
		"failed by the first case": {[]ScenarioResult{{Outcome: Failed, Requests: lost.Requests,
			Reason: "1 of 2 cases:", Broken: []cases.BrokenCase{
				{Reason: "GET /notes/a answered 404, not 200"}}}}, "GET /notes/{id}"},
		"failed by another of two": {[]ScenarioResult{{Outcome: Failed, Blamed: 1, Reason: lost.Reason,
			Requests: []scenario.Exchange{
				request("PUT", "/notes/a", 500, 1), request("GET", "/notes/a", 404, 0)}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := routes{contract: notes, ready: "/"}
			for _, result := range test.results {
				r.add(result)
			}
			r.mark(test.results)
			got := ""
			if missing := test.results[0].Missing; missing != nil {
				got = missing.Route
			}
			if got != test.want {
				t.Errorf("%q is missing, want %q", got, test.want)
			}
		})
	}
}

// onNotes is options of a design with the contract twoRoutes, of which each scenario reads a note.
func onNotes(t *testing.T, scenarios int, answer http.HandlerFunc) Options {
	t.Helper()
	const get = "When Nobody sends GET /notes/a\nThen the answer is 200"
	o := options(t, open(t, store.Options{Name: "embedded"}), answer, slices.Repeat([]string{get}, scenarios)...)
	o.System.Contract = []byte(twoRoutes)
	return o
}

// A whole run against a server without any of the routes of a contract ends early; any other is judged to its end.
func TestAServerWithoutTheRoutesEndsTheRun(t *testing.T) {
	var missing *NoRoutesError
	result, err := Run(t.Context(), onNotes(t, 60, http.NotFound))
	if !errors.As(err, &missing) || missing.Route != "GET /notes/{id}" || missing.Status != 404 ||
		missing.Requests != 20 {
		t.Fatalf("%v, want that 20 requests were answered 404", err)
	}
	if n := len(result.Rules[0].Results); n < 20 || n >= 60 {
		t.Errorf("%d of 60 scenarios were run", n)
	}
	for name, limit := range map[string]func(*Options){
		"by rule":            func(o *Options) { o.Rules = []string{"T-T-1"} },
		"by tags":            func(o *Options) { o.Tags = "@T-T-1" },
		"by failures":        func(o *Options) { o.Select = func(Place) bool { return true } },
		"without a contract": func(o *Options) { o.System.Contract = nil },
	} {
		o := onNotes(t, 30, http.NotFound)
		limit(&o)
		result, err := Run(t.Context(), o)
		if !errors.As(err, &missing) || missing.Requests != 30 || len(result.Rules[0].Results) != 30 {
			t.Errorf("%s: %v, want that all 30 requests were answered 404", name, err)
		}
	}
	if _, err := Run(t.Context(), onNotes(t, 1, http.NotFound)); !errors.As(err, &missing) ||
		missing.Requests != 1 {
		t.Errorf("%v, want that one request was answered 404", err)
	}
	one := onNotes(t, 32, http.NotFound)
	one.Storeless = true
	if result, err := Run(t.Context(), one); err != nil || len(result.Rules[0].Results) != 32 {
		t.Errorf("%v: a server that is known to use no store is judged", err)
	}
}

// Before a run ends for want of routes, the server is asked for what it knows from its store alone.
func TestAServerThatUsesItsStoreIsJudgedToTheEnd(t *testing.T) {
	var tables string
	o := onNotes(t, 30, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/needs-store" {
			storing{tables: tables, storage: http.DefaultTransport}.ServeHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	})
	o.System.Env = environment(t, "STORE={tables}")
	o.Target = told{o.Target, func(at string) { tables = at }}
	result, err := Run(t.Context(), o)
	if err != nil || len(result.Rules[0].Results) != 30 {
		t.Errorf("%v, want 30 results", err)
	}
}

// A server whose mapping says that it lacks the route of the design that needs the store is judged by its scenarios.
func TestAServerThatCannotBeAskedForItsStore(t *testing.T) {
	o := options(t, open(t, store.Options{Name: "embedded"}), func(http.ResponseWriter, *http.Request) {}, asks)
	o.System.Contract, o.System.NeedsStore = []byte(twoRoutes), "/notes/x"
	var err error
	o.Fitting.Mapping, err = mapping.Parse("map.yaml", []byte("routes:\n  GET /notes/{id}: missing\n"), o.System)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), o); err != nil {
		t.Errorf("a request that was not sent shows that the store is not used: %v", err)
	}
}
