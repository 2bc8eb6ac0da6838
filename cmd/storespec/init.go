package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/verify/project"
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
			if kinds := starters(); !slices.Contains(kinds, kind) {
				return command.Misused(fmt.Sprintf("init has no design for the store %q", kind),
					"--store is one of "+strings.Join(kinds, ", "))
			}
			if languages := append(languages(kind), noServer); !slices.Contains(languages, language) {
				return command.Misused(fmt.Sprintf("init has no server in %q for the store %s", language, kind),
					"--lang is one of "+strings.Join(languages, ", "))
			}
			return a.init(args[0], kind, language)
		},
	}
	cmd.Flags().StringVar(&kind, "store", "azure", "`KIND` of store: "+strings.Join(starters(), " or "))
	cmd.Flags().StringVar(&language, "lang", "go", "`LANGUAGE` of the server: "+
		strings.Join(languages(kind), ", ")+", or none if you have a server")
	return cmd
}

// init writes the starter into a directory, all of it or nothing.
func (a *app) init(directory, kind, language string) error {
	if language == noServer {
		return a.initRules(directory, kind)
	}
	made, err := makeEmpty(directory)
	if err != nil {
		return err
	}
	if err := writeStarter(directory, kind, language); err != nil {
		if back := takeBack(directory, made); back != nil {
			return fmt.Errorf("take back what init has written: %w", back)
		}
		return command.Misused(fmt.Sprintf("init cannot write to %s: %s", directory, atomicfile.Cause(err)), "")
	}
	_, err = fmt.Fprintf(a.Stdout, `%s holds a design with four rules, a server for them and a CI workflow. Next:
  cd %s%s
  storespec verify
README.md says what to break to see a rule fail.
`, directory, word(directory), prepared(directory))
	return err
}

// initRules writes the rules and the project file into a directory that may hold other things, all of it or nothing.
func (a *app) initRules(directory, kind string) error {
	name := designName(directory)
	design, file := filepath.Join(directory, "features", name), filepath.Join(directory, project.Name)
	for _, path := range []string{design, file} {
		if _, err := os.Lstat(path); err == nil {
			return command.Misused(path+" is there already", "init replaces nothing")
		}
	}
	err := writePart(directory, path.Join(starter, kind), renamed(name))
	if err == nil {
		err = os.WriteFile(file, []byte(ownCommand), 0o644)
	}
	if err != nil {
		if back := errors.Join(os.RemoveAll(design), os.RemoveAll(file)); back != nil {
			return fmt.Errorf("take back what init has written: %w", back)
		}
		return command.Misused(fmt.Sprintf("init cannot write to %s: %s", directory, atomicfile.Cause(err)), "")
	}
	_, err = fmt.Fprintf(a.Stdout, `%s holds four rules about notes, to be made into yours. Next:
  put the command of your server into %s, and the variables it reads into %s
  storespec check
  storespec verify
`, design, file, filepath.Join(design, "system.yaml"))
	return err
}

// ownCommand is the project file for a server that exists.
const ownCommand = `# What storespec verify runs; storespec help own-design lists all keys.
features: features
command: node server.js # yours, as you start it in this directory
`

// prepared returns the lines of the commands that make the server of a starter ready to run.
func prepared(directory string) (lines string) {
	for _, needs := range []struct{ file, command string }{
		{"package.json", "npm install"},
		{"requirements.txt", "python3 -m pip install -r requirements.txt"},
	} {
		if _, err := os.Stat(filepath.Join(directory, needs.file)); err == nil {
			lines += "\n  " + needs.command
		}
	}
	return lines
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
			return false, command.Misused(fmt.Sprintf("init cannot make %s: %s", directory, atomicfile.Cause(err)), "")
		}
		return true, nil
	case err != nil:
		return false, command.Misused(fmt.Sprintf("init cannot write to %s: %s", directory, atomicfile.Cause(err)),
			"DIR is a new or empty directory")
	}
	for _, entry := range entries {
		if entry.Name() != ".git" {
			return false, command.Misused(fmt.Sprintf("%s is not empty: it holds %s", directory, entry.Name()),
				"init writes into a new or empty directory")
		}
	}
	return false, nil
}

// The directories of fixtures.Starter: a design for each kind of store, and the servers, which are named KIND-LANGUAGE;
// what those in a language have in common is named LANGUAGE.
const (
	starter = "starter"
	servers = "servers"
	notes   = "notes" // the name of the design in them
)

// noServer is the language of a server that exists.
const noServer = "none"

// starters returns the kinds of stores that there is a design for.
func starters() (kinds []string) {
	entries, _ := fixtures.Starter.ReadDir(starter) // it is built in
	for _, entry := range entries {
		if entry.Name() != servers {
			kinds = append(kinds, entry.Name())
		}
	}
	return kinds
}

// languages returns those that there is a server in for a kind of store.
func languages(kind string) (names []string) {
	entries, _ := fixtures.Starter.ReadDir(path.Join(starter, servers)) // it is built in
	for _, entry := range entries {
		if of, name, _ := strings.Cut(entry.Name(), "-"); of == kind {
			names = append(names, name)
		}
	}
	return names
}

func writeStarter(directory, kind, language string) error {
	names := renamed(designName(directory))
	return cmp.Or(writePart(directory, path.Join(starter, kind), names),
		writePart(directory, path.Join(starter, servers, language), names),
		writePart(directory, path.Join(starter, servers, kind+"-"+language), names))
}

// renamed replaces the names of the starter by those of a design.
func renamed(name string) *strings.Replacer {
	return strings.NewReplacer("features/notes/notes.feature", "features/"+name+"/"+name+".feature",
		"features/notes", "features/"+name, "example.com/notes", "example.com/"+name, "@NOTES-", "@"+idPrefix(name)+"-",
		`"name": "notes"`, `"name": "`+name+`"`)
}

var otherThanName = regexp.MustCompile(`[^a-z0-9]+`)

// designName returns the name of the design of a directory: the directory's, as far as a system can have it.
func designName(directory string) string {
	whole, err := filepath.Abs(directory)
	if err != nil {
		return notes
	}
	return cmp.Or(strings.Trim(otherThanName.ReplaceAllString(strings.ToLower(filepath.Base(whole)), "-"), "-"), notes)
}

// idPrefix returns the first part of the ids of a design's rules, which has letters only.
func idPrefix(name string) string {
	return strings.ToUpper(cmp.Or(regexp.MustCompile(`[^a-z]+`).ReplaceAllString(name, ""), notes))
}

// writePart writes the files of a folder of fixtures.Starter, with other names in them and in their paths.
func writePart(directory, root string, names *strings.Replacer) error {
	return fs.WalkDir(fixtures.Starter, root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		within := names.Replace(strings.TrimSuffix(strings.TrimPrefix(name, root), ".txt"))
		to := filepath.Join(directory, filepath.FromSlash(within))
		if entry.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		content, err := fixtures.Starter.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, []byte(names.Replace(string(content))), 0o644)
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
