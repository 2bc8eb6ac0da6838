package explore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/scenario"
)

// generator makes up the steps of one walk, from the contract, the spec and the answers so far.
type generator struct {
	rng    *rand.Rand
	spec   *Spec
	known  *knowledge
	couple *couple
	faults bool
	next   int                 // the ID of the next step
	values map[string][]any    // what the walk has used so far, by name
	found  map[string][]any    // references to what answers have said, by member
	etags  map[string]string   // references to the newest ETags, by the address of what they are of
	unsent int                 // requests that were left out, for what the subject lacks
	lacks  string              // the route that makes what the request needs and does not exist yet
	waits  *Step               // until the version that its header names has been read
	header string              // of waits: If-Match or If-None-Match
	able   map[string][]string // who had success with a value, and who was given it
	keys   []string            // Idempotency-Keys made up
	steps  []*Step             // so far
	routes []contract.Operation
	sound  bool // requests are to succeed: a person sends them, and nothing about them is made wrong
}

// knowledge is what all walks of a run have learned of a design.
type knowledge struct {
	operations []contract.Operation
	calls      map[string][]Place // the storage calls of a route's newest success
	count      map[string]int     // how often each route has been requested
}

func newGenerator(seed, stream uint64, spec *Spec, known *knowledge, on *couple, faults bool) *generator {
	return &generator{rng: rand.New(rand.NewPCG(seed, stream)), spec: spec, known: known, couple: on, faults: faults,
		next: 1, values: map[string][]any{}, found: map[string][]any{}, etags: map[string]string{},
		able: map[string][]string{}}
}

// chance reports whether something that happens once in n times happens.
func (g *generator) chance(n int) bool { return g.rng.IntN(n) == 0 }

func pick[T any](g *generator, list []T) T { return list[g.rng.IntN(len(list))] }

// How rare things are: each happens once in this many steps.
const (
	wrongOnce     = 9
	againOnce     = 14
	keyOnce       = 4
	faultOnce     = 14
	meanwhileOnce = 14
	restartOnce   = 400
	pauseOnce     = 600
	withOnce      = 150
	doOnce        = 25
)

// step makes up the next step.
func (g *generator) step() *Step {
	if waiting := g.waits; waiting != nil {
		g.waits = nil
		waiting.set(g.header, g.version(waiting))
		return g.give(waiting)
	}
	switch {
	case g.chance(restartOnce) && g.restartable():
		return g.give(&Step{Restart: true})
	case len(g.spec.Environment) > 0 && g.chance(withOnce) && g.restartable():
		name := pick(g, slices.Sorted(maps.Keys(g.spec.Environment)))
		return g.give(&Step{Restart: true, With: map[string]string{name: pick(g, g.spec.Environment[name])}})
	case len(g.spec.Steps) > 0 && g.chance(doOnce):
		return g.give(&Step{Do: pick(g, g.spec.Steps)})
	case g.chance(pauseOnce):
		return g.give(&Step{Pause: pick(g, []int{2, 30, 1000})})
	case len(g.steps) > 0 && g.chance(againOnce):
		if again := g.again(); again != nil {
			return again
		}
	}
	step := g.request()
	if g.faults {
		g.disturb(step)
	}
	return g.give(step)
}

func (g *generator) restartable() bool {
	restartable := g.couple.subject.lane.Maker.Target.Restartable()
	return restartable && (g.couple.oracle == nil || g.couple.oracle.lane.Maker.Target.Restartable())
}

// give assigns an ID to a step and adds it to the walk.
func (g *generator) give(step *Step) *Step {
	step.ID = g.next
	if g.next++; step.Meanwhile != nil {
		step.Meanwhile.Step.ID = g.next
		g.next++
	}
	g.steps = append(g.steps, step)
	return step
}

