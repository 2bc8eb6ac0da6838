package steps

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// Check says of a step of a system's feature file whether it can run, without running it: whether one step of the vocabulary
// has its text and is for such a system, whether it comes with the table or text that step takes, and whether a budget and
// requests at the same time are written as such.
func (v *Vocabulary) Check(system string, step *godog.Step) error {
	known, err := v.find(step)
	if err != nil {
		return err
	}
	if known.of != "" && known.of != system {
		return fmt.Errorf("%q is a step of %s, and this is a rule of %s", step.Text, known.of, system)
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
	case k.Pattern == atTheSameTime:
		return checkRace(table)
	}
	return nil
}

var aRequest = regexp.MustCompile(`^` + methodAndPath + `$`)

// checkRace looks at the lines of a race as they stand in the file, placeholders included.
func checkRace(table *godog.Table) error {
	columns, err := raceColumns(table)
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, cell := range table.Rows[0].Cells {
		if !slices.Contains(columns, cell.Value) {
			return fmt.Errorf("the table has a column %q; its columns are %v", cell.Value, columns)
		}
		at[cell.Value] = i
	}
	for _, name := range columns {
		if _, ok := at[name]; !ok {
			return fmt.Errorf("the table has no column %q", name)
		}
	}
	for _, row := range table.Rows[1:] {
		if sent := row.Cells[at["method"]].Value + " " + row.Cells[at["path"]].Value; !aRequest.MatchString(sent) {
			return fmt.Errorf("%q is no request", sent)
		}
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
