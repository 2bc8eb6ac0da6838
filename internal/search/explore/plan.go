package explore

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/scenario"
)

// plan is a walk that asks some routes once in a way that succeeds, and once in a way that is refused.
type plan struct {
	seed    uint64
	steps   []*Step
	valid   map[string]*Step // by route; one that never succeeded has its last request
	refused map[string]*Step
}

// planner searches for requests on one server: the reference server, or, for a design without one, the server under
// test.
type planner struct {
	side  *side
	g     *generator
	spec  *Spec
	all   []contract.Operation
	mixed bool // other requests go between: the first walk has not made what the routes need
	taken []*Step
	fits  map[int]bool // the IDs of the steps that succeeded
}

// How long a planner searches. On the reference server a request takes a few milliseconds; to a server under test no
// more are sent than it takes to be unlucky with every value twice.
const (
	triesAtOnce     = 3
	roundsReference = 8
	walksReference  = 6
	roundsSubject   = 4
	triesRefused    = 8
	mixedRequests   = 3
)

// newPlanner starts a walk on the server of a couple that has one alone.
func (t *trials) newPlanner(ctx context.Context, c *couple, seed uint64) (*planner, error) {
	w := &Walk{System: t.System.Name, Tag: tagOf(seed, 1)}
	if err := c.subject.begin(ctx, c.suite, t.Spec, w); err != nil {
		return nil, fmt.Errorf("lay what the requests need: %w", err)
	}
	t.meet(c)
	g := newGenerator(seed, 1, t.Spec, &knowledge{operations: t.all, calls: map[string][]Place{},
		count: map[string]int{}}, c, false)
	g.routes, g.sound = t.asked, true
	return &planner{side: c.subject, g: g, spec: t.Spec, all: t.asked, fits: map[int]bool{}}, nil
}

// search asks routes until each has succeeded once, or a number of rounds is over. left are those that have not.
func (p *planner) search(ctx context.Context, asked []contract.Operation, rounds int) (found *plan,
	left []contract.Operation, err error) {
	found = &plan{valid: map[string]*Step{}, refused: map[string]*Step{}}
	left = slices.Clone(asked)
	slices.SortStableFunc(left, func(a, b contract.Operation) int { return ends(a) - ends(b) })
	for range rounds {
		var later []contract.Operation
		for _, o := range left {
			step, ok, err := p.one(ctx, o)
			if err != nil {
				return nil, nil, err
			}
			found.valid[o.String()] = step
			if !ok {
				later = append(later, o)
			}
		}
		left = later
	}
	for i, o := range asked {
		if step, err := p.refuse(ctx, o, found.valid[o.String()], i%2 == 0); err != nil {
			return nil, nil, err
		} else if step != nil {
			found.refused[o.String()] = step
		}
	}
	return found, left, nil
}

// forget takes routes out of a plan: another one asks them.
func (f *plan) forget(routes []contract.Operation) {
	for _, o := range routes {
		delete(f.valid, o.String())
		delete(f.refused, o.String())
	}
}

// ends sorts routes that make away with what others need to the end.
func ends(o contract.Operation) int {
	if o.Method == http.MethodDelete || strings.Contains(strings.ToLower(o.Path), "delete") {
		return 1
	}
	return 0
}

// one asks a route a few times, until it succeeds.
func (p *planner) one(ctx context.Context, o contract.Operation) (step *Step, ok bool, err error) {
	for range triesAtOnce {
		if p.mixed {
			if err := p.mix(ctx, o); err != nil {
				return nil, false, err
			}
		}
		p.g.lacks, p.g.waits = "", nil
		next := p.g.ask(o)
		if maker := p.operation(p.g.lacks); maker != nil && maker.String() != o.String() {
			p.g.waits = nil
			if _, _, err := p.ask(ctx, p.g.ask(*maker)); err != nil {
				return nil, false, err
			}
			p.g.waits = nil
			next = p.g.ask(o)
		}
		if step, ok, err = p.ask(ctx, next); ok || err != nil {
			return step, ok, err
		}
	}
	return step, false, nil
}

