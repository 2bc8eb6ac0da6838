package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/storespec/storespec/internal/scenario"
)

// Invariant is what always holds of a design, as a feature file states it once: a scenario of one Then.
type Invariant struct {
	Rule, Name string
	Step       string // in Gherkin
}

// prepared is an invariant that can be judged.
type prepared struct {
	Invariant

	step    *scenario.Preparation
	answers bool // it is about answers as well as about what the store contains
}

// prepareAll parses the steps of invariants. The error names the one that cannot be read.
func prepareAll(invariants []Invariant) (all []prepared, err error) {
	for _, one := range invariants {
		step, err := scenario.Prepare(one.Step)
		if err != nil {
			return nil, fmt.Errorf("the invariant %q of %s: %w", one.Name, one.Rule, err)
		}
		all = append(all, prepared{one, step, strings.Contains(one.Step, " the answer ")})
	}
	return all, nil
}

// holding judges the invariants on the subject before the first step of a walk: one that a walk's beginning breaks,
// such as one that lays half of a change, is not judged in it.
func (c *couple) holding(ctx context.Context) error {
	c.held = make([]bool, len(c.invariants))
	for i, one := range c.invariants {
		err := one.broken(ctx, c.subject, &answer{})
		if err := one.unusable(ctx, err); err != nil {
			return err
		}
		c.held[i] = err == nil
	}
	return ctx.Err()
}

// invariant judges the invariants after a step. One that held before the step must hold after it, also if a storage
// call failed and the request was sent again. A step that was given up, or into which another request came, may leave
// half of a change, and only decides what is judged after the next one.
func (c *couple) invariant(ctx context.Context, step *Step, a *answer, changed bool) (*Difference, error) {
	for i, one := range c.invariants {
		if !changed && !one.answers {
			continue
		}
		err := one.broken(ctx, c.subject, a)
		if err := one.unusable(ctx, err); err != nil {
			return nil, err
		}
		held := c.held[i]
		c.held[i] = err == nil
		if err != nil && held && step.whole(a) {
			kind := fmt.Sprintf("%s breaks what always holds (%s): %s", step.route(), one.Rule, one.Name)
			return &Difference{Kind: kind,
				Text: fmt.Sprintf("after %s %s, answered %d: %s", a.method, a.path, a.status, err), got: a,
				broken: &one.Invariant}, nil
		}
	}
	return nil, nil
}

// unusable returns an error that says that an invariant cannot be judged; nil: err is its verdict.
func (p *prepared) unusable(ctx context.Context, err error) error {
	if _, misused := errors.AsType[*scenario.MisuseError](err); misused {
		return fmt.Errorf("the invariant %q of %s: %w", p.Name, p.Rule, err)
	}
	return ctx.Err()
}

// whole reports whether a step must leave the whole of a change, or nothing of it.
func (s *Step) whole(a *answer) bool {
	return s.Meanwhile == nil && (s.Fault == nil || !s.Fault.Left && a.status < http.StatusInternalServerError)
}

// broken returns why the invariant does not hold on a side; nil: it holds.
func (p *prepared) broken(ctx context.Context, s *side, a *answer) error {
	return s.world.Holds(ctx, p.step, a.method, a.path, a.status, a.body)
}
