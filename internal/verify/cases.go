package verify

import (
	"fmt"
	"maps"
	"slices"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/baseline"
)

// exampleCells is each example of a feature's outlines, by the id of its row.
func exampleCells(feature *messages.Feature) map[string]map[string]string {
	found := map[string]map[string]string{}
	for _, child := range feature.Children {
		if child.Rule == nil {
			continue
		}
		for _, inner := range child.Rule.Children {
			if inner.Scenario == nil {
				continue
			}
			for _, examples := range inner.Scenario.Examples {
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

// distinct refuses two scenarios of a rule that nothing but their lines tells apart: a baseline could
// not name them.
func distinct(rules []Rule) error {
	for _, rule := range rules {
		for i, s := range rule.Scenarios {
			before := slices.IndexFunc(rule.Scenarios[:i], func(b Scenario) bool { return b.Name == s.Name && maps.Equal(b.Example, s.Example) })
			if before >= 0 {
				return &FeatureError{
					Where:  fmt.Sprintf("%s:%d", s.File, s.Line),
					Reason: fmt.Sprintf("%s has two scenarios %q with the same example, the first in line %d", rule.ID, s.Name, rule.Scenarios[before].Line),
				}
			}
		}
	}
	return nil
}

// Has reports whether the catalogue holds a case.
func (c *Catalogue) Has(known baseline.Case) bool {
	return slices.ContainsFunc(c.Rules, func(r Rule) bool {
		return r.ID == known.Rule && slices.ContainsFunc(r.Scenarios, func(s Scenario) bool {
			return s.Name == known.Scenario && maps.Equal(s.Example, known.Example)
		})
	})
}

// example is the example of the scenario at a place of the features.
func (c *Catalogue) example(rule string, line int) map[string]string {
	for _, r := range c.Rules {
		if r.ID != rule {
			continue
		}
		for _, s := range r.Scenarios {
			if s.Line == line {
				return s.Example
			}
		}
	}
	return nil
}
