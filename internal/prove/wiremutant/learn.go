package wiremutant

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/prove/mutant"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// mostFields is how many members of a route's answers are taken away: what rules look at is mostly among a few, and a
// list of hundreds is not read.
const mostFields = 8

// used is what an undisturbed scenario used.
type used struct {
	verify.Place
	took    time.Duration
	races   bool // it has requests whose storage calls can come in several orders
	reaches map[Mutant]bool
}

// lessons is what an undisturbed run says.
type lessons struct {
	scenarios []used
	mutants   []Mutant          // those that a scenario reaches
	usual     map[string]answer // by route: what those got who were let in
	rules     []string          // that were judged
	unasked   []string          // routes that refused no one
	unlimited []string          // resources that are written and in no budget
	left      int               // members of answers beyond mostFields
	open      map[Mutant]bool   // those that the contract allows
}

// listener keeps the answers of a server by route.
type listener struct {
	routes *routes

	mu    sync.Mutex
	usual map[string]answer
	lists map[string]bool
	names map[string]map[string]bool // members of successful answers; true: the contract demands one in some answer
}

func (l *listener) answers(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		res, err := next.RoundTrip(req)
		route := l.routes.of(req.Method, req.URL.EscapedPath())
		if err != nil || route == "" {
			return res, err
		}
		given, err := whole(res)
		if err != nil {
			return nil, err
		}
		if given.succeeded() {
			l.hear(route, req.Method, req.URL.RequestURI(), given)
		}
		return res, nil
	})
}

func (l *listener) hear(route, method, path string, given answer) {
	value, _ := given.json()
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, heard := l.usual[route]; !heard || len(given.body) > len(known.body) { // which says most
		l.usual[route] = given
	}
	object, _ := value.(map[string]any)
	for name := range object {
		if l.names[route] == nil {
			l.names[route] = map[string]bool{}
		}
		l.names[route][name] = l.names[route][name] || !l.routes.leavesOpen(method, path, given, name)
	}
	_, listed := addRows(value)
	l.lists[route] = l.lists[route] || listed
}

// learn runs all rules undisturbed. The error is a *mutant.BaselineError if not all that were judged hold.
func (r *run) learn(ctx context.Context) error {
	heard := &listener{routes: r.routes, usual: map[string]answer{}, lists: map[string]bool{},
		names: map[string]map[string]bool{}}
	result, err := r.verify(ctx, nil, func(*store.Lease) lane.Distortion {
		return lane.Distortion{Answers: heard.answers}
	}, 1)
	if err != nil {
		return fmt.Errorf("run the server undisturbed: %w", err)
	}
	if broken := brokenIn(result); len(broken) > 0 {
		return &mutant.BaselineError{Server: "the server", Broken: broken}
	}
	r.lessons = lessonsOf(result, heard, r.options.Verify.System.TraceID, r.options.Verify.System.Ready)
	return nil
}

// brokenIn returns the rules that do not hold, each with the first scenario that shows it.
func brokenIn(result *verify.Result) (broken []string) {
	for _, rule := range result.Rules {
		if rule.Outcome == verify.Passed || rule.Outcome == verify.Skipped {
			continue
		}
		for _, one := range rule.Results {
			if one.Outcome == rule.Outcome {
				broken = append(broken, fmt.Sprintf("%s: %s %s: %s", rule.ID, rule.Where(one), one.Outcome,
					source.FirstLine(one.Reason)))
				break
			}
		}
	}
	return broken
}

