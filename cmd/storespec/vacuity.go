package main

import (
	"cmp"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/prove/vacuity"
	"github.com/storespec/storespec/internal/results/report"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/internal/verify/designs"
)

func (a *app) vacuityCommand() *cobra.Command {
	var asJSON bool
	var features string
	cmd := &cobra.Command{
		Use:   "vacuity SYSTEM",
		Short: "Show that every rule can fail: run them against servers that never touch a store",
		Long: `vacuity runs all rules against stubs: servers that answer 200, 403 or 404 to everything, and one that
answers what the reference server answered before. None of them touches the store, so a rule that one of
them passes says nothing about such a server. Its description must say why that is right:

    Passes on the stub 403: it is about refusals; FS-GATE-3 is about who is let in.

A rule that a stub passes without such a line is an error, and so is a line that is no longer needed.`,
		Example: "  storespec vacuity familyscheduler\n  storespec vacuity familyscheduler --json",
		Args:    command.Takes("SYSTEM"),
		RunE: func(cmd *cobra.Command, names []string) (err error) {
			list, loaded, err := designsOf(features).Rules(names)
			if err := cmp.Or(designs.NeedReference("vacuity", list), err); err != nil {
				return err
			}
			opened, err := stores.OpenFirst(cmd.Context(), list[0].Store,
				store.Options{Lanes: vacuity.Lanes, Cold: coldNamespaces})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, stores.Close(cmd.Context(), opened)) }()
			trust, done, err := newTrust(a.Getenv)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, done()) }()
			stubs, err := vacuity.Run(cmd.Context(), vacuity.Options{Catalogue: loaded[0], System: list[0],
				Store: opened, Reference: designs.Opener(list[0]), Fitting: lane.Fitting{OnDemand: trust}})
			if err != nil {
				return err
			}
			return a.tellVacuity(list[0].Name, stubs, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON document")
	addFeatures(cmd, &features)
	return cmd
}

// tellVacuity reports the outcome of the rules; the exit status says whether all is well.
func (a *app) tellVacuity(system string, stubs []vacuity.Stub, asJSON bool) error {
	write := report.Vacuity
	if asJSON {
		write = report.VacuityJSON
	}
	if err := write(a.Stdout, system, stubs); err != nil {
		return err
	}
	if slices.ContainsFunc(stubs, func(stub vacuity.Stub) bool { return !stub.Sound() }) {
		return command.Ended(command.StatusBroken)
	}
	return nil
}
