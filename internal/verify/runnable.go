package verify

import (
	"slices"

	messages "github.com/cucumber/messages/go/v34"
)

// scenarios refuses a scenario of the rule that claims to be another rule's, or has no step.
func (c *Catalogue) scenarios(file string, rule *messages.Rule) error {
	for _, child := range rule.Children {
		if child.Scenario == nil {
			continue
		}
		where := at(file, child.Scenario.Location)
		for _, tag := range child.Scenario.Tags {
			if ruleTag.MatchString(tag.Name) {
				return &FeatureError{Where: where, Reason: "the scenario has the tag of a rule, " + tag.Name + "; ids stand at a Rule"}
			}
		}
		if len(child.Scenario.Steps) == 0 {
			return &FeatureError{Where: where, Reason: "the scenario has no step"}
		}
	}
	return nil
}

// runnable refuses a step that nothing in the vocabulary can run as it stands. It is found here, with
// its line, rather than as a broken rule of a server that did nothing wrong.
func (c *Catalogue) runnable(system, file string, feature *messages.Feature, pickles []*messages.Pickle) error {
	lines := stepLocations(feature)
	for _, pickle := range pickles {
		for _, step := range pickle.Steps {
			if err := c.steps.Check(system, step); err != nil {
				return &FeatureError{Where: at(file, lines[step.AstNodeIds[0]]), Reason: err.Error()}
			}
		}
	}
	return nil
}

// judging refuses a scenario that says of nothing how it must be.
func judging(file string, feature *messages.Feature) error {
	for _, child := range feature.Children {
		if child.Rule == nil {
			continue
		}
		for _, inner := range child.Rule.Children {
			if inner.Scenario != nil && !slices.ContainsFunc(inner.Scenario.Steps, isThen) {
				return &FeatureError{Where: at(file, inner.Scenario.Location), Reason: "the scenario has no Then: it would hold whatever the server does"}
			}
		}
	}
	return nil
}

func isThen(step *messages.Step) bool { return step.KeywordType == messages.StepKeywordType_OUTCOME }

// stepLocations is where each step of a feature stands, by its id.
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
