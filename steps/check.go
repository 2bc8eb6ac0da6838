package steps

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// Checker says of steps of feature files whether they can run, without running them.
type Checker struct{ known []checked }

// checked is a step of the vocabulary and what it takes.
type checked struct {
	Step
	pattern               *regexp.Regexp
	takesTable, takesText bool
}

// NewChecker is a checker for the whole vocabulary.
func NewChecker() *Checker {
	var c Checker
	for _, step := range All() {
		pattern := regexp.MustCompile(`^` + step.Pattern + `$`)
		handler, groups := reflect.TypeOf(step.Handler(&World{})), pattern.NumSubexp()
		more := handler.NumIn() > groups
		table := more && handler.In(groups) == reflect.TypeFor[*godog.Table]()
		c.known = append(c.known, checked{step, pattern, table, more && !table})
	}
	return &c
}

// Check says whether one step of the vocabulary has the step's text, whether it comes with the table
// or text that step takes, and whether a budget is written as one.
func (c *Checker) Check(step *godog.Step) error {
	var matching []checked
	for _, known := range c.known {
		if known.pattern.MatchString(step.Text) {
			matching = append(matching, known)
		}
	}
	switch len(matching) {
	case 0:
		return fmt.Errorf("no step reads %q", step.Text)
	case 1:
		return matching[0].check(step)
	}
	return fmt.Errorf("%d steps read %q", len(matching), step.Text)
}

func (c checked) check(step *godog.Step) error {
	var table *godog.Table
	var text *godog.DocString
	if step.Argument != nil {
		table, text = step.Argument.DataTable, step.Argument.DocString
	}
	switch {
	case c.takesTable && table == nil:
		return fmt.Errorf("the step %q needs a table, such as\n%s", step.Text, c.Example)
	case c.takesText && text == nil:
		return fmt.Errorf("the step %q needs a text, such as\n%s", step.Text, c.Example)
	case !c.takesTable && table != nil, !c.takesText && text != nil:
		return fmt.Errorf("the step %q takes no table and no text, such as\n%s", step.Text, c.Example)
	case c.takesTable && strings.HasPrefix(c.Pattern, "the storage calls "):
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
		line := Allowance{Service: wire.Service(row.Cells[columns["service"]].Value), Call: row.Cells[columns["call"]].Value}
		if err := line.check(); err != nil {
			return err
		}
	}
	return nil
}
