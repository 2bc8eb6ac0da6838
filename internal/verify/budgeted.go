package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/contract"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/system"
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
	for _, table := range c.budgetedTables(system) {
		for _, row := range table.rows {
			route, with := budgetedRoute(row)
			if slices.ContainsFunc(c.Documents, func(d Document) bool { return c.judges(d, route, with) }) {
				continue
			}
			if with != "" {
				route += " with " + with
			}
			return refuse(table.file, row.Location, "the budgeted route %s has no budget: no scenario sends such a "+
				"request and then says \"the storage calls are at most\"", route)
		}
	}
	return nil
}

// wholeBudget matches the steps that judge all storage calls of the last request.
var wholeBudget = regexp.MustCompile(`^(the storage calls are (at most|exactly)|no storage call was made)$`)

var (
	aRequest = regexp.MustCompile(` ` + scenario.MethodAndPath)
	anOpened = regexp.MustCompile(` opens (/\S*)$`)
)

// judges reports whether a scenario of a document sends a request to the route and judges it by a whole budget.
func (c *Catalogue) judges(doc Document, route, with string) bool {
	for _, pickle := range doc.Pickles {
		last := ""
		for _, step := range pickle.Steps {
			switch m, opened := aRequest.FindStringSubmatch(step.Text), anOpened.FindStringSubmatch(step.Text); {
			case wholeBudget.MatchString(step.Text):
				if last != "" {
					return true
				}
			case m != nil && sameRoute(m[1]+" "+m[2], route) && strings.Contains(step.Text, with),
				opened != nil && sameRoute("GET "+opened[1], route):
				last = route
			case c.steps.Sends(step):
				last = ""
			}
		}
	}
	return false
}

var inBraces = regexp.MustCompile(`\{[^}]*\}`)

// sameRoute compares the method and the address of a request, without its query, with a route. Placeholders of both
// stand for anything.
func sameRoute(request, route string) bool {
	address, _, _ := strings.Cut(request, "?")
	return inBraces.ReplaceAllString(address, "{}") == inBraces.ReplaceAllString(route, "{}")
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
	for _, route := range held.Routes() {
		listed := func(row *messages.TableRow) bool {
			budgeted, _ := budgetedRoute(row)
			return sameRoute(budgeted, route)
		}
		if !slices.ContainsFunc(tables, func(t budgetedTable) bool { return slices.ContainsFunc(t.rows, listed) }) {
			return refuse(tables[0].file, tables[0].at, "the budgeted routes lack %s, which the contract has", route)
		}
	}
	return nil
}
