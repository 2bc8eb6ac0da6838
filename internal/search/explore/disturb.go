package explore

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/scenario"
)

// spoil makes one thing about a request slightly wrong.
func (g *generator) spoil(o contract.Operation, step *Step) {
	object, _ := step.Body.(map[string]any)
	var texts []func()
	for _, values := range []map[string]string{step.At, step.Query, step.Header} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			texts = append(texts, func() {
				values[name] = asText(g.wrong(o.String(), name, false))
				if step.At[name] == "" && values[name] == "" {
					values[name] = "0" // an empty part of a path would be another path
				}
			})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(step.Query)) {
		texts = append(texts, func() { delete(step.Query, name) })
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		texts = append(texts, func() { g.spoilMember(o.String(), object, name) }, func() { delete(object, name) })
	}
	if step.Body != nil {
		texts = append(texts, func() {
			step.Body = nil
			step.Raw = pick(g, []string{"[]", "{", `"text"`, "null", "{} {}", "\xff"})
		})
	}
	if len(texts) == 0 || g.chance(5) {
		g.add(step, object)
		return
	}
	pick(g, texts)()
}

// add adds something to a request that its route does not ask for: a parameter or a member of another.
func (g *generator) add(step *Step, object map[string]any) {
	names := slices.Sorted(maps.Keys(g.spec.Values))
	if len(names) == 0 {
		return
	}
	name := pick(g, names)
	value := pick(g, append([]any{"text"}, g.spec.Values[name]...))
	if object != nil && g.chance(2) {
		object[name] = value
		return
	}
	if g.spec.free("parameters of other routes", step.route()) {
		return
	}
	if step.Query == nil {
		step.Query = map[string]string{}
	}
	step.Query[name] = asText(value)
}

// spoilMember makes a member of a body wrong, or one inside of it.
func (g *generator) spoilMember(route string, object map[string]any, name string) {
	if inner, is := object[name].(map[string]any); is && len(inner) > 0 && !g.chance(4) {
		names := slices.Sorted(maps.Keys(inner))
		if at := pick(g, names); g.chance(3) {
			delete(inner, at)
		} else {
			g.spoilMember(route, inner, at)
		}
		return
	}
	object[name] = g.wrong(route, name, true)
}

// wrong makes up a value that is slightly wrong for a name. Of anything else than a text only in JSON.
func (g *generator) wrong(route, name string, inJSON bool) any {
	pool := g.spec.Wrong[route+" "+name]
	if pool == nil {
		pool = g.spec.Wrong[name]
	}
	if len(pool) > 0 && !g.chance(3) {
		return pick(g, pool)
	}
	general := []any{"", " ", "no such thing", "{300×a}", "a/b", "ü", "0", "-1", "../x"}
	if inJSON {
		general = append(general, nil, json.Number("7"), true, []any{}, map[string]any{}, json.Number("-1"),
			json.Number("1.5"))
	}
	return pick(g, general)
}

// disturb makes a storage call of a step fail, or lets another request come in its way.
func (g *generator) disturb(step *Step) {
	places := g.known.calls[step.route()]
	if len(places) == 0 {
		return
	}
	switch {
	case g.chance(faultOnce):
		step.Fault = &Fault{Place: pick(g, places), Kind: pick(g, faultKinds()), Left: g.chance(3)}
		g.retriable(step)
	case g.chance(meanwhileOnce):
		step.Meanwhile = &Meanwhile{pick(g, places), *g.rival(step)}
	}
}

// retriable gives a step that is sent again an Idempotency-Key, as a client would if the contract has one: without it
// the retry is a different request.
func (g *generator) retriable(step *Step) {
	if step.Fault.Left || step.Header[scenario.IdempotencyKey] != "" {
		return
	}
	for _, o := range g.known.operations {
		if o.String() == step.route() && slices.ContainsFunc(o.Parameters, func(p contract.Parameter) bool {
			return p.In == "header" && http.CanonicalHeaderKey(p.Name) == scenario.IdempotencyKey
		}) {
			step.set(scenario.IdempotencyKey, g.key())
		}
	}
}

