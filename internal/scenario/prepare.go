package scenario

import (
	"context"
	"fmt"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v42"
	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/system"
)

// Preparation is steps without a scenario around them, such as those that a walk begins with.
type Preparation struct{ pickle *godog.Scenario }

// Prepare parses steps, each on a line of its own, as a feature file has them.
func Prepare(steps string) (*Preparation, error) {
	var ids messages.Incrementing
	text := "Feature: steps\n  Scenario: steps\n" + steps + "\n"
	doc, err := gherkin.ParseGherkinDocument(strings.NewReader(text), ids.NewId)
	if err != nil {
		return nil, fmt.Errorf("the steps cannot be read: %w", err)
	}
	pickles := gherkin.Pickles(*doc, "steps", ids.NewId)
	if len(pickles) == 0 { // no step at all
		return &Preparation{&godog.Scenario{}}, nil
	}
	return &Preparation{pickles[0]}, nil
}

// CheckAll is Check for each of the steps.
func (v *Vocabulary) CheckAll(s system.System, p *Preparation) error {
	for _, step := range p.pickle.Steps {
		if err := v.Check(s, step); err != nil {
			return err
		}
	}
	return nil
}

// Lacks returns an error that names the first part of the design that the steps need and a server lacks; nil: none.
func (p *Preparation) Lacks(capabilities []system.Capability, without []string) error {
	return Lacking(p.pickle, capabilities, without)
}

// BeginWith is Begin with steps instead of a scenario, and a given tag: worlds with the same tag have the same people
// and make up the same ids. It runs the steps, and returns the world also if one of them fails.
func BeginWith(ctx context.Context, suite *Suite, on *lane.Lane, p *Preparation, tag string) (*World, error) {
	w := Begin(suite, on, p.pickle)
	w.People.tag = tag
	return w, w.Take(ctx, p)
}

// Holds runs the step of an invariant after a request that was sent elsewhere: the answer is judged as if it were the
// scenario's only one.
func (w *World) Holds(ctx context.Context, p *Preparation, method, path string, status int, body []byte) error {
	sent := w.Requests
	before := sent.exchanges
	sent.exchanges = []*RoundTrip{{method: method, Path: path, Status: status, Body: body}}
	sent.invariant = true
	err := w.Take(ctx, p)
	sent.exchanges, sent.invariant = before, false
	return err
}

// Printed returns what a command that a step has run has printed, and the status it has ended with.
func (w *World) Printed() (status int, said string) {
	for _, part := range w.packages {
		if ran, ok := part.(interface{ Printed() (int, string) }); ok {
			return ran.Printed()
		}
	}
	return 0, ""
}

// Take runs steps in a world that has begun.
func (w *World) Take(ctx context.Context, p *Preparation) error {
	w.Stage.pickle = p.pickle
	for i, step := range p.pickle.Steps {
		w.Stage.at = i
		if err := w.Stage.suite.Vocabulary.Run(ctx, step, w); err != nil {
			return fmt.Errorf("%s: %w", step.Text, err)
		}
	}
	return nil
}
