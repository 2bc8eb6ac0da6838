package steps

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"
)

// Capability is a part of a design that an implementation may lack and say so.
type Capability struct {
	Name        string // as on the command line
	Description string
	// Shown finds the capability in the text of a step, in a cell of its table or in its document. A
	// scenario with such a step needs the capability; nothing else has to be written at it. Nil: the
	// scenarios that need it have its Tag.
	Shown *regexp.Regexp
}

// Tag is the tag, without "@", of a scenario that needs the capability.
func (c Capability) Tag() string { return "needs-" + c.Name }

// whereThere begins a step that a target without the capability is spared.
const whereThere = "where the target has "

// NeededBy reports whether a scenario needs the capability. The table of gated routes is no step of
// any one scenario: the route that a scenario calls is.
func (c Capability) NeededBy(scenario *godog.Scenario) bool {
	if c.Shown == nil {
		return slices.ContainsFunc(scenario.Tags, func(tag *messages.PickleTag) bool { return tag.Name == "@"+c.Tag() })
	}
	return slices.ContainsFunc(scenario.Steps, func(step *godog.Step) bool {
		if strings.HasPrefix(step.Text, whereThere) || step.Text == RouteTable {
			return false
		}
		if c.Shown.MatchString(step.Text) {
			return true
		}
		if step.Argument == nil {
			return false
		}
		if step.Argument.DocString != nil && c.Shown.MatchString(step.Argument.DocString.Content) {
			return true
		}
		return step.Argument.DataTable != nil && slices.ContainsFunc(step.Argument.DataTable.Rows, func(row *messages.PickleTableRow) bool {
			return slices.ContainsFunc(row.Cells, func(cell *messages.PickleTableCell) bool { return c.Shown.MatchString(cell.Value) })
		})
	})
}

func capabilitySteps() []Step {
	return []Step{
		{whereThere + `([\w-]+), (\w+) sends ` + methodAndPath + mayHaveBody, `Given where the target has scan, Ana sends POST /api/appointment/scan {"groupId":"{Family}"}`,
			func(w *World) any {
				return func(capability, name, method, path, body string) error {
					return w.sendsWhereThere(capability, name, method, path, body, "", "")
				}
			}},
		{whereThere + `([\w-]+), (\w+) sends ` + methodAndPath + mayHaveBody + `, and "([^"]+)" of the answer is called (\w+)`, `Given where the target has ignite, Ana sends POST /api/ignite/start {"groupId":"{Family}"}, and "sessionId" of the answer is called Hunt`,
			func(w *World) any { return w.sendsWhereThere }},
	}
}

// sendsWhereThere prepares a scenario by a request of a capability. What the answer would have named
// has a name all the same where the target lacks it.
func (w *World) sendsWhereThere(capability, name, method, path, body, member, called string) error {
	if !slices.ContainsFunc(w.lane.maker.System.Capabilities, func(c Capability) bool { return c.Name == capability }) {
		return fmt.Errorf("%q is no part that a server of %s may lack", capability, w.lane.maker.System.Name)
	}
	if w.lacks(capability) {
		if called != "" {
			w.kept[called] = "none-" + w.tag
		}
		return nil
	}
	if err := w.sends(name, method, path, body); err != nil || called == "" {
		return err
	}
	return w.keep(member, called)
}

// lacks reports whether the target declares that it lacks a capability.
func (w *World) lacks(capability string) bool {
	return slices.Contains(w.lane.maker.Without, capability)
}

// Lacking is a godog.ErrSkip that names the first of the capabilities without which the scenario
// cannot be judged; nil when it can.
func (s System) Lacking(scenario *godog.Scenario, without []string) error {
	for _, c := range s.Capabilities {
		if slices.Contains(without, c.Name) && c.NeededBy(scenario) {
			return fmt.Errorf("%w: the target lacks %s (--without)", godog.ErrSkip, c.Name)
		}
	}
	return nil
}
