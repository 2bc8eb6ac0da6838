package verify

import (
	"fmt"
	"slices"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"
)

// Place names a scenario of a catalogue: no other has the same. Examples that are filled from a table of routes have
// one line, and differ in their names.
type Place struct {
	Rule string
	Line int
	Name string
}

// Place returns the place of the scenario.
func (s *ScenarioResult) Place() Place { return Place{s.Rule, s.Line, s.Name} }

// Where returns the file and line of a scenario of the rule, and its name if others have the same line.
func (r Rule) Where(s ScenarioResult) string {
	others := slices.ContainsFunc(r.Scenarios,
		func(other Scenario) bool { return other.Line == s.Line && other.Name != s.Name })
	if others {
		return fmt.Sprintf("%s:%d %q", s.File, s.Line, s.Name)
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// located returns a scenario that godog read as it stands in its file: godog reads the rows of filled Examples, which
// the file does not have.
func (c *Catalogue) located(pickle *godog.Scenario) *godog.Scenario {
	at := c.locations[pickle.Uri][pickle.Location.Line]
	if at == nil {
		return pickle
	}
	there := *pickle
	there.Location = at
	return &there
}

// placeOf returns the place of a scenario as it stands in its file.
func placeOf(pickle *messages.Pickle) Place {
	return Place{ruleOf(pickle), int(pickle.Location.Line), pickle.Name}
}
