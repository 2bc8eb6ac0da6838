package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/verify/languageserver"
	"github.com/storespec/storespec/internal/verify/lint"
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
			err := languageserver.Serve(cmd.Context(), editor{os.Stdin, a.Stdout}, designsIn)
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

// designsIn reads the designs of a directory whose files are given.
func designsIn(files fs.FS, directory string) ([]lint.Design, error) {
	list, err := shipped()
	if err != nil {
		return nil, err
	}
	list, err = offers().In(files, directory, list)
	designs, wrong := lint.Designs(files, directory, list)
	return designs, errors.Join(err, wrong)
}
