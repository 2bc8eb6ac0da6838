package tools

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/fixtures/actions"
	"github.com/storespec/storespec/internal/host/command"
)

// commands are the tools in the surroundings they run in.
type commands struct{ *command.Env }

// Command groups the commands that work with the records of the system actions.
func Command(env *command.Env) *cobra.Command {
	c := commands{env}
	cmd := &cobra.Command{
		Use:   "actions",
		Short: "Load, purge and generate records of the system actions",
		Long: `actions works with records of GitHub Actions and a server for them: any server that follows the contract
of the system actions, in any language. See storespec help actions-guide.`,
	}
	return command.Group(cmd, c.loadCommand(), c.purgeCommand(), c.generateCommand())
}

func (c commands) generateCommand() *cobra.Command {
	var seed uint64
	var n int
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Write generated records to standard output, as NDJSON",
		Long: `generate writes records with made-up names and realistic shapes: few owners have many actions, most have
one or two. The same seed gives the same bytes everywhere, and fewer records are the beginning of more.`,
		Example: "  storespec actions generate > actions.ndjson\n  storespec actions generate --records 100 --seed 7",
		Args:    command.Takes(),
		RunE: func(*cobra.Command, []string) error {
			if n < 0 {
				return command.Misused(fmt.Sprintf("--records %d is negative", n), "")
			}
			return actions.Write(c.Stdout, seed, n)
		},
	}
	cmd.Flags().IntVar(&n, "records", 10_000, "how many records: `N`")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "start of the random numbers, `N`: the same seed gives the same records")
	return cmd
}
