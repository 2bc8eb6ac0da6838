// Package project reads storespec.yaml, the file in which a repository says once what its designs are and how its
// server is started, so that storespec verify needs no arguments, on a laptop and in CI.
//
// The package never runs anything and knows no flag: what a flag takes is for the command to say. Open [File] first;
// docs/rules/own-design.md documents the keys.
package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/source/yamldoc"
)

// Name is the file's name.
const Name = "storespec.yaml"

// File is what a project file says. Paths in it are as seen from the working directory.
type File struct {
	yamldoc.Reader
	Systems  []string
	Features string   // the directory of designs; "": the built-in ones
	Command  []string // that starts the server, in Directory
	Env      []Setting
	Store    string
	Flags    []Setting
}

// Setting is a variable or a flag, and what it is set to.
type Setting struct {
	Name   string
	Values []string // as written; several for a flag that is repeatable
	// Confidential says that a part of the values is from a variable whose name says that it is a secret.
	Confidential bool
	name         *yaml.Node
	value        *yaml.Node
}

// Directory is where the file is.
func (f *File) Directory() string { return filepath.Dir(f.Path) }

// Wrong returns what is wrong with a setting, as an error with its place.
func (f *File) Wrong(s Setting, format string, args ...any) error {
	return f.At(s.name, format, args...)
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_]\w*)\}`)

// Expanded returns the values of a setting of what, env or flags, with a variable of the environment for each
// ${NAME}; lookup finds it. The error names the variables that are not set, and repeats no value.
func (f *File) Expanded(s Setting, what string, lookup func(name string) (string, bool)) (values []string, _ error) {
	var unset []string
	for _, text := range s.Values {
		values = append(values, variable.ReplaceAllStringFunc(text, func(match string) string {
			name := match[2 : len(match)-1]
			value, found := lookup(name)
			if !found && !slices.Contains(unset, name) {
				unset = append(unset, name)
			}
			return value
		}))
	}
	if len(unset) > 0 {
		return nil, f.At(s.value, "%s: %s: the environment has no variable %s", what, s.Name,
			strings.Join(unset, ", "))
	}
	return values, nil
}

// Seen returns a path of the file as seen from the working directory.
func (f *File) Seen(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(f.Directory(), filepath.FromSlash(path))
}

// Find returns the path of the project file of a directory: in it, or in one above up to the root of the repository;
// "" if there is none.
func Find(directory string) string {
	candidate := ""
	for up := directory; ; up = filepath.Join(up, "..") {
		file := filepath.Join(up, Name)
		if info, err := os.Stat(file); candidate == "" && err == nil && info.Mode().IsRegular() {
			candidate = file
		}
		_, err := os.Stat(filepath.Join(up, ".git"))
		whole, failed := filepath.Abs(up)
		switch {
		case err == nil:
			return candidate
		case failed != nil || filepath.Dir(whole) == whole: // outside of any repository
			if candidate == filepath.Join(directory, Name) {
				return candidate
			}
			return ""
		}
	}
}

// Read reads a file. The error joins a *yamldoc.Error for each mistake, none of which repeats a value of env.
func Read(path string) (*File, error) {
	f := &reader{&File{Reader: yamldoc.Reader{Path: path}}}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, f.Unread("the project file", err)
	}
	doc, err := f.Parse(content)
	if err != nil || doc == nil {
		return f.File, err
	}
	fields, err := f.Fields(doc, "the project file", "systems", "features", "command", "env", "store", "flags")
	if fields == nil {
		return nil, err
	}
	wrong := []error{err}
	for name, read := range map[string]func(*yaml.Node) error{
		"systems": f.systems, "features": f.features, "command": f.command, "store": f.store, "env": f.env,
		"flags": f.flags,
	} {
		if node := fields[name]; node != nil {
			wrong = append(wrong, read(node))
		}
	}
	return f.File, errors.Join(wrong...)
}

// reader fills in a file.
type reader struct{ *File }

func isText(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Tag != "!!null" && node.Value != ""
}

// texts reads a text, or a list of them.
func (r *reader) texts(node *yaml.Node, what string) (texts []string, _ error) {
	items := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode && len(node.Content) > 0 {
		items = node.Content
	}
	for _, item := range items {
		if !isText(item) {
			return nil, r.At(item, "%s must be a text, or a list of texts", what)
		}
		texts = append(texts, item.Value)
	}
	return texts, nil
}

func (r *reader) systems(node *yaml.Node) (err error) {
	r.Systems, err = r.texts(node, "systems")
	return err
}

func (r *reader) features(node *yaml.Node) error {
	if !isText(node) {
		return r.At(node, "features must be the path of a directory of designs, seen from here, such as features")
	}
	r.Features = r.Seen(node.Value)
	if info, err := os.Stat(r.Features); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return r.At(node, "features: %s is not a directory", r.Features)
	}
	return nil
}

func (r *reader) store(node *yaml.Node) error {
	if !isText(node) {
		return r.At(node, "store must be what --store takes, such as embedded")
	}
	r.Store = node.Value
	return nil
}

// command reads words. A text is split at its spaces; a shell would read more into it than that.
func (r *reader) command(node *yaml.Node) (err error) {
	if r.Command, err = r.texts(node, "command"); err != nil || node.Kind == yaml.SequenceNode {
		return err
	}
	if strings.ContainsAny(node.Value, `"'$;&|<>*`+"`") {
		return r.At(node, "command is for a shell: write it as a list of words, such as [sh, -c, \"exec bin/server\"]")
	}
	r.Command = strings.Fields(node.Value)
	return nil
}

func (r *reader) env(node *yaml.Node) (err error) {
	r.Env, err = r.settings(node, "env")
	return err
}

func (r *reader) flags(node *yaml.Node) (err error) {
	r.Flags, err = r.settings(node, "flags")
	return err
}

// settings reads a mapping from names to texts, or lists of them.
func (r *reader) settings(node *yaml.Node, what string) (list []Setting, _ error) {
	fields, err := r.Fields(node, what)
	wrong := []error{err}
	for i := 0; fields != nil && i < len(node.Content); i += 2 {
		name, value := node.Content[i].Value, node.Content[i+1]
		texts, err := r.texts(value, what+": "+name)
		if what == "env" && len(texts) > 1 {
			err = r.At(value, "env: %s must be one text", name)
		}
		list = append(list, Setting{name, texts, slices.ContainsFunc(texts, confides), node.Content[i], value})
		wrong = append(wrong, err)
	}
	return list, errors.Join(wrong...)
}

// confides reports whether a text has a ${NAME} whose name says that its value is a secret.
func confides(text string) bool {
	return slices.ContainsFunc(variable.FindAllStringSubmatch(text, -1),
		func(match []string) bool { return shell.Confidential(match[1]) })
}
