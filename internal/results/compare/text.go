package compare

import (
	"fmt"
	"io"
	"strings"
)

// Text writes a comparison for people, regressions first.
func (c *Comparison) Text(w io.Writer) error {
	var b strings.Builder
	for _, s := range c.Suites {
		fmt.Fprintf(&b, "the rules of %s have changed as well: suite %s, now %s\n", s.System, s.Was, s.Is)
	}
	changes(&b, "regressed", c.Regressed)
	changes(&b, "vanished", c.Vanished)
	worse, better := 0, 0
	for _, m := range c.Budgets {
		m.text(&b)
		if m.Worse {
			worse++
		} else {
			better++
		}
	}
	changes(&b, "fixed", c.Fixed)
	changes(&b, "new", c.New)
	fmt.Fprintf(&b, "%d regressed, %d vanished, %d fixed, %d new; budgets: %d got worse, %d moved otherwise\n",
		len(c.Regressed), len(c.Vanished), len(c.Fixed), len(c.New), worse, better)
	_, err := io.WriteString(w, b.String())
	return err
}

// shown is how many scenarios of a kind and rule are listed individually; a removed rule may have had twenty.
const shown = 3

func changes(b *strings.Builder, what string, list []Change) {
	for i, c := range list {
		before := 0
		for j := i - 1; j >= 0 && list[j].Rule == c.Rule; j-- {
			before++
		}
		last := i == len(list)-1 || list[i+1].Rule != c.Rule
		switch {
		case before < shown:
			fmt.Fprintf(b, "%s: %s %s (%s:%d)%s\n", what, c.Rule, c.Scenario, c.File, c.Line, c.outcomes())
		case last:
			fmt.Fprintf(b, "%s: %s, and %d more of its scenarios\n", what, c.Rule, before+1-shown)
		}
	}
}

// outcomes shows the scenario's old and new outcome, if they differ.
func (c Change) outcomes() string {
	switch {
	case c.Is == "":
		return ""
	case c.Was == "":
		return ": " + string(c.Is)
	case c.Reason == "":
		return fmt.Sprintf(": %s, now %s", c.Was, c.Is)
	}
	return fmt.Sprintf(": %s, now %s\n  %s", c.Was, c.Is, c.Reason)
}

func (m Move) text(b *strings.Builder) {
	verdict := "moved"
	if m.Worse {
		verdict = "got worse"
	}
	fmt.Fprintf(b, "budget %s: %s %s (%s:%d), %s\n", verdict, m.Rule, m.Scenario, m.File, m.Line, m.Request)
	for _, law := range m.Calls {
		fmt.Fprintf(b, "  %s\n", law.describe(m.Column, m.Sizes))
	}
	for _, law := range m.Allowed {
		fmt.Fprintf(b, "  allowed: %s\n", law.describe(m.Column, m.Sizes))
	}
}
