package steps

import (
	"fmt"
	"slices"

	"github.com/cucumber/godog"
)

// Step is one step of the vocabulary.
type Step struct {
	Pattern string // a regular expression over the step's whole text
	Example string // as it stands in a feature file
	// Handler gives the function that runs the step in a world. Its parameters are the pattern's
	// groups, then the step's table or doc string if it takes one.
	Handler func(*World) any
}

// Theme is the steps that are about one thing.
type Theme struct {
	Name  string
	Steps []Step
	Of    string // the one system whose rules the steps are for; "" for every design
}

// Themes is the vocabulary: first what serves every design.
func Themes() []Theme {
	return []Theme{
		{Name: "requests and answers", Steps: httpSteps()},
		{Name: "rows", Steps: tableSteps()},
		{Name: "blobs", Steps: blobSteps()},
		{Name: "columns and tables of the whole store", Steps: schemaSteps()},
		{Name: "budgets", Steps: budgetSteps()},
		{Name: "storage calls that fail", Steps: faultSteps()},
		{Name: "requests that are sent again", Steps: repeatSteps()},
		{Name: "requests at the same time", Steps: raceSteps()},
		{Name: "starts, outages and other services", Steps: serviceSteps()},
		{Name: "hostile input", Steps: hostileSteps()},
		{Name: "traces", Steps: collectorSteps()},
		{Name: "pages for a browser", Steps: pageSteps()},
		{Name: "gated routes", Steps: routeSteps()},
		{Name: "parts that a server may lack", Steps: capabilitySteps()},
		{Name: "names for values", Steps: valueSteps()},
		{Name: "how the target runs", Steps: surroundingSteps()},
		{Name: "a cache", Steps: redisSteps()},
		{Name: "storespec's own commands", Steps: toolSteps()},
		{Name: "people and their sessions", Steps: peopleSteps(), Of: "familyscheduler"},
		{Name: "groups", Steps: groupSteps(), Of: "familyscheduler"},
		{Name: "appointments", Steps: appointmentSteps(), Of: "familyscheduler"},
		{Name: "records", Steps: actionSteps(), Of: "actions"},
	}
}

// All is the vocabulary.
func All() []Step {
	var all []Step
	for _, theme := range Themes() {
		all = append(all, theme.Steps...)
	}
	return all
}

// rows reads a table with a header into one map per row. Cells are expanded. Where columns are given,
// the table must have these, in any order; the error names one that is missing or one too many.
func (w *World) rows(table *godog.Table, columns ...string) ([]map[string]string, error) {
	if table == nil || len(table.Rows) == 0 {
		return nil, fmt.Errorf("the step needs a table with the columns %v", columns)
	}
	var header []string
	for _, cell := range table.Rows[0].Cells {
		if len(columns) > 0 && !slices.Contains(columns, cell.Value) {
			return nil, fmt.Errorf("the table has a column %q; its columns are %v", cell.Value, columns)
		}
		header = append(header, cell.Value)
	}
	for _, name := range columns {
		if !slices.Contains(header, name) {
			return nil, fmt.Errorf("the table has no column %q", name)
		}
	}
	var rows []map[string]string
	for _, row := range table.Rows[1:] {
		values := map[string]string{}
		for i, cell := range row.Cells {
			value, err := w.written(cell.Value)
			if err != nil {
				return nil, err
			}
			values[header[i]] = value
		}
		rows = append(rows, values)
	}
	return rows, nil
}