// mix asks some other routes, and last those that have the path of the one that is to be asked: they make what it
// reads.
func (p *planner) mix(ctx context.Context, of contract.Operation) error {
	var others []contract.Operation
	for range mixedRequests {
		others = append(others, pick(p.g, p.all))
	}
	for _, o := range p.all {
		if o.Path == of.Path && o.Method != of.Method {
			others = append(others, o)
		}
	}
	for _, o := range others {
		if ends(o) > 0 {
			continue
		}
		p.g.waits = nil
		if _, _, err := p.ask(ctx, p.g.ask(o)); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) operation(route string) *contract.Operation {
	i := slices.IndexFunc(p.all, func(o contract.Operation) bool { return o.String() == route })
	if i < 0 {
		return nil
	}
	return &p.all[i]
}

// ask takes a step, and the one that waits for it.
func (p *planner) ask(ctx context.Context, step *Step) (taken *Step, ok bool, err error) {
	if ok, err = p.take(ctx, p.g.give(step)); p.g.waits == nil || err != nil {
		return step, ok, err
	}
	step = p.g.step()
	ok, err = p.take(ctx, step)
	return step, ok, err
}

// take takes a step and reports whether it succeeded.
func (p *planner) take(ctx context.Context, step *Step) (ok bool, err error) {
	a, err := p.side.answer(ctx, step)
	if err != nil {
		return false, err
	}
	p.g.learn(step)
	p.taken = append(p.taken, step)
	p.fits[step.ID] = a.succeeded()
	return a.succeeded(), nil
}

func (a *answer) succeeded() bool {
	return a.err == nil && a.status >= http.StatusOK && a.status < http.StatusBadRequest
}

// answer takes a step, and notes the answer for later steps.
func (s *side) answer(ctx context.Context, step *Step) (*answer, error) {
	a, err := s.take(ctx, step)
	s.noted()
	return a, err
}

// noted makes the answers to the step at the moment those to an earlier one.
func (s *side) noted() {
	maps.Copy(s.answers, s.fresh)
	clear(s.fresh)
}

// refuse finds a request of a route that is refused: without a session, or with something wrong about it.
func (p *planner) refuse(ctx context.Context, o contract.Operation, valid *Step, stranger bool) (*Step, error) {
	if valid == nil {
		return nil, nil
	}
	for try := range triesRefused {
		step := copyOf(valid)
		delete(step.Header, scenario.IdempotencyKey) // else it is the request that was answered
		if people := len(p.spec.People) > 0 && valid.Person != nobody; people && (try == 0) == stranger && try < 2 {
			step.Person = nobody
		} else {
			p.g.spoil(o, step)
		}
		a, err := p.side.answer(ctx, p.g.give(step))
		if err != nil {
			return nil, err
		}
		if p.taken = append(p.taken, step); a.err == nil && a.status >= 400 && a.status < 500 {
			return step, nil
		}
		p.fits[step.ID] = a.succeeded()
	}
	return nil, nil
}

// short leaves in the plan what it asks and what that refers to.
func (f *plan) short(taken []*Step) {
	needed := map[int]bool{}
	for _, list := range []map[string]*Step{f.valid, f.refused} {
		for _, step := range list {
			needed[step.ID] = true
		}
	}
	f.steps = nil
	for _, step := range slices.Backward(taken) {
		if !needed[step.ID] {
			continue
		}
		step.texts(func(text string) string {
			if r, ok := readReference(text); ok {
				needed[r.step] = true
			}
			return text
		})
		f.steps = append(f.steps, step)
	}
	slices.Reverse(f.steps)
}

// whole leaves in the plan also each step that succeeded: what it changed may be what a later one needs.
func (f *plan) whole(p *planner) {
	f.short(p.taken)
	kept := f.steps
	f.steps = slices.DeleteFunc(slices.Clone(p.taken), func(step *Step) bool {
		return !slices.Contains(kept, step) && (!p.fits[step.ID] || step.Method == http.MethodGet)
	})
}
