package verify

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
)

// Tables returns the tables that the definitions of a system and the steps of the features name, with the columns that
// these name.
func (c *Catalogue) Tables(s system.System) scenario.Tables {
	tables := scenario.Tables{}
	for _, definition := range s.Tables {
		var said struct {
			TableName            string
			AttributeDefinitions []struct{ AttributeName string }
		}
		if json.Unmarshal(definition, &said) != nil || said.TableName == "" {
			continue // the store says what is wrong with it
		}
		tables[said.TableName] = map[string]bool{}
		for _, attribute := range said.AttributeDefinitions {
			tables[said.TableName][attribute.AttributeName] = true
		}
	}
	for _, doc := range c.Documents {
		for _, pickle := range doc.Pickles {
			for _, step := range pickle.Steps {
				tables.Add(c.steps, step)
			}
		}
	}
	return tables
}

// onTables refuses the "on" of a budget that is a table's name except for its case: it would allow nothing, and forbid
// nothing.
func (c *Catalogue) onTables(s system.System) error {
	known := c.Tables(s).Names()
	var wrong []error
	for _, doc := range c.Documents {
		for _, step := range stepsInOrder(doc.Tree.Feature) {
			for _, cell := range budgetedResources(step) {
				same := func(name string) bool { return strings.EqualFold(name, cell.Value) }
				if i := slices.IndexFunc(known, same); i >= 0 && !slices.Contains(known, cell.Value) {
					wrong = append(wrong, refuse(doc.Tree.Uri, cell.Location,
						"no table is called %q; did you mean %s? the tables of these features: %s", cell.Value,
						known[i], strings.Join(known, ", ")))
				}
			}
		}
	}
	return errors.Join(wrong...)
}

// budgetedResources returns the cells of a budget that say which tables its calls are on.
func budgetedResources(step *messages.Step) (cells []*messages.TableCell) {
	if step.DataTable == nil || !strings.Contains(step.Text, "storage call") {
		return nil
	}
	header := step.DataTable.Rows[0].Cells
	on := slices.IndexFunc(header, func(cell *messages.TableCell) bool { return cell.Value == "on" })
	if on < 0 {
		return nil
	}
	service := slices.IndexFunc(header, func(cell *messages.TableCell) bool { return cell.Value == "service" })
	for _, row := range step.DataTable.Rows[1:] {
		if service < 0 || slices.Contains([]string{"table", "dynamodb"}, row.Cells[service].Value) {
			cells = append(cells, row.Cells[on])
		}
	}
	return cells
}
