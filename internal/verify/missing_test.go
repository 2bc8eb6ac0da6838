package verify

import (
	"errors"
	"net/http"
	"slices"
	"testing"

	"github.com/storespec/storespec/internal/contract"
	"github.com/storespec/storespec/internal/scenario"
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
	return ScenarioResult{Rule: "N-1", Outcome: outcome, Reason: "GET /notes/a answered 404, not 200",
		Requests: requests}
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
		"failed by another of two": {[]ScenarioResult{{Outcome: Failed, Blamed: 1, Requests: []scenario.Exchange{
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

// A run against a server without any of the routes ends early; a server that has one of them is judged to the end.
func TestAServerWithoutTheRoutesEndsTheRun(t *testing.T) {
	const get = "When Nobody sends GET /notes\nThen the answer is 200"
	o := options(t, open(t, store.Options{Name: "embedded"}), http.NotFound, slices.Repeat([]string{get}, 60)...)
	result, err := Run(t.Context(), o)
	var missing *NoRoutesError
	if !errors.As(err, &missing) || missing.Route != "GET /notes" || missing.Status != 404 || missing.Requests != 20 {
		t.Fatalf("%v, want that 20 requests were answered 404", err)
	}
	if n := len(result.Rules[0].Results); n < 20 || n >= 60 {
		t.Errorf("%d of 60 scenarios were run", n)
	}
	few := options(t, open(t, store.Options{Name: "embedded"}), http.NotFound, get)
	if _, err := Run(t.Context(), few); !errors.As(err, &missing) || missing.Requests != 1 {
		t.Errorf("%v, want that one request was answered 404", err)
	}
	one := options(t, open(t, store.Options{Name: "embedded"}), func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			http.NotFound(w, r)
		}
	}, append(slices.Repeat([]string{get}, 30), "When Nobody sends PUT /notes {}\nThen the answer is 200",
		"When Nobody sends DELETE /notes\nThen the answer is 200")...)
	one.Storeless = true
	if result, err := Run(t.Context(), one); err != nil || len(result.Rules[0].Results) != 32 {
		t.Errorf("%v: a server that is known to use no store is judged", err)
	}
}
