package verify

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/contract"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
)

// budgetedTable is the table of budgeted routes of a feature.
type budgetedTable struct {
	file string
	at   *messages.Location
	rows []*messages.TableRow // without the header
}

// budgetedRoute is a line of it: a route, and what the bodies of its requests contain; "" for any request.
func budgetedRoute(row *messages.TableRow) (route, with string) {
	return row.Cells[0].Value, row.Cells[1].Value
}

func (c *Catalogue) budgetedTables(system string) (tables []budgetedTable) {
	for _, doc := range c.Documents {
		if step := backgroundTable(doc.Tree.Feature, scenario.BudgetedTable); step != nil &&
			strings.HasPrefix(doc.Tree.Uri, system+"/") {
			tables = append(tables, budgetedTable{doc.Tree.Uri, step.Location, step.DataTable.Rows[1:]})
		}
	}
	return tables
}

// everyBudget refuses a budgeted route that no scenario of the system judges by a whole budget.
func (c *Catalogue) everyBudget(system string) error {
	tables := c.budgetedTables(system)
	if len(tables) == 0 {
		return nil
	}
	judged := c.judged()
	var wrong []error
	for _, table := range tables {
		for _, row := range table.rows {
			route, with := budgetedRoute(row)
			plain := general(route)
			has := func(s sent) bool { return s.route == plain && strings.Contains(s.step, with) }
			if slices.ContainsFunc(judged, has) {
				continue
			}
			if with != "" {
				route += " with " + with
			}
			wrong = append(wrong, refuse(table.file, row.Location, "the budgeted route %s has no budget: no scenario "+
				"sends such a request and then says \"the storage calls are at most\"", route))
		}
	}
	return errors.Join(wrong...)
}

// isWholeBudget reports whether a step judges all storage calls of the last request.
func isWholeBudget(text string) bool {
	switch text {
	case "the storage calls are at most", "the storage calls are exactly", "no storage call was made":
		return true
	}
	return false
}

var (
	aRequest = regexp.MustCompile(` ` + scenario.MethodAndPath)
	anOpened = regexp.MustCompile(` opens (/\S*)$`)
)

// sending returns the route that a step's text names; "" for none.
func sending(text string) string {
	if !strings.Contains(text, " /") && !strings.Contains(text, " {") { // most texts, and quicker than the expressions
		return ""
	}
	if m := aRequest.FindStringSubmatch(text); m != nil {
		return m[1] + " " + m[2]
	}
	if m := anOpened.FindStringSubmatch(text); m != nil {
		return "GET " + m[1]
	}
	return ""
}

// sent is a request of a scenario: its route, without the names of placeholders, and the step that sends it.
type sent struct{ route, step string }

// judged returns the requests that a scenario judges by a whole budget.
func (c *Catalogue) judged() (found []sent) {
	routes := map[string]string{} // by the texts of steps
	for _, doc := range c.Documents {
		for _, pickle := range doc.Pickles {
			var last *sent
			for _, step := range pickle.Steps {
				route, known := routes[step.Text]
				if !known {
					route = general(sending(step.Text))
					routes[step.Text] = route
				}
				switch {
				case isWholeBudget(step.Text):
					if last != nil {
						found = append(found, *last)
					}
				case route != "":
					last = &sent{route, step.Text}
				case c.steps.Sends(step):
					last = nil
				}
			}
		}
	}
	return found
}

var inBraces = regexp.MustCompile(`\{[^}]*\}`)

// general returns the method and the address of a request, or a route, without a query and without the names of its
// placeholders.
func general(route string) string {
	address, _, _ := strings.Cut(route, "?")
	return inBraces.ReplaceAllString(address, "{}")
}

// contractBudgeted refuses a table of budgeted routes that lacks a route of the system's contract.
func (c *Catalogue) contractBudgeted(s system.System) error {
	tables := c.budgetedTables(s.Name)
	if len(tables) == 0 || s.Contract == nil {
		return nil
	}
	held, err := contract.Load(s.Contract)
	if err != nil {
		return fmt.Errorf("the contract of %s: %w", s.Name, err)
	}
	listed := map[string]bool{}
	for _, table := range tables {
		for _, row := range table.rows {
			budgeted, _ := budgetedRoute(row)
			listed[general(budgeted)] = true
		}
	}
	var wrong []error
	for _, route := range held.Routes() {
		if !listed[general(route)] {
			wrong = append(wrong,
				refuse(tables[0].file, tables[0].at, "the budgeted routes lack %s, which the contract has", route))
		}
	}
	return errors.Join(wrong...)
}
