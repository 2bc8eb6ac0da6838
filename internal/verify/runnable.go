package verify

import (
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/system"
)

// ofItsRule refuses a scenario of the rule that claims to belong to another rule, or has no step.
func ofItsRule(file string, rule *messages.Rule) error {
	for _, scenario := range scenariosIn(rule) {
		for _, tag := range scenario.Tags {
			if ruleTag.MatchString(tag.Name) {
				return refuse(file, scenario.Location, "the scenario has the tag of a rule, %s; ids stand at a Rule",
					tag.Name)
			}
		}
		if len(scenario.Steps) == 0 {
			return refuse(file, scenario.Location, "the scenario has no step")
		}
	}
	return nil
}

// runnable refuses a step that nothing in the vocabulary can run as written. It is reported here, with its line, and
// not as a broken rule of a server that did nothing wrong.
func (c *Catalogue) runnable(system, file string, feature *messages.Feature, pickles []*messages.Pickle) error {
	lines := stepLocations(feature)
	checked := map[string]bool{} // by step and example: a Background's stand in many scenarios
	for _, pickle := range pickles {
		for _, step := range pickle.Steps {
			written := strings.Join(step.AstNodeIds, " ")
			if checked[written] {
				continue
			}
			checked[written] = true
			if err := c.steps.Check(system, step); err != nil {
				return refuse(file, lines[step.AstNodeIds[0]], "%s", err)
			}
		}
	}
	return nil
}

// Check refuses a step that uses what no earlier step of its scenario gives, such as an unknown placeholder. The error
// is a *FeatureError, also if the contract has a route that a table of budgeted routes lacks.
func (c *Catalogue) Check(s system.System) error {
	if err := c.contractBudgeted(s); err != nil {
		return err
	}
	for _, doc := range c.Documents {
		lines := stepLocations(doc.Tree.Feature)
		for _, pickle := range doc.Pickles {
			draft := c.steps.Draft(s)
			for _, step := range pickle.Steps {
				if err := draft.Add(step); err != nil {
					return refuse(doc.Tree.Uri, lines[step.AstNodeIds[0]], "%s", err)
				}
			}
		}
	}
	return nil
}

// judging refuses a scenario that expects nothing.
func judging(file string, feature *messages.Feature) error {
	for _, rule := range rulesIn(feature) {
		for _, scenario := range scenariosIn(rule) {
			if !slices.ContainsFunc(scenario.Steps, isThen) {
				return refuse(file, scenario.Location,
					"the scenario has no Then: it would pass whatever the server does")
			}
		}
	}
	return nil
}

func isThen(step *messages.Step) bool { return step.KeywordType == messages.StepKeywordType_OUTCOME }

// stepLocations returns the location of each step of a feature, by its id.
func stepLocations(feature *messages.Feature) map[string]*messages.Location {
	found := map[string]*messages.Location{}
	add := func(background *messages.Background, scenario *messages.Scenario) {
		var all []*messages.Step
		if background != nil {
			all = background.Steps
		}
		if scenario != nil {
			all = scenario.Steps
		}
		for _, step := range all {
			found[step.Id] = step.Location
		}
	}
	for _, child := range feature.Children {
		add(child.Background, child.Scenario)
		if child.Rule == nil {
			continue
		}
		for _, inner := range child.Rule.Children {
			add(inner.Background, inner.Scenario)
		}
	}
	return found
}
