// Package starter writes a first design of a user's own: rules, a description, a server that follows them, a project
// file and a workflow. It replaces no file, and leaves nothing behind when it fails.
//
// Open [Write] first.
package starter

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/verify/project"
)

// Write writes the starter into a new or empty directory, all of it or nothing. It returns the commands that make the
// server ready to run. The error is a *command.UsageError if the directory cannot be written.
func Write(directory, kind, language string) (prepare []string, err error) {
	made, err := makeEmpty(directory)
	if err != nil {
		return nil, err
	}
	if err := write(directory, kind, language); err != nil {
		return nil, unwritten(directory, err, takeBack(directory, made))
	}
	return prepared(directory), nil
}

// unwritten returns the error for a directory that could not be written. back is why what had been written could not
// be removed, or nil.
func unwritten(directory string, err, back error) error {
	if back != nil {
		return fmt.Errorf("take back what init has written: %w", back)
	}
	return command.Misused(fmt.Sprintf("init cannot write to %s: %s", directory, atomicfile.Cause(err)), "")
}

// WriteRules writes the rules and the project file into a directory that may hold other things, all of it or nothing.
// It returns the paths of the folder of the design and of the project file.
func WriteRules(directory, kind string) (design, file string, err error) {
	name := designName(directory)
	design, file = filepath.Join(directory, "features", name), filepath.Join(directory, project.Name)
	for _, path := range []string{design, file} {
		if _, err := os.Lstat(path); err == nil {
			return "", "", command.Misused(path+" already exists", "init replaces nothing")
		}
	}
	err = writePart(directory, path.Join(starter, kind), renamed(name))
	if err == nil {
		err = os.WriteFile(file, []byte(ownCommand), 0o644)
	}
	if err != nil {
		return "", "", unwritten(directory, err, errors.Join(os.RemoveAll(design), os.RemoveAll(file)))
	}
	return design, file, nil
}

// ownCommand is the project file for a server that exists.
const ownCommand = `# What storespec verify runs; storespec help own-design lists all keys.
features: features
command: node server.js # yours, as you start it in this directory
`

// prepared returns the commands that make the server of a starter ready to run.
func prepared(directory string) (commands []string) {
	for _, needs := range []struct{ file, command string }{
		{"package.json", "npm install"},
		{"requirements.txt", "python3 -m pip install -r requirements.txt"},
	} {
		if _, err := os.Stat(filepath.Join(directory, needs.file)); err == nil {
			commands = append(commands, needs.command)
		}
	}
	return commands
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

// NoServer is the language of a server that exists.
const NoServer = "none"

// Kinds returns the kinds of stores that there is a design for.
func Kinds() (kinds []string) {
	entries, _ := fixtures.Starter.ReadDir(starter) // it is built in
	for _, entry := range entries {
		if entry.Name() != servers {
			kinds = append(kinds, entry.Name())
		}
	}
	return kinds
}

// Languages returns those that there is a server in for a kind of store.
func Languages(kind string) (names []string) {
	entries, _ := fixtures.Starter.ReadDir(path.Join(starter, servers)) // it is built in
	for _, entry := range entries {
		if of, name, _ := strings.Cut(entry.Name(), "-"); of == kind {
			names = append(names, name)
		}
	}
	return names
}

func write(directory, kind, language string) error {
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

// takeBack removes what write may have written into the directory, which was empty, and the directory itself if
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
