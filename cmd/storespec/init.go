package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/atomicfile"
	"github.com/storespec/storespec/internal/shell"
)

func (a *app) initCommand() *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:   "init DIR",
		Short: "Write a first design of your own: rules, a server that follows them, a CI workflow",
		Long: `init writes a small design into a new or empty directory: a feature file with three rules and their
budgets, the description by which storespec starts a server, an example server that needs only Go, and a
workflow for GitHub. All of it is yours to change; storespec help own-design explains it.

The store of the design is Azure Table Storage, or with --store dynamodb a table of DynamoDB.`,
		Example: "  storespec init notes\n  storespec init notes --store dynamodb",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return &usageError{"init takes one directory",
					"storespec init notes; one that begins with a hyphen is ./-notes"}
			}
			if kinds := starters(); !slices.Contains(kinds, kind) {
				return &usageError{fmt.Sprintf("init has no design for the store %q", kind),
					"--store is one of " + strings.Join(kinds, ", ")}
			}
			return a.init(args[0], kind)
		},
	}
	cmd.Flags().StringVar(&kind, "store", "azure", "`KIND` of store: "+strings.Join(starters(), " or "))
	return cmd
}

// init writes the starter into a directory, all of it or nothing.
func (a *app) init(directory, kind string) error {
	made, err := makeEmpty(directory)
	if err != nil {
		return err
	}
	if err := writeStarter(directory, kind); err != nil {
		if back := takeBack(directory, made); back != nil {
			return fmt.Errorf("take back what init has written: %w", back)
		}
		return &usageError{fmt.Sprintf("init cannot write to %s: %s", directory, atomicfile.Cause(err)), ""}
	}
	_, err = fmt.Fprintf(a.stdout, `%s holds a design with three rules, a server for them and a CI workflow. Next:
  cd %s
  go build -o bin/ ./server
  storespec verify --features features -- bin/server
`, directory, word(directory))
	return err
}

// word returns a path as one shell word that is not taken for a flag.
func word(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return shell.Word(path)
}

// makeEmpty makes sure that a directory exists and is empty, except for a repository's .git. made reports whether it
// created the directory.
func makeEmpty(directory string) (made bool, err error) {
	entries, err := os.ReadDir(directory)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(directory, 0o755); err != nil {
			return false, &usageError{fmt.Sprintf("init cannot make %s: %s", directory, atomicfile.Cause(err)), ""}
		}
		return true, nil
	case err != nil:
		return false, &usageError{fmt.Sprintf("init cannot write to %s: %s", directory, atomicfile.Cause(err)),
			"DIR is a new or empty directory"}
	}
	for _, entry := range entries {
		if entry.Name() != ".git" {
			return false, &usageError{fmt.Sprintf("%s is not empty: it holds %s", directory, entry.Name()),
				"init writes into a new or empty directory"}
		}
	}
	return false, nil
}

// The directories of fixtures.Starter: what all designs have, and one for each kind of store.
const (
	starter = "starter"
	common  = "common"
)

// starters returns the kinds of stores that there is a design for.
func starters() (kinds []string) {
	entries, _ := fixtures.Starter.ReadDir(starter) // it is built in
	for _, entry := range entries {
		if entry.Name() != common {
			kinds = append(kinds, entry.Name())
		}
	}
	return kinds
}

func writeStarter(directory, kind string) error {
	return cmp.Or(writePart(directory, common), writePart(directory, kind))
}

func writePart(directory, part string) error {
	root := path.Join(starter, part)
	return fs.WalkDir(fixtures.Starter, root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(directory,
			filepath.FromSlash(strings.TrimSuffix(strings.TrimPrefix(name, root), ".txt")))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		content, err := fixtures.Starter.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o644)
	})
}

// takeBack removes what writeStarter may have written into the directory, which was empty, and the directory itself if
// it was created.
func takeBack(directory string, made bool) error {
	if made {
		return os.RemoveAll(directory)
	}
	entries, err := os.ReadDir(directory)
	for _, entry := range entries {
		if entry.Name() != ".git" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(directory, entry.Name())))
		}
	}
	return err
}
