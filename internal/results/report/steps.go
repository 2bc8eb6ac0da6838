package report

import (
	"io"
	"strings"

	"github.com/storespec/storespec/internal/scenario"
)

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
	return writeJSON(w, map[string]any{"steps": list})
}
