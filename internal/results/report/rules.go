package report

import (
	"io"

	"github.com/storespec/storespec/internal/verify"
)

// Rules writes every rule with its severity, its clause and its scenarios.
func Rules(w io.Writer, rules []verify.Rule) error {
	t := &text{}
	for i, rule := range rules {
		if i > 0 {
			t.line(0, "")
		}
		t.line(0, "%s %s: %s", rule.ID, rule.Severity, rule.Name)
		t.line(1, "design: %q", rule.Clause)
		for _, scenario := range rule.Scenarios {
			only := ""
			if scenario.Reference {
				only = " (reference only)"
			}
			t.line(1, "%s:%d %s%s", scenario.File, scenario.Line, scenario.Name, only)
		}
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// RulesJSON writes the same as one JSON document, {"rules":[…]}.
func RulesJSON(w io.Writer, rules []verify.Rule) error {
	if rules == nil {
		rules = []verify.Rule{}
	}
	return writeJSON(w, map[string]any{"rules": rules})
}
