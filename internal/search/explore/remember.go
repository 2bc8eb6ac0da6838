package explore

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/scenario"
)

// conditional reports whether a parameter is a header that names a version.
func conditional(p contract.Parameter) bool {
	return p.In == "header" && (strings.EqualFold(p.Name, "If-Match") || strings.EqualFold(p.Name, "If-None-Match"))
}

// pathFirst returns parameters with those of the path first: the others depend on what is asked for.
func pathFirst(all []contract.Parameter) []contract.Parameter {
	ordered := slices.Clone(all)
	slices.SortStableFunc(ordered, func(a, b contract.Parameter) int {
		switch aFirst, bFirst := a.In == "path", b.In == "path"; {
		case aFirst && !bFirst:
			return -1
		case bFirst && !aFirst:
			return 1
		}
		return 0
	})
	return ordered
}

// condition sets a header to the newest known version of the resource that a step addresses. known is false if there is
// none yet and the resource can be read first.
func (g *generator) condition(step *Step, p contract.Parameter) (known bool) {
	if version, ok := g.etags[g.addressOf(step)]; ok {
		step.set(p.Name, version)
		return true
	}
	return g.chance(12) || !slices.ContainsFunc(g.routes, func(o contract.Operation) bool {
		return o.Method == http.MethodGet && o.Path == step.Path
	})
}

// set sets a header.
func (s *Step) set(name, value string) {
	if s.Header == nil {
		s.Header = map[string]string{}
	}
	s.Header[name] = value
}

// addressOf returns the path of a step as the oracle, or else the subject, is asked for it.
func (g *generator) addressOf(step *Step) string {
	plain := *step
	plain.Query = nil
	return g.leading().address(&plain)
}

// leading is the side whose answers the walk follows.
func (g *generator) leading() *side {
	if g.couple.oracle != nil {
		return g.couple.oracle
	}
	return g.couple.subject
}

// remember notes the version that an answer says, and who had success with which values.
func (g *generator) remember(step *Step, a *answer) {
	if a.header.Get("ETag") != "" {
		ref := reference{step: step.ID, header: "ETag"}.String()
		g.etags[g.addressOf(step)] = ref
		if at, err := url.Parse(a.header.Get("Location")); err == nil && at.Path != "" {
			g.etags[at.EscapedPath()] = ref
		}
	}
	g.texts(step, func(text string) {
		g.enable(text, step.Person)
		g.enable(step.route()+" "+text, step.Person)
	})
}

// enable notes that a person can do something with a value.
func (g *generator) enable(text, person string) {
	if person != nobody && !slices.Contains(g.able[text], person) {
		g.able[text] = append(g.able[text], person)
	}
}

// texts calls a function for each value of a step that is an id, be it by name or by reference.
func (g *generator) texts(step *Step, each func(string)) {
	for _, values := range []map[string]string{step.At, step.Query} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if looksLikeID(name) || strings.HasPrefix(values[name], "$") {
				each(values[name])
			}
		}
	}
	object, _ := step.Body.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if text, is := object[name].(string); is && looksLikeID(name) {
			each(text)
		}
	}
}

// fitting returns the people who succeeded with a value of the step, on the same route if anybody did. Of several
// values the one that the fewest people can use decides.
func (g *generator) fitting(step *Step) (people []string) {
	for _, of := range []string{step.route() + " ", ""} {
		g.texts(step, func(text string) {
			known := g.able[of+text]
			if of == "" && len(known) == 0 {
				known = g.named(step, text)
			}
			if len(known) > 0 && (len(people) == 0 || len(known) < len(people)) {
				people = known
			}
		})
		if len(people) > 0 {
			break
		}
	}
	return people
}

// named returns the person that a part of a step's path is about, such as Ana for {Ana.userKey}.
func (g *generator) named(step *Step, text string) []string {
	for _, name := range g.spec.People {
		if strings.HasPrefix(text, "{"+name) && slices.Contains(slices.Collect(maps.Values(step.At)), text) {
			return []string{name}
		}
	}
	return nil
}

