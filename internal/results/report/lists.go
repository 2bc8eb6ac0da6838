package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/storespec/storespec/internal/prove/vacuity"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
)

// Rules writes every rule with its severity, its clause and its scenarios.
func Rules(w io.Writer, rules []verify.Rule) error {
	c := &console{}
	for i, rule := range rules {
		if i > 0 {
			c.line(0, "")
		}
		c.line(0, "%s %s: %s", rule.ID, rule.Severity, rule.Name)
		c.line(1, "design: %q", rule.Clause)
		for _, scenario := range rule.Scenarios {
			only := ""
			if scenario.Reference {
				only = " (reference only)"
			}
			c.line(1, "%s:%d %s%s", scenario.File, scenario.Line, scenario.Name, only)
		}
	}
	return c.writeTo(w)
}

// RulesJSON writes the same as one JSON document, {"rules":[…]}.
func RulesJSON(w io.Writer, rules []verify.Rule) error {
	if rules == nil {
		rules = []verify.Rule{}
	}
	return WriteJSON(w, map[string]any{"rules": rules})
}

// Steps writes an example of every step, by theme, as it appears in a feature file.
func Steps(w io.Writer, themes []scenario.Theme) error {
	var text strings.Builder
	for i, theme := range themes {
		if i > 0 {
			text.WriteString("\n")
		}
		text.WriteString(theme.Name)
		if theme.Of != "" {
			text.WriteString(" (of " + theme.Of + ")")
		}
		text.WriteString("\n")
		for _, step := range theme.Steps {
			text.WriteString("  " + strings.ReplaceAll(step.Example, "\n", "\n    ") + "\n")
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// StepsJSON writes the same as one JSON document, {"steps":[…]}, with the pattern of each.
func StepsJSON(w io.Writer, themes []scenario.Theme) error {
	type entry struct {
		Theme   string `json:"theme"`
		System  string `json:"system,omitempty"`
		Pattern string `json:"pattern"`
		Example string `json:"example"`
	}
	var list []entry
	for _, theme := range themes {
		for _, step := range theme.Steps {
			list = append(list, entry{theme.Name, theme.Of, step.Pattern, step.Example})
		}
	}
	return WriteJSON(w, map[string]any{"steps": list})
}

// Vacuity writes which rules of a system pass on servers that never touch a store, and why.
func Vacuity(w io.Writer, system string, stubs []vacuity.Stub) error {
	c := &console{}
	c.line(0, "%s: rules against servers that never touch a store", system)
	for _, stub := range stubs {
		c.line(0, "\nstub %s, which %s: %d rules fail, %d pass", stub.Name, stub.Description, stub.Failed,
			len(stub.Kept))
		if stub.Unprepared > 0 {
			c.line(1, "%d of those that fail do so because the stub cannot prepare their scenarios", stub.Unprepared)
		}
		for _, rule := range stub.NotJudged {
			c.line(1, "%s is not judged: ERROR: no scenario of it could be run to its end", rule)
		}
		for _, kept := range stub.Kept {
			c.line(1, "%s passes: %s", kept.Rule, cmp.Or(kept.Reason, "ERROR: nothing says why"))
		}
		for _, rule := range stub.Needless {
			c.line(1, "%s fails: ERROR: its description says that it passes", rule)
		}
	}
	return c.writeTo(w)
}

// VacuityJSON writes the same as one JSON document, {"system":…,"stubs":[…]}.
func VacuityJSON(w io.Writer, system string, stubs []vacuity.Stub) error {
	return WriteJSON(w, map[string]any{"system": system, "stubs": stubs})
}
