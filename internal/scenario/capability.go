package scenario

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/system"
)

// WhereThere begins a step that is skipped for a target without the capability.
const WhereThere = "where the target has "

// EachOfThese ends a step whose table lists requests that are judged one by one. A row that needs a missing capability
// is left out, and the others are judged.
const EachOfThese = " is refused each of these, and nothing is written"

// needs reports whether a scenario needs the capability. Tables of routes do not count as a step of any one scenario:
// the route that a scenario calls does.
func needs(scenario *godog.Scenario, c system.Capability) bool {
	if slices.ContainsFunc(scenario.Tags, func(tag *messages.PickleTag) bool { return tag.Name == "@"+c.Tag() }) {
		return true
	}
	return c.Shown != nil && slices.ContainsFunc(scenario.Steps, func(step *godog.Step) bool {
		if strings.HasPrefix(step.Text, WhereThere) || step.Text == RouteTable || step.Text == BudgetedTable {
			return false
		}
		table, text := arguments(step)
		return c.Shown.MatchString(step.Text) || text != nil && c.Shown.MatchString(text.Content) ||
			table != nil && !strings.HasSuffix(step.Text, EachOfThese) && inTable(table, c.Shown)
	})
}

// inTable reports whether a cell of a table matches.
func inTable(table *messages.PickleTable, pattern *regexp.Regexp) bool {
	return slices.ContainsFunc(table.Rows,
		func(row *messages.PickleTableRow) bool { return inRow(row, pattern) })
}

func inRow(row *messages.PickleTableRow, pattern *regexp.Regexp) bool {
	return slices.ContainsFunc(row.Cells,
		func(cell *messages.PickleTableCell) bool { return pattern.MatchString(cell.Value) })
}

// RowLacks returns the first missing capability that a row of a table needs; nil if there is none.
func RowLacks(row *messages.PickleTableRow, capabilities []system.Capability, without []string) *system.Capability {
	for i, c := range capabilities {
		if c.Shown != nil && slices.Contains(without, c.Name) && inRow(row, c.Shown) {
			return &capabilities[i]
		}
	}
	return nil
}

// LeavesOut reports whether a row of a table needs a capability that the target lacks, and notes that it is left out.
func (r *Requests) LeavesOut(row *messages.PickleTableRow) bool {
	lacking := RowLacks(row, r.stage.System().Capabilities, r.stage.suite.Without)
	if lacking != nil {
		r.leftOut = append(r.leftOut, lacks(*lacking))
	}
	return lacking != nil
}

// LeaveOut notes that a row of a table is left out, if its error says that it could not be sent to the target.
func (r *Requests) LeaveOut(err error) bool {
	unsent := mapping.Unsent(err)
	if unsent != nil {
		r.leftOut = append(r.leftOut, unsent.Error())
	}
	return unsent != nil
}

// LeftOut returns why rows of the scenario were left out, once for each row.
func (r *Requests) LeftOut() []string { return r.leftOut }

func lacks(c system.Capability) string {
	return cmp.Or(c.Reason, "the server lacks "+c.Name+" (--without)")
}

// inTextOrTable reports whether a step's text or a cell of its table matches.
func inTextOrTable(step *godog.Step, pattern *regexp.Regexp) bool {
	table, _ := arguments(step)
	return pattern.MatchString(step.Text) || table != nil && inTable(table, pattern)
}

// Lacks reports whether the target declares that it lacks a capability.
func (s *Stage) Lacks(capability string) bool { return slices.Contains(s.suite.Without, capability) }

// Lacking returns a godog.ErrSkip that names the first missing capability without which the scenario cannot be judged;
// nil if there is none. A scenario can do without some rows of a step that ends in EachOfThese, but not without all.
func Lacking(scenario *godog.Scenario, capabilities []system.Capability, without []string) error {
	for _, c := range capabilities {
		if slices.Contains(without, c.Name) && needs(scenario, c) {
			return fmt.Errorf("%w: %s", godog.ErrSkip, lacks(c))
		}
	}
	for _, step := range scenario.Steps {
		table, _ := arguments(step)
		if table == nil || !strings.HasSuffix(step.Text, EachOfThese) {
			continue
		}
		var last *system.Capability
		for _, row := range table.Rows[1:] {
			if last = RowLacks(row, capabilities, without); last == nil {
				break
			}
		}
		if last != nil {
			return fmt.Errorf("%w: %s", godog.ErrSkip, lacks(*last))
		}
	}
	return nil
}

// RouteTable is the text of the step whose table lists the routes a feature gates. A rule tagged @every-route must have
// an example for each of them.
const RouteTable = "the gated routes"

// BudgetedTable is the text of the step whose table lists the routes of a design each of which has a whole budget in
// some scenario.
const BudgetedTable = "the budgeted routes"
