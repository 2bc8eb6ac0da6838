package verify

import (
	"errors"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/system"
)

// ofItsRule refuses a scenario of the rule that claims to belong to another rule, or has no step.
func ofItsRule(file string, rule *messages.Rule) error {
	var wrong []error
	for _, scenario := range scenariosIn(rule) {
		for _, tag := range scenario.Tags {
			if ruleTag.MatchString(tag.Name) {
				wrong = append(wrong, refuse(file, scenario.Location,
					"the scenario has the tag of a rule, %s; ids belong on a Rule", tag.Name))
			}
		}
		if len(scenario.Steps) == 0 {
			wrong = append(wrong, refuse(file, scenario.Location, "the scenario has no step"))
		}
	}
	return errors.Join(wrong...)
}

// runnable refuses each step that nothing in the vocabulary can run as written. It is reported here, with its line, and
// not as a broken rule of a server that did nothing wrong.
func (c *Catalogue) runnable(s system.System, file string, feature *messages.Feature,
	pickles []*messages.Pickle) error {
	written := stepsOf(feature)
	checked := map[string]bool{} // by step and example: a Background's are in many scenarios
	var wrong []error
	for _, pickle := range pickles {
		for _, step := range pickle.Steps {
			ids := strings.Join(step.AstNodeIds, " ")
			if checked[ids] {
				continue
			}
			checked[ids] = true
			wrong = append(wrong, placed(file, written[step.AstNodeIds[0]], step.Text, c.steps.Check(s, step)))
		}
	}
	return errors.Join(wrong...)
}

// Check refuses each step that uses what no earlier step of its scenario gives, such as an unknown placeholder. The
// error joins a *source.Error for each; it also says which routes of the contract a table of budgeted routes lacks,
// and which budget names a table in another case.
func (c *Catalogue) Check(s system.System) error {
	wrong := []error{c.contractBudgeted(s), c.onTables(s)}
	for _, doc := range c.Documents {
		written := stepsOf(doc.Tree.Feature)
		reported := map[place]bool{} // a Background's mistakes are those of every scenario
		for _, pickle := range doc.Pickles {
			draft := c.steps.Draft(s)
			for _, step := range pickle.Steps {
				if c.steps.Check(s, step) != nil {
					break // whatever it would have named is unknown to those that follow
				}
				for _, err := range parts(draft.Add(step)) {
					where := placeOfMistake(written[step.AstNodeIds[0]], step.Text, err)
					if !reported[where] {
						reported[where] = true
						wrong = append(wrong, where.refuse(doc.Tree.Uri, err))
					}
				}
			}
		}
	}
	return errors.Join(wrong...)
}

// judging refuses a scenario that expects nothing.
func judging(file string, feature *messages.Feature) error {
	var wrong []error
	for _, rule := range rulesIn(feature) {
		for _, scenario := range scenariosIn(rule) {
			if len(scenario.Steps) > 0 && !slices.ContainsFunc(scenario.Steps, isThen) {
				wrong = append(wrong, refuse(file, scenario.Location,
					"the scenario has no Then: it would pass whatever the server does"))
			}
		}
	}
	return errors.Join(wrong...)
}

func isThen(step *messages.Step) bool { return step.KeywordType == messages.StepKeywordType_OUTCOME }

// stepsOf returns the steps of a feature by their ids.
func stepsOf(feature *messages.Feature) map[string]*messages.Step {
	found := map[string]*messages.Step{}
	for _, step := range stepsInOrder(feature) {
		found[step.Id] = step
	}
	return found
}

// stepsInOrder returns the steps of a feature in the order of its lines.
func stepsInOrder(feature *messages.Feature) (all []*messages.Step) {
	add := func(background *messages.Background, scenario *messages.Scenario) {
		if background != nil {
			all = append(all, background.Steps...)
		}
		if scenario != nil {
			all = append(all, scenario.Steps...)
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
	return all
}
