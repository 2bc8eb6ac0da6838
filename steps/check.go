package steps

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// Check says of a step of a feature file whether it can run, without running it: whether one step of the vocabulary has
// its text, whether it comes with the table or text that step takes, and whether a budget is written as one.
func (v *Vocabulary) Check(step *godog.Step) error {
	known, err := v.find(step)
	if err != nil {
		return err
	}
	return known.check(step)
}

func (k known) check(step *godog.Step) error {
	table, text := arguments(step)
	switch {
	case k.takesTable && table == nil:
		return fmt.Errorf("the step %q needs a table, such as\n%s", step.Text, k.Example)
	case k.takesText && text == nil:
		return fmt.Errorf("the step %q needs a text, such as\n%s", step.Text, k.Example)
	case !k.takesTable && table != nil, !k.takesText && text != nil:
		return fmt.Errorf("the step %q takes no table and no text, such as\n%s", step.Text, k.Example)
	case k.takesTable && strings.HasPrefix(k.Pattern, "the storage calls "):
		return checkBudget(table)
	}
	return nil
}

// checkBudget looks at the lines of a budget as they stand in the file, placeholders included.
func checkBudget(table *godog.Table) error {
	columns := map[string]int{}
	for i, cell := range table.Rows[0].Cells {
		columns[cell.Value] = i
	}
	for _, name := range []string{"service", "call", "on", "count"} {
		if _, ok := columns[name]; !ok {
			return fmt.Errorf("the budget has no column %q", name)
		}
	}
	for _, row := range table.Rows[1:] {
		count := row.Cells[columns["count"]].Value
		if _, err := strconv.Atoi(count); err != nil && !placeholder.MatchString(count) {
			return fmt.Errorf("the count %q of a budget is no whole number", count)
		}
		line := Allowance{Service: wire.Service(row.Cells[columns["service"]].Value), Call: row.Cells[columns["call"]].Value}
		if err := line.check(); err != nil {
			return err
		}
	}
	return nil
}
