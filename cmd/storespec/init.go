package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/verify/starter"
)

func (a *app) initCommand() *cobra.Command {
	var kind, language string
	cmd := &cobra.Command{
		Use:   "init DIR",
		Short: "Write a first design of your own: rules, a server that follows them, a CI workflow",
		Long: `init writes a small design into a new or empty directory: a feature file with four rules and their
budgets, the description by which storespec starts a server, an example server, the project file for
storespec verify, and a workflow for GitHub. All of it is yours to change; storespec help
own-design explains it. The design has the name of the directory.

For a server that exists, --lang none writes the rules, the description and the project file alone, also into a
directory that holds other files: put the command of your server into the project file.

The store of the design is Azure Table Storage, or with --store dynamodb a table of DynamoDB. The server is
in Go, or with --lang in Node or Python. On DynamoDB these two use the AWS SDK; all others need nothing to be
installed.`,
		Example: "  storespec init notes\n  storespec init notes --lang node\n  storespec init . --lang none\n" +
			"  storespec init notes --store dynamodb --lang python",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return command.Misused("init takes one directory",
					"storespec init notes; one that begins with a hyphen is ./-notes")
			}
			if kinds := starter.Kinds(); !slices.Contains(kinds, kind) {
				return command.Misused(fmt.Sprintf("init has no design for the store %q", kind),
					"--store is one of "+strings.Join(kinds, ", "))
			}
			if languages := append(starter.Languages(kind), starter.NoServer); !slices.Contains(languages, language) {
				return command.Misused(fmt.Sprintf("init has no server in %q for the store %s", language, kind),
					"--lang is one of "+strings.Join(languages, ", "))
			}
			return tellStarter(a.Stdout, args[0], kind, language)
		},
	}
	cmd.Flags().StringVar(&kind, "store", "azure", "`KIND` of store: "+strings.Join(starter.Kinds(), " or "))
	cmd.Flags().StringVar(&language, "lang", "go", "`LANGUAGE` of the server: "+
		strings.Join(starter.Languages(kind), ", ")+", or none if you have a server")
	return cmd
}

// tellStarter writes a starter and says what comes next.
func tellStarter(w io.Writer, directory, kind, language string) error {
	if language == starter.NoServer {
		design, file, err := starter.WriteRules(directory, kind)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, `%s holds four rules about notes, to be made into yours. Next:
  put the command of your server into %s, and the variables it reads into %s
  storespec check
  storespec verify
`, design, file, filepath.Join(design, "system.yaml"))
		return err
	}
	prepare, err := starter.Write(directory, kind, language)
	if err != nil {
		return err
	}
	next := strings.Join(append([]string{"cd " + word(directory)}, prepare...), "\n  ")
	_, err = fmt.Fprintf(w, `%s holds a design with four rules, a server for them and a CI workflow. Next:
  %s
  storespec verify
README.md says what to break to see a rule fail.
`, directory, next)
	return err
}

// word returns a path as one shell word that is not taken for a flag.
func word(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return shell.Word(path)
}
