package main

import (
	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/verify"
)

func (a *app) rulesCommand() *cobra.Command {
	var asJSON bool
	var features string
	cmd := &cobra.Command{
		Use:   "rules [SYSTEM...]",
		Short: "List every rule, its clause of the design and its scenarios",
		Example: `  storespec rules
  storespec rules familyscheduler --json`,
		RunE: func(_ *cobra.Command, names []string) error {
			_, loaded, err := designsOf(features).Rules(names)
			if err != nil {
				return err
			}
			var rules []verify.Rule
			for _, catalogue := range loaded {
				rules = append(rules, catalogue.Rules...)
			}
			if asJSON {
				return report.RulesJSON(a.Stdout, rules)
			}
			return report.Rules(a.Stdout, rules)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON document")
	addFeatures(cmd, &features)
	return cmd
}
