package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/scenario"
)

// couple is the two servers that take the same walk. It takes one walk at a time.
type couple struct {
	suite    *scenario.Suite
	spec     *Spec
	contract *contract.Contract // nil if the system has no contract
	subject  *side
	oracle   *side // nil: only what always holds is judged
	local    bool  // both are in this process, and write nothing after an answer
	noCalls  bool  // storage calls are not compared

	required   map[string]map[string]map[string]bool // Operation.Required by route
	invariants []prepared
	held       []bool // which of them held after the last step

	pairing *pairing
	seen    []string // what the walk has shown so far, for coverage
	// abandoned holds the paths of requests that a client gave up after a storage call failed: half of a change may
	// be there, and what completes it may look first at what is missing.
	abandoned map[string]bool
}

// outcome is how a walk ended.
type outcome struct {
	walk     *Walk       // the steps that were taken
	found    *Difference // after the last of them; nil: none
	diverged bool        // the sides could no longer be compared
	seen     [][]string  // what each step has shown
	missed   bool        // a step has used a value that no answer has given
	steps    int
	asked    []asked // for the page
}

// asked counts a request: its route, who sent it, the status of the answer, and how long it took. took is 0 where a
// storage call failed or had to wait, which slows any server down.
type asked struct {
	route, person string
	status        int
	took          time.Duration
}

// both runs a function on both sides concurrently.
func (c *couple) both(do func(*side) error) error {
	if c.oracle == nil {
		return do(c.subject)
	}
	var all sync.WaitGroup
	var other error
	all.Go(func() { other = do(c.oracle) })
	err := do(c.subject)
	all.Wait()
	return errors.Join(err, other)
}

// begin makes both sides ready for a walk. found is what differs already.
func (c *couple) begin(ctx context.Context, w *Walk) (found *Difference, err error) {
	if err := c.both(func(s *side) error { return s.begin(ctx, c.suite, c.spec, w) }); err != nil {
		return nil, fmt.Errorf("begin a walk: %w", err)
	}
	if err := c.holding(ctx); err != nil {
		return nil, err
	}
	c.abandoned = map[string]bool{}
	if c.oracle == nil {
		c.pairing = newPairing(c.subject.clock, c.subject.clock)
		return nil, nil
	}
	c.pairing = newPairing(c.subject.clock, c.oracle.clock)
	c.subject.beside, c.subject.pairing = c.oracle, c.pairing
	c.introduce()
	d, err := c.whole(ctx)
	if d != nil {
		return &Difference{Kind: "the beginning: " + d.kind(), Text: "after the steps that a walk begins with: " +
			d.String(), row: d}, err
	}
	return nil, err
}

// introduce pairs what people have and what the steps of the beginning have made up: the same on both sides, or, as a
// session, at the same place.
func (c *couple) introduce() {
	values, people := c.subject.world.Names.Known()
	for _, name := range people {
		l, r := c.subject.world.People.Person(name), c.oracle.world.People.Person(name)
		c.pairing.same(l.UserKey())
		c.pairing.same(l.Email)
		if l.Session != "" && r.Session != "" {
			c.pairing.pair(l.Session, r.Session)
		}
	}
	for _, name := range values {
		l, _ := c.subject.world.Names.Kept(name)
		r, _ := c.oracle.world.Names.Kept(name)
		if l == r {
			c.pairing.same(l)
		} else {
			c.pairing.texts(l, r)
		}
	}
}

func (c *couple) end(ctx context.Context) error {
	return c.both(func(s *side) error { return s.end(ctx) })
}

// stepper yields the steps of a walk in order, then nil.
type stepper func(ctx context.Context) *Step

// take takes a walk on both sides until its stepper or a difference ends it. The steps of w itself are ignored. An
// error means that a server could not be used.
func (c *couple) take(ctx context.Context, w Walk, next stepper) (_ *outcome, err error) {
	w.Steps = nil
	o := &outcome{walk: &w}
	defer func() {
		o.missed = c.subject.missed || c.oracle != nil && c.oracle.missed
		err = errors.Join(err, c.end(ctx))
	}()
	if o.found, err = c.begin(ctx, &w); o.found != nil || err != nil {
		return o, err
	}
	for step := next(ctx); step != nil; step = next(ctx) {
		o.walk.Steps = append(o.walk.Steps, *step)
		done, err := c.one(ctx, step, o)
		if done || err != nil {
			return o, err
		}
		if err := ctx.Err(); err != nil {
			return o, err
		}
	}
	return o, nil
}

