package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/fixtures/actions"
)

// actionsCommand groups the commands that work with the records of the system actions, besides verifying its server.
func (a *app) actionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "actions",
		Short: "Load, purge and generate records of the system actions",
		Long: `actions works with records of GitHub Actions and a server for them: any server that follows the contract
of the system actions, in any language. See storespec help actions-load.`,
	}
	return group(cmd, a.loadCommand(), a.purgeCommand(), a.generateCommand())
}

func (a *app) generateCommand() *cobra.Command {
	var seed uint64
	var n int
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write generated records to standard output, as NDJSON",
		Long: `generate writes records with made-up names and realistic shapes: few owners have many actions, most have
one or two. The same seed gives the same bytes everywhere, and fewer records are the beginning of more.`,
		Example: "  storespec actions generate > actions.ndjson\n  storespec actions generate --records 100 --seed 7",
		Args:    takes(),
		RunE: func(*cobra.Command, []string) error {
			if n < 0 {
				return &usageError{fmt.Sprintf("--records %d is negative", n), ""}
			}
			return actions.Write(a.stdout, seed, n)
		},
	}
	cmd.Flags().IntVar(&n, "records", 10_000, "how many records: `N`")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "start of the random numbers, `N`: the same seed gives the same records")
	return cmd
}
