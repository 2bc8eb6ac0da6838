package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/verify/designs"
	"github.com/storespec/storespec/internal/verify/lint"
)

// checkOptions holds the command line of check.
type checkOptions struct {
	*app

	features string
	baseline string
	mapFile  string
}

func (a *app) checkCommand() *cobra.Command {
	o := checkOptions{app: a}
	cmd := &cobra.Command{
		Use:   "check [DIR | SYSTEM...]",
		Short: "Say everything that is wrong with a design's files, without starting anything",
		Long: `check reads the feature files, system.yaml, the contract, explore.yaml and the known failures of a
design, and the mapping file of a server, and reports every mistake at once, as file:line:column. No
server and no store is started.

DIR is a directory of designs, such as features, the directory above it, or the folder of one design.

Exit status: 0 nothing is wrong, 2 something is.`,
		Example: `  storespec check features
  storespec check features --baseline known.yaml
  storespec check familyscheduler
  storespec check familyscheduler --map map.yaml`,
		RunE: func(_ *cobra.Command, args []string) error { return o.check(args) },
	}
	addFeatures(cmd, &o.features)
	cmd.Flags().StringVar(&o.baseline, "baseline", "", "also check the YAML `FILE` of scenarios that are known to fail")
	cmd.Flags().StringVar(&o.mapFile, "map", "", "also check the mapping `FILE` of a server; without a system, for "+
		"the design whose contract it fits best")
	return cmd
}

// check reports what is wrong on standard output, or how much was read if nothing is.
func (o checkOptions) check(args []string) error {
	found, err := o.designs(args)
	catalogues, list := make([]*verify.Catalogue, len(found)), make([]system.System, len(found))
	for i, design := range found {
		catalogues[i], list[i] = design.Catalogue, design.System
	}
	if o.baseline != "" {
		_, wrong := lint.Baseline(o.baseline, catalogues, designsOf(o.features).Besides(list))
		err = errors.Join(err, wrong)
	}
	mapped := ""
	if o.mapFile != "" {
		var wrong error
		mapped, wrong = o.mapping(found)
		err = errors.Join(err, wrong)
	}
	mistakes, rest := source.All(err)
	for _, mistake := range mistakes {
		fmt.Fprintln(o.Stdout, mistake)
	}
	if rest != nil {
		return rest
	}
	if len(mistakes) > 0 {
		fmt.Fprintln(o.Stdout, counted(len(mistakes), "error"))
		return command.Ended(command.StatusUsage)
	}
	features, rules := 0, 0
	for _, catalogue := range catalogues {
		features, rules = features+len(catalogue.Documents), rules+len(catalogue.Rules)
	}
	_, err = fmt.Fprintf(o.Stdout, "%s%s, %s, %s: no errors\n", mapped, counted(features, "feature"),
		counted(rules, "rule"), counted(designs.CountScenarios(catalogues), "scenario"))
	return err
}

// mapping checks the mapping file, and says what it is.
func (o *checkOptions) mapping(found []lint.Design) (is string, err error) {
	of, ok, err := lint.Mapping(o.mapFile, found)
	if !ok {
		return "", command.Misused("--map: no design here has a contract for a mapping to fit",
			"contract in system.yaml names one: storespec help own-design")
	}
	return fmt.Sprintf("a mapping of %s, ", of.Name), err
}

// designs reads the designs that the arguments name, as far as they can be read. The error joins a *source.Error
// for each mistake.
func (o *checkOptions) designs(args []string) ([]lint.Design, error) {
	names := args
	if len(args) == 1 && o.features == "" {
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			names = nil
			name := ""
			if o.features, name = lint.Folder(args[0]); name != "" {
				names = []string{name}
			}
		}
	}
	if o.features == "" && len(names) == 0 && o.mapFile == "" {
		return nil, command.Misused("nothing is named to check",
			"storespec check features, or the name of a built-in design")
	}
	if name := twice(names); name != "" {
		return nil, command.Misused(name+" is named twice", "")
	}
	list, err := designsOf(o.features).Named(names)
	if err != nil && len(list) == 0 {
		return nil, err
	}
	found, wrong := lint.Designs(designsOf(o.features).Files(), o.features, list)
	return found, errors.Join(err, wrong)
}