// one takes a step on both sides. done reports whether the walk has ended.
func (c *couple) one(ctx context.Context, step *Step, o *outcome) (done bool, err error) {
	got, want, err := c.answer(ctx, step)
	if err != nil {
		return true, err
	}
	if c.oracle != nil && c.subject.missed != c.oracle.missed { // one of them has not given a value that is open
		o.diverged = true
		return true, nil
	}
	if c.seen = nil; step.Do != "" {
		o.steps++
		o.found, err = c.done(ctx, step, got, want)
		o.seen = append(o.seen, append(c.seen, fmt.Sprintf("%s %t", step.Do, got.err == nil)))
		return o.found != nil, err
	}
	if !step.requests() {
		o.seen = append(o.seen, nil)
		return false, nil
	}
	o.steps++
	one := asked{step.route(), step.Person, got.status, got.took}
	if step.Fault != nil || step.Meanwhile != nil {
		one.took = 0
	}
	o.asked = append(o.asked, one)
	o.found, err = c.judge(ctx, step, got, want)
	c.show(step, got)
	o.seen = append(o.seen, c.seen)
	if errors.Is(err, errDiverged) {
		o.diverged, err = true, nil
		return true, err
	}
	return o.found != nil, err
}

// answer takes a step on both sides, and notes the answers for later steps.
func (c *couple) answer(ctx context.Context, step *Step) (got, want *answer, err error) {
	err = c.both(func(s *side) error {
		a, err := s.take(ctx, step)
		if s == c.subject {
			got = a
		} else {
			want = a
		}
		return err
	})
	for _, s := range c.sides() {
		s.noted()
	}
	return got, want, err
}

// sides returns the subject, and the oracle if there is one.
func (c *couple) sides() []*side {
	if c.oracle == nil {
		return []*side{c.subject}
	}
	return []*side{c.subject, c.oracle}
}

// note adds the shapes of rows to what the walk has shown.
func (c *couple) note(changes []change) {
	for _, one := range changes {
		if one.after == nil {
			c.seen = append(c.seen, "deleted "+one.resource)
			continue
		}
		c.seen = append(c.seen, "row "+one.resource+" "+strings.Join(columnsOf(one.after), ","))
	}
}

// show adds the status of a route and the classes of its storage calls to what the walk has shown.
func (c *couple) show(step *Step, a *answer) {
	code := member(a.parsed, c.subject.lane.Maker.System.ErrorCode)
	name := step.route()
	c.seen = append(c.seen, fmt.Sprintf("status %s %d %s %s", name, a.status, code, step.Person))
	classes := make([]string, 0, len(a.calls))
	for _, call := range a.calls {
		if !call.Provisions() {
			classes = append(classes, call.Class+" "+c.subject.content.word(call.Resource))
		}
	}
	if a.status < http.StatusMultipleChoices {
		slices.Sort(classes) // calls at the same time come in any order
		c.seen = append(c.seen, "calls "+name+" "+strings.Join(squeeze(classes), ", "))
	}
	if step.Fault != nil && a.reached {
		c.seen = append(c.seen, fmt.Sprintf("fault %s %s %s", name, step.Fault.Kind, step.Fault.Place))
	}
	if step.Meanwhile != nil && a.reached {
		c.seen = append(c.seen, fmt.Sprintf("meanwhile %s %s %d", name, step.Meanwhile.Step.route(), a.beside.status))
	}
}

// squeeze merges equal texts into one entry, so that lists of any length have the same shape.
func squeeze(sorted []string) (short []string) {
	for i, text := range sorted {
		switch {
		case i == 0 || sorted[i-1] != text:
			short = append(short, text)
		case i == 1 || sorted[i-2] != text:
			short[len(short)-1] = "many " + text
		}
	}
	return short
}