// version returns the newest version of what a step asks for, or else one of something else.
func (g *generator) version(step *Step) string {
	if known, ok := g.etags[g.addressOf(step)]; ok {
		return known
	}
	if others := slices.Sorted(maps.Values(g.etags)); len(others) > 0 {
		return pick(g, others)
	}
	return `"1"`
}

// cohere makes the ids of a step belong together: where it refers to the answer to an earlier request, its other ids
// become those of that request.
func (g *generator) cohere(step *Step) {
	sent := map[string]any{}
	step.texts(func(text string) string {
		if r, ok := readReference(text); ok {
			for _, earlier := range g.steps {
				if earlier.ID == r.step {
					earlier.members(func(name string, value any) any {
						sent[name] = value
						return value
					})
				}
			}
		}
		return text
	})
	step.members(func(name string, value any) any {
		known, ok := sent[name]
		text, is := value.(string)
		if ref, refers := readReference(text); !ok || !is || !looksLikeID(name) || refers && ref.header == "" {
			return value
		}
		return known
	})
}

// members calls a function for every value of a step by its name, and replaces it by what that returns.
func (s *Step) members(each func(name string, value any) any) {
	for _, values := range []map[string]string{s.At, s.Query} {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			values[name] = asText(each(name, values[name]))
		}
	}
	eachMember(s.Body, each)
}

// eachMember is members for the objects of a JSON value.
func eachMember(value any, each func(name string, value any) any) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			switch value[name].(type) {
			case map[string]any, []any:
				eachMember(value[name], each)
			default:
				value[name] = each(name, value[name])
			}
		}
	case []any:
		for _, item := range value {
			eachMember(item, each)
		}
	}
}

// looksLikeID reports whether a name is one of something that is asked for again and again.
func looksLikeID(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), "id") || strings.HasSuffix(strings.ToLower(name), "key") ||
		!strings.ContainsAny(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && len(name) < 9
}

// maker returns the route whose answers have the ids of a name; "": the spec names none.
func (g *generator) maker(name string) string {
	for _, one := range g.spec.IDs[name] {
		if at := strings.LastIndexByte(one, ' '); at > 0 {
			return one[:at]
		}
	}
	return ""
}

// references returns references to values of answers that fit a name.
func (g *generator) references(route, name string) (list []any) {
	names, given := g.spec.IDs[route+" "+name]
	if !given {
		names, given = g.spec.IDs[name]
	}
	if !given {
		if !looksLikeID(name) {
			return nil
		}
		names = []string{name}
	}
	for _, one := range names {
		list = append(list, g.found[one]...)
	}
	return list
}

// sendable gives the steps of a stepper that can be sent: the subject has what they need.
func (g *generator) sendable(from stepper) stepper {
	return func(ctx context.Context) *Step {
		for step := from(ctx); ; step = from(ctx) {
			if step == nil || g.hasFor(ctx, step) {
				return step
			}
			g.unsent++
		}
	}
}

// hasFor reports whether the subject has what a step and the request in between need.
func (g *generator) hasFor(ctx context.Context, step *Step) bool {
	if step.Meanwhile != nil && !g.hasFor(ctx, &step.Meanwhile.Step) {
		step.Meanwhile = nil
	}
	without := g.couple.suite.Without
	if !step.requests() {
		return true
	}
	if !slices.ContainsFunc(g.routes, func(o contract.Operation) bool { return o.String() == step.route() }) {
		return false
	}
	if fitted := g.couple.subject.lane.Maker.Mapping; fitted != nil && step.Again == 0 {
		missed := g.couple.subject.missed
		request, _, err := g.couple.subject.request(ctx, step)
		g.couple.subject.missed = missed // it was only a question
		if err == nil && fitted.Sendable(request) != nil {
			return false
		}
	}
	if len(without) == 0 {
		return true
	}
	w := &writer{couple: g.couple}
	text, err := scenario.Prepare("When " + w.request(step))
	return err != nil || text.Lacks(g.couple.subject.lane.Maker.System.Capabilities, without) == nil
}
