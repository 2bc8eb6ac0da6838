package verify

import (
	"errors"
	"maps"
	"slices"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/verify/baseline"
)

// exampleCells returns the cells of each example of a feature's outlines, by the id of its row.
func exampleCells(feature *messages.Feature) map[string]map[string]string {
	found := map[string]map[string]string{}
	for _, rule := range rulesIn(feature) {
		for _, scenario := range scenariosIn(rule) {
			for _, examples := range scenario.Examples {
				for _, row := range examples.TableBody {
					cells := map[string]string{}
					for i, cell := range row.Cells {
						cells[examples.TableHeader.Cells[i].Value] = cell.Value
					}
					found[row.Id] = cells
				}
			}
		}
	}
	return found
}

// distinct refuses two scenarios of a rule that differ only in their line numbers: a baseline could not name them.
func distinct(rules []Rule) error {
	var wrong []error
	for _, rule := range rules {
		for i, s := range rule.Scenarios {
			before := slices.IndexFunc(rule.Scenarios[:i],
				func(b Scenario) bool { return b.Name == s.Name && maps.Equal(b.Example, s.Example) })
			if before >= 0 {
				wrong = append(wrong, refuse(s.File, &messages.Location{Line: int64(s.Line)},
					"%s has two scenarios %q with the same example, the first in line %d", rule.ID, s.Name,
					rule.Scenarios[before].Line))
			}
		}
	}
	return errors.Join(wrong...)
}

// Has reports whether the catalogue contains a case.
func (c *Catalogue) Has(known baseline.Case) bool {
	_, has := c.Place(known)
	return has
}

// Place returns the place of a case; ok is false if the catalogue does not contain it.
func (c *Catalogue) Place(known baseline.Case) (place Place, ok bool) {
	for _, rule := range c.Rules {
		for _, s := range rule.Scenarios {
			if rule.ID == known.Rule && s.Name == known.Scenario && maps.Equal(s.Example, known.Example) {
				return Place{rule.ID, s.Line, s.Name}, true
			}
		}
	}
	return place, false
}

// MayHave reports whether the catalogue contains a case, or whether what could not be read of it may.
func (c *Catalogue) MayHave(known baseline.Case) bool {
	if rule := c.Rule(known.Rule); rule != nil {
		return c.Has(known) || c.unread[rule.File]
	}
	return c.Partial()
}

// preparing returns how many steps of a scenario come before its own first When; before its own first Then, if it has
// no When.
func (c *Catalogue) preparing(pickle *godog.Scenario) int {
	background := c.background[pickle.Uri]
	for _, tag := range pickle.Tags {
		background += c.background[tag.Name]
	}
	for i, step := range pickle.Steps {
		if i >= background && step.Type != messages.PickleStepType_CONTEXT {
			return i
		}
	}
	return len(pickle.Steps)
}
