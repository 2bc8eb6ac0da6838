package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/steps"
)

func (a *app) stepsCommand() *cobra.Command {
	var asJSON bool
	var features string
	cmd := &cobra.Command{
		Use:   "steps [WORD...]",
		Short: "List every step that a feature file can use, with an example",
		Long: `steps lists what a scenario can say, by theme, as written in a feature file. With words, it lists only
steps that contain them all, in their text or theme. Steps for the rules of one system say so.

With --features, or a project file, a step that the features there use is shown as they have it first, and the
other examples have the people, routes, tables, columns and names of those features. Words for which these have
none, and all of them without features, are of familyscheduler, such as {Family}; put yours in their place.
A mistake in the features is reported, with exit status 2, and the steps are listed all the same.`,
		Example: "  storespec steps\n  storespec steps budgets\n  storespec steps --json",
		RunE: func(_ *cobra.Command, words []string) error {
			all, mistakes := inWordsOf(features)
			if all == nil {
				return mistakes
			}
			themes := matching(all, words)
			if len(themes) == 0 {
				return errors.Join(mistakes, command.Misused(fmt.Sprintf("no step contains %q", strings.Join(words, " ")),
					"storespec steps lists them all"))
			}
			if asJSON {
				return errors.Join(mistakes, report.StepsJSON(a.Stdout, themes))
			}
			return errors.Join(mistakes, report.Steps(a.Stdout, themes))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON document")
	addFeatures(cmd, &features)
	return cmd
}

// inWordsOf returns the steps with examples in the words of the features of a directory, if one is given, and without
// those that are for the rules of other systems. The error joins a *diagnostic.Error for each mistake in the directory;
// the steps are those of what could be read, nil if nothing could.
func inWordsOf(directory string) ([]scenario.Theme, error) {
	all := steps.Themes()
	if directory == "" {
		return all, nil
	}
	list, err := described(directory)
	if len(list) == 0 {
		return nil, err
	}
	loaded, wrong := catalogues(list, directory)
	examples := verify.Examples(loaded...)
	all = slices.DeleteFunc(all, func(t scenario.Theme) bool {
		return !slices.ContainsFunc(list, func(s system.System) bool { return s.Knows(t.Of) })
	})
	for _, theme := range all {
		for i, step := range theme.Steps {
			theme.Steps[i].Example = cmp.Or(examples[step.Pattern], step.Example)
		}
	}
	return all, errors.Join(err, wrong)
}

// matching returns the steps whose examples, or the names of their themes, contain all words, ignoring case.
func matching(themes []scenario.Theme, words []string) []scenario.Theme {
	var left []scenario.Theme
	for _, theme := range themes {
		theme.Steps = slices.DeleteFunc(slices.Clone(theme.Steps), func(step scenario.Step) bool {
			text := strings.ToLower(theme.Name + " " + step.Example)
			return slices.ContainsFunc(words, func(word string) bool {
				return !strings.Contains(text, strings.ToLower(word))
			})
		})
		if len(theme.Steps) > 0 {
			left = append(left, theme)
		}
	}
	return left
}
