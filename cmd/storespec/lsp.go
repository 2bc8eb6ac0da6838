package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/verify/languageserver"
)

func (a *app) lspCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor: mistakes, completion, definitions and descriptions in feature files",
		Long: `lsp is a language server: it speaks the Language Server Protocol with an editor on standard input
and output. It shows what storespec check would say of the files as they are in the editor, completes steps, tables and
columns, goes from the id of a rule to its Rule, and says what a step is. storespec help own-design says how
VS Code and Neovim start it.`,
		Example: "  storespec lsp",
		Args:    command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := languageserver.Serve(cmd.Context(), editor{os.Stdin, a.Stdout}, designsOf("").In)
			if errors.Is(err, languageserver.ErrNoShutdown) {
				return command.Ended(1) // the status that the protocol gives it
			}
			return err
		},
	}
}

// editor is what talks to a language server.
type editor struct {
	io.ReadCloser
	io.Writer
}
