package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/steps"
)

func (a *app) stepsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "steps [WORD...]",
		Short: "List every step that a feature file can hold, with an example",
		Long: `steps lists what a scenario can say, by theme, as it stands in a feature file. With words, only
steps that contain them all, theme included. What is for the rules of one system says so; in the
other examples, paths, tables and names such as {Family} are those of familyscheduler, and yours stand in their place.`,
		Example: "  storespec steps\n  storespec steps budgets\n  storespec steps --json",
		RunE: func(_ *cobra.Command, words []string) error {
			themes := matching(steps.Themes(), words)
			if len(themes) == 0 {
				return &usageError{fmt.Sprintf("no step contains %q", strings.Join(words, " ")), "storespec steps lists them all"}
			}
			if asJSON {
				return a.stepsJSON(themes)
			}
			return a.stepsText(themes)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON document")
	return cmd
}

// matching leaves the steps whose examples contain all words, whatever their case, in them or in the name of their theme.
func matching(themes []steps.Theme, words []string) []steps.Theme {
	var left []steps.Theme
	for _, theme := range themes {
		var found []steps.Step
	next:
		for _, step := range theme.Steps {
			for _, word := range words {
				if !strings.Contains(strings.ToLower(theme.Name+" "+step.Example), strings.ToLower(word)) {
					continue next
				}
			}
			found = append(found, step)
		}
		if theme.Steps = found; len(found) > 0 {
			left = append(left, theme)
		}
	}
	return left
}

func (a *app) stepsText(themes []steps.Theme) error {
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
	_, err := fmt.Fprint(a.stdout, text.String())
	return err
}

func (a *app) stepsJSON(themes []steps.Theme) error {
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
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"steps": list})
}
