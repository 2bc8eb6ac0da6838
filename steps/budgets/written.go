package budgets

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

var aRoute = regexp.MustCompile(`^` + scenario.MethodAndPath + `$`)

// checkBudgeted checks the table of budgeted routes as written in the file.
func checkBudgeted(table *godog.Table) error {
	if len(table.Rows[0].Cells) != 2 {
		return errors.New("the table of budgeted routes needs the columns route and with")
	}
	var wrong []error
	for i, row := range table.Rows[1:] {
		if route := row.Cells[0].Value; !aRoute.MatchString(route) {
			wrong = append(wrong, &scenario.CellError{Row: i + 1,
				Err: fmt.Errorf("the budgeted route %q is not like GET /api/notes/{group}", route)})
		}
	}
	return errors.Join(wrong...)
}

// checkLines returns a check of lines about storage calls as written in the file, placeholders included. They must have
// the columns service, call, on and more. Its error joins a *scenario.CellError for each cell that is wrong.
func checkLines(more ...string) func(*godog.Table) error {
	needed := append([]string{"service", "call", "on"}, more...)
	return func(table *godog.Table) error { return checkTable(table, needed) }
}

func checkTable(table *godog.Table, needed []string) error {
	columns := map[string]int{}
	for i, cell := range table.Rows[0].Cells {
		columns[cell.Value] = i
	}
	var wrong []error
	for _, name := range needed {
		if _, ok := columns[name]; !ok {
			wrong = append(wrong, fmt.Errorf("the budget has no column %q", name))
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	for i, row := range table.Rows[1:] {
		cells := map[string]string{}
		for name, at := range columns {
			cells[name] = row.Cells[at].Value
		}
		for _, name := range slices.Concat(needed, []string{"capacity"}) {
			if err := checkCell(name, cells); err != nil {
				wrong = append(wrong, &scenario.CellError{Row: i + 1, Column: columns[name], Err: err})
				break // an unknown service has no calls
			}
		}
	}
	return errors.Join(wrong...)
}

// checkCell checks a cell of a line of a budget, whose cells are given by their columns.
func checkCell(column string, cells map[string]string) error {
	text := cells[column]
	line := budget.Allowance{Service: wire.Service(cells["service"]), Call: cells["call"], On: cells["on"]}
	switch column {
	case "service":
		return line.CheckService()
	case "call":
		return line.Check()
	case "count":
		if _, err := strconv.Atoi(text); err != nil && !scenario.Placeholder.MatchString(text) {
			return fmt.Errorf("the count %q of a budget is not a whole number", text)
		}
	case "capacity":
		if _, err := capacityOf(text); err != nil && !scenario.Placeholder.MatchString(text) {
			return err
		}
	}
	return nil
}
