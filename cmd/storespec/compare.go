package main

import (
	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/compare"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/results/report"
)

func (a *app) compareCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two runs: what regressed, what was fixed, and which calls were added",
		Long: `compare reads two runs recorded by verify --report. It says which scenarios regressed, vanished, were
fixed or are new, and in which budgets storage calls were added or removed.

OLD and NEW are event streams, or directories with the streams of a run's shards. They must be of the same
system.

Exit status: 0 nothing is worse, 1 a scenario regressed or vanished or a budget got worse, 2 a run could not be
read or compared, or was not judged.`,
		Example: `  storespec compare main/run.ndjson out/run.ndjson
  storespec compare main/ out/ --json`,
		Args: command.Takes("OLD", "NEW"),
		RunE: func(_ *cobra.Command, args []string) error { return a.compare(args[0], args[1], asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON document to standard output")
	return cmd
}

func (a *app) compare(before, after string, asJSON bool) error {
	old, err := events.ReadAll([]string{before})
	if err != nil {
		return err
	}
	current, err := events.ReadAll([]string{after})
	if err != nil {
		return err
	}
	found, err := compare.Streams(old, current)
	if err != nil {
		return command.Misused(err.Error(), "")
	}
	if asJSON {
		err = report.WriteJSON(a.Stdout, found)
	} else {
		err = found.Text(a.Stdout)
	}
	if err == nil && found.Worse() {
		return command.Ended(command.StatusBroken)
	}
	return err
}
