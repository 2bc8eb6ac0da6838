package scenario

import (
	"fmt"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/system"
)

// Check reports whether a step of a system's feature file can run, without running it: whether exactly one step of the
// vocabulary matches its text and is one that the system knows, whether it has the table or text that step takes, and
// whether JSON in its line, budgets and simultaneous requests are well formed.
func (v *Vocabulary) Check(s system.System, step *godog.Step) error {
	known, err := v.find(step)
	if err != nil {
		return err
	}
	if !s.Knows(known.of) {
		return fmt.Errorf("%q is a step of %s, and this is a rule of %s", step.Text, known.of, s.Name)
	}
	if err := malformedJSON(step.Text); err != nil {
		return err
	}
	return known.fits(step)
}

func (k known) fits(step *godog.Step) error {
	table, text := arguments(step)
	switch {
	case k.takesTable && table == nil:
		return fmt.Errorf("the step %q needs a table, such as\n%s", step.Text, k.Example)
	case k.takesText && text == nil:
		return fmt.Errorf("the step %q needs a text, such as\n%s", step.Text, k.Example)
	case !k.takesTable && table != nil, !k.takesText && text != nil:
		return fmt.Errorf("the step %q takes no table and no text, such as\n%s", step.Text, k.Example)
	case k.check != nil:
		return k.check(table)
	}
	return nil
}
