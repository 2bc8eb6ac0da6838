package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/atomicfile"
	"github.com/storespec/storespec/internal/shell"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Write a first design of your own: rules, a server that follows them, a CI workflow",
		Long: `init writes a small design into a new or empty directory: a feature file with three rules and their
budgets, the description by which storespec starts a server, an example server that needs only Go, and a
workflow for GitHub. All of it is yours to change; storespec help own-design explains it.`,
		Example: "  storespec init notes",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return &usageError{"init takes one directory",
					"storespec init notes; one that begins with a hyphen is ./-notes"}
			}
			return a.init(args[0])
		},
	}
}

// init writes the starter into a directory, all of it or nothing.
func (a *app) init(directory string) error {
	made, err := makeEmpty(directory)
	if err != nil {
		return err
	}
	if err := writeStarter(directory); err != nil {
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

const starter = "starter"

func writeStarter(directory string) error {
	return fs.WalkDir(fixtures.Starter, starter, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(directory,
			filepath.FromSlash(strings.TrimSuffix(strings.TrimPrefix(name, starter), ".txt")))
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
	entries, err := fixtures.Starter.ReadDir(starter)
	for _, entry := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(directory, strings.TrimSuffix(entry.Name(), ".txt"))))
	}
	return err
}
