package explore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/source"
)

// prove runs a scenario as verify does, on fresh accounts: it shows a difference if it fails on the subject and holds
// on the oracle. unproven says why it does not; the error is one of a server that cannot be used.
func (c *couple) prove(ctx context.Context, text string) (unproven string, err error) {
	_, steps, _ := strings.Cut(text, "\n") // without its title
	prepared, err := scenario.Prepare(steps)
	if err == nil {
		err = c.suite.Vocabulary.CheckAll(c.subject.lane.Maker.System, prepared)
	}
	if err != nil {
		return fmt.Sprintf("the scenario cannot express all of it: %s", source.FirstLine(err.Error())), nil
	}
	failed, err := c.subject.runs(ctx, c.suite, c.spec, prepared)
	if err != nil {
		return "", err
	}
	if _, is := errors.AsType[*scenario.MisuseError](failed); is {
		return fmt.Sprintf("the scenario cannot express all of it: %s", source.FirstLine(failed.Error())), nil
	}
	if failed == nil && strings.Contains(text, "| "+aTime+" |") {
		return "its steps say that there is a time, not which of two it is", nil
	}
	if failed == nil {
		return "the scenario passes on the server", nil
	}
	if c.oracle == nil {
		return "", nil
	}
	if failed, err = c.oracle.runs(ctx, c.suite, c.spec, prepared); err != nil || failed == nil {
		return "", err
	}
	return fmt.Sprintf("the scenario fails on both: %s", source.FirstLine(failed.Error())), nil
}

// runs runs a scenario on a side. failed is why it does not hold.
func (s *side) runs(ctx context.Context, suite *scenario.Suite, spec *Spec,
	p *scenario.Preparation) (failed, err error) {
	if err := s.usual(ctx, spec); err != nil {
		return nil, err
	}
	world := scenario.Begin(suite, s.lane, nil)
	failed = world.Take(ctx, p)
	if failed == nil {
		failed = world.Finish(ctx)
	} else {
		err = world.Leave(context.WithoutCancel(ctx))
	}
	if failed != nil {
		failed = matching.NewCleaned(failed, world.Names.Scrub)
	}
	for name := range spec.Environment { // a step may have started it with another value
		s.env[name] = unknown
	}
	return failed, errors.Join(err, ctx.Err())
}

// unknown marks a variable whose current value is not known; no variable has this value.
const unknown = "\x00"

// usual gives the side a fresh account, and its server the usual values of variables.
func (s *side) usual(ctx context.Context, spec *Spec) error {
	if err := s.lane.Renew(ctx); err != nil {
		return err
	}
	for name, values := range spec.Environment {
		if err := s.with(ctx, name, values[0]); err != nil {
			return err
		}
	}
	return nil
}
