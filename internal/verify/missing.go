package verify

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/scenario"
)

// NoRoutesError says that the target answered as if it had none of the routes that it was asked for, and made no
// storage call.
type NoRoutesError struct {
	Route    string // one of those routes, as METHOD /path
	Status   int    // of the answer to it
	Requests int    // that were all answered 404, 405 or 501
	Contract bool   // the design has a contract, so that a mapping may name the server's own routes
}

func (e *NoRoutesError) Error() string {
	of := "the design"
	if e.Contract {
		of = "the contract"
	}
	return fmt.Sprintf("the server does not seem to have the routes of %s: %s answered %d, and each of the "+
		"%d requests so far was answered 404, 405 or 501 without a storage call", of, e.Route, e.Status, e.Requests)
}

// Before a run ends since the target has no routes, so many requests were answered in that way, and so many scenarios
// did not pass: rules about what is not there rightly get some 404.
const (
	unroutedRequests  = 20
	unroutedScenarios = 5
)

// lacksRoute reports whether a status may be the answer of a server to a request for which it has no route.
func lacksRoute(status int) bool {
	return status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented
}

// routes counts how requests to the routes of a design were answered.
type routes struct {
	contract *contract.Contract // nil: the design has no contract, and each path is a route
	ready    string             // the path of the health route, which says nothing

	asked    map[string]int // requests, by route
	statuses map[string]int // the first status of each route that was always answered 404, 405 or 501
	exist    map[string]bool
	noticed  int // scenarios that did not pass
}

// of returns the route of a request; "" if it is the health route, or one that the contract does not have.
func (r *routes) of(request scenario.Exchange) string {
	if request.Path == r.ready {
		return ""
	}
	if r.contract == nil {
		return request.Method + " " + request.Path
	}
	return r.contract.Route(request.Method, request.Path)
}

// add counts the requests of a scenario. One that made a storage call, or was answered otherwise, shows that its route
// exists.
func (r *routes) add(result ScenarioResult) {
	if r.asked == nil {
		r.asked, r.statuses, r.exist = map[string]int{}, map[string]int{}, map[string]bool{}
	}
	if result.Outcome.Noticed() {
		r.noticed++
	}
	for _, request := range result.Requests {
		route := r.of(request)
		if route == "" || request.Status == 0 {
			continue
		}
		r.asked[route]++
		if len(request.Calls) > 0 || !lacksRoute(request.Status) {
			r.exist[route] = true
		} else if r.statuses[route] == 0 {
			r.statuses[route] = request.Status
		}
	}
}

// none returns an error if no route exists, of at least so many requests and scenarios that did not pass; else nil.
func (r *routes) none(requests, scenarios int) error {
	asked := 0
	for _, n := range r.asked {
		asked += n
	}
	if len(r.exist) > 0 || asked < requests || r.noticed < scenarios {
		return nil
	}
	often := slices.MaxFunc(slices.Sorted(maps.Keys(r.asked)), func(a, b string) int { return r.asked[a] - r.asked[b] })
	return &NoRoutesError{Route: often, Status: r.statuses[often], Requests: asked, Contract: r.contract != nil}
}

// mark notes in each result which route it was missing: the one by whose status its scenario failed, if the contract
// has it and all requests to it in the whole run were answered 404, 405 or 501 and made no storage call. A server that
// has a route and rightly answers 404 has asked its store.
func (r *routes) mark(results []ScenarioResult) {
	if r.contract == nil {
		return
	}
	for i := range results {
		result := &results[i]
		if len(result.Requests) == 0 || !result.Outcome.Noticed() {
			continue
		}
		blamed := result.Requests[len(result.Requests)-1]
		if result.Blamed > 0 && result.Blamed <= len(result.Requests) {
			blamed = result.Requests[result.Blamed-1]
		}
		route := r.of(blamed)
		if route != "" && !r.exist[route] && r.statuses[route] != 0 && result.failedBy(blamed.Status) {
			result.Missing = &MissingRoute{Route: route, As: blamed.As, Status: r.statuses[route]}
		}
	}
}

// byStatus matches a message that blames the status of an answer, which it has first, and not what the answer holds: a
// route that does not exist gives another status than the one that a step expects, or a page instead of JSON.
var byStatus = regexp.MustCompile(` answered (\d+)(?: \S+)?(?:$|, | with a body that is not JSON|` +
	` against its contract: the status\b)| \((\d+)\) has no `)

// failedBy reports whether the first message of a scenario blames a status.
func (s *ScenarioResult) failedBy(status int) bool {
	reason := s.Reason
	if len(s.Broken) > 0 {
		reason = s.Broken[0].Reason
	}
	line, _, _ := strings.Cut(reason, "\n")
	of := byStatus.FindStringSubmatch(line)
	return of != nil && of[1]+of[2] == strconv.Itoa(status)
}

// MissingRoute is a route of the contract that the server does not seem to have.
type MissingRoute struct {
	Route  string `json:"route"`        // METHOD /path, with its {parameters}
	As     string `json:"as,omitempty"` // the server's own route, if that is mapped (--map)
	Status int    `json:"status"`       // of the answers
}

// String says it.
func (m MissingRoute) String() string {
	as := ""
	if m.As != "" {
		as = ", as " + m.As + ","
	}
	return fmt.Sprintf("%s%s always answered %d", m.Route, as, m.Status)
}