// lessonsOf reads a run. The member trace of answers differs in each, and the health route's are ignored.
func lessonsOf(result *verify.Result, heard *listener, trace, ready string) *lessons {
	l := &lessons{usual: heard.usual, open: map[Mutant]bool{}}
	for route, names := range heard.names {
		for name, demanded := range names {
			l.open[Mutant{Kind: FieldTaken, Route: route, Field: name}] = !demanded
		}
	}
	all, written, judged := map[Mutant]bool{}, map[string]bool{}, map[string]bool{}
	refused := map[string]bool{}
	for rule, one := range result.All() {
		if one.Outcome != verify.Passed {
			continue
		}
		if !slices.Contains(l.rules, rule.ID) {
			l.rules = append(l.rules, rule.ID)
		}
		found := used{one.Place(), one.Duration, len(one.Cases) > 0, map[Mutant]bool{}}
		changed := map[wire.Service]map[string]bool{}
		for number, request := range one.Requests {
			for _, call := range request.Calls {
				found.call(call, changed)
				if call.Writes() && call.Resource != "" {
					written[call.Resource] = true
					judged[call.Resource] = judged[call.Resource] || inBudget(one, number)
				}
			}
			route := heard.routes.of(request.Method, request.Path)
			found.request(route, request.Status, heard)
			refused[route] = refused[route] || refuses(request.Status)
		}
		for m := range found.reaches {
			all[m] = true
		}
		l.scenarios = append(l.scenarios, found)
	}
	for resource := range written {
		if !judged[resource] {
			l.unlimited = append(l.unlimited, resource)
		}
	}
	for route := range heard.usual {
		if !refused[route] && route != http.MethodGet+" "+ready {
			l.unasked = append(l.unasked, route)
		}
	}
	slices.Sort(l.unlimited)
	slices.Sort(l.unasked)
	l.choose(all, trace)
	return l
}

// choose takes the mutants that scenarios reach, of the fields of each route the first few.
func (l *lessons) choose(all map[Mutant]bool, trace string) {
	fields := map[string]int{}
	for _, m := range inOrder(all) {
		if m.Kind == FieldTaken {
			if m.Field == trace {
				continue
			}
			if fields[m.Route]++; fields[m.Route] > mostFields {
				l.left++
				continue
			}
		}
		l.mutants = append(l.mutants, m)
	}
}

// inOrder sorts mutants: those of the store first, then by what they are about.
func inOrder(all map[Mutant]bool) []Mutant {
	order := append(storageKinds(), Admitted, RowAdded, FieldTaken)
	return slices.SortedFunc(maps.Keys(all), func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.Service, b.Service),
			cmp.Compare(a.Resource, b.Resource),
			cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind)), cmp.Compare(a.Field, b.Field))
	})
}

// inBudget reports whether a budget of the scenario was about that request.
func inBudget(one verify.ScenarioResult, number int) bool {
	for _, judged := range one.Budgets {
		if judged.Request == number {
			return true
		}
	}
	return false
}

// call notes which mutants of the store a call reaches. changed are the resources written so far.
func (u *used) call(call wire.Call, changed map[wire.Service]map[string]bool) {
	if call.Resource == "" || call.Provisions() || call.Breadth == wire.Whole && call.Writes() {
		return
	}
	reach := func(kind Kind) {
		u.reaches[Mutant{Kind: kind, Service: call.Service, Resource: call.Resource}] = true
	}
	if call.Writes() {
		reach(Lost)
		reach(Repeated)
		reach(ReadAdded)
		if conditional(call) {
			reach(Unconditional)
		}
		if call.Succeeded() {
			if changed[call.Service] == nil {
				changed[call.Service] = map[string]bool{}
			}
			changed[call.Service][call.Resource] = true
		}
	}
	if call.Effect == wire.Reads {
		reach(ReadAdded)
		if call.Filter != "" || call.Prefix != "" {
			reach(Widened)
		}
		if changed[call.Service][call.Resource] {
			reach(Stale)
		}
	}
}

// conditional reports whether a write has a condition that not every version meets.
func conditional(call wire.Call) bool {
	return call.Conditional != "" && call.Guard != wire.Unguarded || slices.ContainsFunc(call.Inner, conditional)
}

// request notes which mutants of answers a request reaches.
func (u *used) request(route string, status int, heard *listener) {
	if route == "" {
		return
	}
	if refuses(status) {
		u.reaches[Mutant{Kind: Admitted, Route: route}] = true
	}
	if status < 200 || status >= 300 {
		return
	}
	if heard.lists[route] {
		u.reaches[Mutant{Kind: RowAdded, Route: route}] = true
	}
	for name := range heard.names[route] {
		u.reaches[Mutant{Kind: FieldTaken, Route: route, Field: name}] = true
	}
}
