package verify

import (
	"errors"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"
)

// invariantTag marks a scenario of one Then that is judged after every step of a random walk, and not by itself.
const invariantTag = "invariant"

// Invariant is what always holds: one Then.
type Invariant struct {
	Rule, System, Name string
	File               string
	Line               int
	Step               string // as Gherkin has it, with its table
}

// invariants reads those of a rule. The error says which are not a single Then.
func (c *Catalogue) invariants(rule Rule, found *messages.Rule) error {
	var wrong []error
	for _, scenario := range scenariosIn(found) {
		if !slices.ContainsFunc(scenario.Tags, func(tag *messages.Tag) bool { return tag.Name == "@"+invariantTag }) {
			continue
		}
		if len(scenario.Steps) != 1 || !isThen(scenario.Steps[0]) || len(scenario.Examples) > 0 {
			wrong = append(wrong, refuse(rule.File, scenario.Location, "an @%s is one Then and nothing else: it is "+
				"judged after every step of a random walk", invariantTag))
			continue
		}
		c.Invariants = append(c.Invariants, Invariant{rule.ID, rule.System, scenario.Name, rule.File,
			int(scenario.Location.Line), gherkinOf(scenario.Steps[0])})
	}
	return errors.Join(wrong...)
}

// gherkinOf writes a step, and the table or the text below it, as a feature file has them.
func gherkinOf(step *messages.Step) string {
	var text strings.Builder
	text.WriteString(step.Keyword + step.Text + "\n")
	if step.DocString != nil {
		text.WriteString("\"\"\"\n" + step.DocString.Content + "\n\"\"\"\n")
	}
	if step.DataTable != nil {
		for _, row := range step.DataTable.Rows {
			for _, cell := range row.Cells {
				text.WriteString("| " + strings.ReplaceAll(cell.Value, "|", `\|`) + " ")
			}
			text.WriteString("|\n")
		}
	}
	return text.String()
}
