package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/verify/designs"
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
			all, mistakes := designsOf(features).Steps()
			if all == nil {
				return mistakes
			}
			themes := designs.Matching(all, words)
			if len(themes) == 0 {
				return errors.Join(mistakes, command.Misused(fmt.Sprintf("no step contains %q",
					strings.Join(words, " ")),
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