// rival makes up a request that is likely to conflict with another: the same by another person, with another value,
// or another with the same ids, mostly a change.
func (g *generator) rival(step *Step) *Step {
	if g.chance(3) {
		same := copyOf(step)
		same.ID, same.Fault, same.Meanwhile, same.Raw = 0, nil, nil, ""
		delete(same.Header, scenario.IdempotencyKey)
		g.change(same)
		return same
	}
	var other *Step
	for range 6 {
		if other = g.request(); other.Method != http.MethodGet {
			break
		}
	}
	g.waits, other.Raw = nil, "" // a step in between has a JSON body
	mine := map[string]any{}
	step.members(func(name string, value any) any {
		if _, known := mine[name]; !known || g.chance(2) {
			mine[name] = value
		}
		return value
	})
	other.members(func(name string, value any) any {
		if known, ok := mine[name]; ok && looksLikeID(name) {
			return known
		}
		return value
	})
	return other
}

// learn notes what an answer of the oracle, or else of the subject, says, for the next steps.
func (g *generator) learn(step *Step) {
	if !step.requests() {
		return
	}
	s := g.leading()
	a := s.answers[step.ID]
	if a == nil {
		return
	}
	g.known.count[step.route()]++
	if a.status >= http.StatusMultipleChoices || a.status < http.StatusOK {
		return
	}
	g.remember(step, a)
	budget := 40
	g.members(step, a.parsed, "", "", &budget)
	if step.Fault == nil && step.Meanwhile == nil {
		g.places(step, s, a)
	}
}

// members notes where an answer says something. budget is how much more is noted.
func (g *generator) members(step *Step, value any, path, name string, budget *int) {
	switch value := value.(type) {
	case map[string]any:
		for _, member := range slices.Sorted(maps.Keys(value)) {
			g.members(step, value[member], join(path, member), member, budget)
		}
	case []any:
		if g.sound && len(value) > 1 {
			return // which of them is meant is only known with another server
		}
		for i, item := range value {
			if i < 5 {
				g.members(step, item, path+"["+strconv.Itoa(i)+"]", name, budget)
			}
		}
	case string, json.Number:
		if *budget == 0 || name == "" || strings.ContainsAny(path, " /") || !g.both(step, path) {
			return
		}
		if g.sound && !g.promised(step, name) {
			return
		}
		*budget--
		ref := reference{step: step.ID, path: path}.String()
		g.found[name] = append(g.found[name], ref)
		g.enable(ref, step.Person)
		g.found[step.route()+" "+name] = append(g.found[step.route()+" "+name], ref)
	}
}

// promised reports whether the contract requires a member of the answer to a step: another server may leave out any
// other.
func (g *generator) promised(step *Step, name string) bool {
	status := g.leading().answers[step.ID].status
	names, known := g.couple.required[step.route()][strconv.Itoa(status)]
	return !known || len(names) == 0 || names[name]
}

// both reports whether the subject's answer has a value at a path as well: an open member may be missing. In lists the
// oracle decides which item is meant.
func (g *generator) both(step *Step, path string) bool {
	if strings.Contains(path, "[") {
		return true
	}
	s := g.couple.subject
	_, ok := s.answers[step.ID].lookup(reference{step: step.ID, path: path})
	return ok
}

// places learns the storage calls of a route. Of those that are alike only a write can be distinguished: reads
// at the same time come in any order.
func (g *generator) places(step *Step, s *side, a *answer) {
	seen := map[Place]int{}
	var list []Place
	for _, call := range a.calls {
		if call.Provisions() {
			continue
		}
		p := Place{Class: call.Class, On: s.content.word(call.Resource)}
		seen[p]++
		if p.Nth = seen[p]; p.Nth == 1 || call.Writes() {
			list = append(list, p)
		}
	}
	if len(list) > 0 {
		g.known.calls[step.route()] = list
	}
}