// again repeats an earlier request as it was, mostly one that changes something.
func (g *generator) again() *Step {
	for range 4 {
		earlier := g.steps[max(0, len(g.steps)-1-g.rng.IntN(6))]
		if earlier.requests() && earlier.Method != http.MethodGet && earlier.Again == 0 {
			return g.give(&Step{Person: earlier.Person, Method: earlier.Method, Path: earlier.Path, Again: earlier.ID})
		}
	}
	return nil
}

// operation chooses a route: mostly one that has not been answered often.
func (g *generator) operation() contract.Operation {
	best := pick(g, g.routes)
	if g.chance(3) {
		other := pick(g, g.routes)
		if g.known.count[other.String()] < g.known.count[best.String()] {
			best = other
		}
	}
	if slices.Contains(g.spec.Rarely, best.String()) && !g.chance(10) {
		return g.operation()
	}
	return best
}

// request makes up a request. If it needs an id that no answer has given yet, the request that creates one usually
// takes its place.
func (g *generator) request() *Step {
	g.lacks = ""
	step := g.ask(g.operation())
	if g.lacks == "" || g.chance(4) {
		return step
	}
	for _, o := range g.routes {
		if o.String() == g.lacks {
			g.waits = nil
			return g.ask(o)
		}
	}
	return step
}

// ask makes up a request of a route.
func (g *generator) ask(o contract.Operation) *Step {
	step := &Step{Method: o.Method, Path: o.Path}
	wrong, reads := g.chance(wrongOnce) && !g.sound, false
	for _, p := range pathFirst(o.Parameters) {
		if is := conditional(p); is && !g.chance(8) {
			if !g.condition(step, p) {
				reads, g.header = true, p.Name
			}
			continue
		}
		value, has := g.parameter(o, p)
		if !has {
			continue
		}
		to := map[string]*map[string]string{"path": &step.At, "query": &step.Query, "header": &step.Header}[p.In]
		if to == nil {
			continue
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[p.Name] = asText(value)
	}
	g.body(o, step)
	if !g.chance(4) {
		g.cohere(step)
	}
	step.Person = g.person(step)
	if reads {
		g.waits = step
		return &Step{Person: step.Person, Method: http.MethodGet, Path: step.Path, At: maps.Clone(step.At)}
	}
	if wrong {
		g.spoil(o, step)
	}
	return step
}

// person chooses who sends a request: often one who had success with one of its values.
func (g *generator) person(step *Step) string {
	if len(g.spec.People) == 0 || g.chance(25) && !g.sound {
		return nobody
	}
	if known := g.fitting(step); len(known) > 0 && !g.chance(3) {
		return pick(g, known)
	}
	if g.chance(3) {
		return g.spec.People[0] // who may do most
	}
	return pick(g, g.spec.People)
}

// parameter makes up the value of a parameter; has is false if it is left out.
func (g *generator) parameter(o contract.Operation, p contract.Parameter) (value any, has bool) {
	switch name := http.CanonicalHeaderKey(p.Name); {
	case p.In == "header" && name == scenario.IdempotencyKey:
		if !g.chance(keyOnce) {
			return nil, false
		}
		if len(g.keys) > 0 && g.chance(4) && !g.spec.free(keyAgain, o.String()) {
			return pick(g, g.keys), true
		}
		return g.key(), true
	case conditional(p):
		if g.chance(3) {
			return nil, false
		}
		if others := slices.Sorted(maps.Values(g.etags)); len(others) > 0 && g.chance(2) {
			return pick(g, others), true // of something else
		}
		if g.spec.Values[p.Name] == nil {
			return `"1"`, true
		}
	}
	if !p.Required && p.In != "path" && g.chance(2) {
		return nil, false
	}
	return g.value(o.String(), p.Name, p.Shape), true
}

// value makes up a well-formed value for a name.
func (g *generator) value(route, name string, shape *contract.Shape) any {
	pool := g.spec.Values[route+" "+name]
	if pool == nil {
		pool = g.spec.Values[name]
	}
	if used := g.values[name]; len(used) > 0 && g.rng.IntN(100) < 45 && looksLikeID(name) {
		return used[max(0, len(used)-1-g.rng.IntN(3))]
	}
	var value any
	refs := g.references(route, name)
	switch {
	case len(refs) > 0 && (len(pool) == 0 || g.chance(2)):
		value = refs[max(0, len(refs)-1-g.rng.IntN(min(6, len(refs))))]
	case len(pool) > 0:
		value = pick(g, pool)
		if !g.chance(3) {
			value = pool[g.rng.IntN((len(pool)+1)/2)] // the first ones are the usual ones
		}
	default:
		value = g.shaped(route, name, shape)
		g.lacks = cmp.Or(g.maker(name), g.lacks)
	}
	g.values[name] = append(g.values[name], value)
	return value
}

// shaped makes up a value from what the contract says of it.
func (g *generator) shaped(route, name string, shape *contract.Shape) any {
	if shape == nil {
		return "text"
	}
	if len(shape.Values) > 0 {
		return plainJSON(pick(g, shape.Values))
	}
	kind := "string"
	if len(shape.Types) > 0 {
		kind = shape.Types[0]
	}
	switch kind {
	case "object":
		return g.object(route, shape)
	case "array":
		list := []any{}
		for range 1 + g.rng.IntN(3) {
			list = append(list, g.member(route, name, shape.Items))
		}
		return list
	case "integer", "number":
		return pick(g, []any{json.Number("1"), json.Number("2"), json.Number("0"), json.Number("100")})
	case "boolean":
		return g.chance(2)
	}
	return pick(g, []any{"text", "another text", "é ü"})
}

// member makes up a value of a body: an object by its members, anything else by its name.
func (g *generator) member(route, name string, shape *contract.Shape) any {
	if shape != nil && len(shape.Members) > 0 && g.spec.Values[name] == nil && g.spec.Values[route+" "+name] == nil {
		return g.object(route, shape)
	}
	return g.value(route, name, shape)
}

func (g *generator) object(route string, shape *contract.Shape) any {
	object := map[string]any{}
	for _, m := range shape.Members {
		if m.Required || g.chance(2) {
			object[m.Name] = g.member(route, m.Name, m.Shape)
		}
	}
	return object
}

// body makes up the body of a step, or its query where the spec gives the forms of that.
func (g *generator) body(o contract.Operation, step *Step) {
	if forms := g.spec.Requests[o.String()]; len(forms) > 0 {
		form := g.form(o.String(), "", pick(g, forms))
		if o.Body != nil {
			step.Body = form
			return
		}
		step.Query = map[string]string{}
		object, _ := form.(map[string]any)
		for name, value := range object {
			step.Query[name] = asText(value)
		}
		return
	}
	if o.Body != nil && (len(o.Body.Members) > 0 || len(o.Body.Types) > 0) {
		step.Body = g.member(o.String(), "", o.Body)
	}
}

// form fills in a body of Spec.Requests: "*" is a value by the name of the member, and a member whose name ends with ?
// may be left out.
func (g *generator) form(route, name string, value any) any {
	switch value := value.(type) {
	case string:
		if value == "*" {
			return g.value(route, name, nil)
		}
		if by, ok := strings.CutPrefix(value, "*"); ok {
			return g.value(route, by, nil)
		}
	case map[string]any:
		object := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			plain, optional := strings.CutSuffix(key, "?")
			if !optional || g.chance(2) {
				object[plain] = g.form(route, plain, value[key])
			}
		}
		return object
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = g.form(route, name, value[i])
		}
		return list
	}
	return value
}

// plainJSON converts a value that a YAML parser has read to JSON.
func plainJSON(value any) any {
	switch value := value.(type) {
	case float64, int, int64, uint64:
		return json.Number(fmt.Sprint(value))
	case string, bool, nil, json.Number:
		return value
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	parsed, _ := parse(text)
	return parsed
}
