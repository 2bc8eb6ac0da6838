package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// list is the one key of a file; the others are those of an entry.
const (
	list     = "known-failures"
	rule     = "rule"
	scenario = "scenario"
	example  = "example"
	reason   = "reason"
	expires  = "expires"
)

// Error is a file that was not understood.
type Error struct {
	Where  string // file, or file:line
	Reason string
}

func (e *Error) Error() string { return e.Where + ": " + e.Reason }

// Read reads a file. The error is an *Error when it is not there, is no YAML, holds a key that means
// nothing, one case twice, or an entry without a rule, a scenario or a reason.
func Read(path string) (*File, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		var file *fs.PathError
		if errors.As(err, &file) {
			err = file.Err
		}
		return nil, &Error{Where: path, Reason: "the baseline cannot be read: " + err.Error()}
	}
	return parse(path, content)
}

func parse(path string, content []byte) (*File, error) {
	r := &reader{path: path}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	var doc, more yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return &File{Path: path}, nil
	case err != nil:
		return nil, r.malformed(err)
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, &Error{Where: path, Reason: "it holds more than one YAML document"}
	}
	top, err := r.fields(doc.Content[0], "the baseline", list)
	if err != nil {
		return nil, err
	}
	file := &File{Path: path}
	entries := top[list]
	if entries == nil || entries.Tag == "!!null" {
		return file, nil
	}
	if entries.Kind != yaml.SequenceNode {
		return nil, r.at(entries, "%s must be a list of entries", list)
	}
	for _, node := range entries.Content {
		entry, err := r.entry(node)
		if err != nil {
			return nil, err
		}
		if first, twice := file.Find(entry.Case); twice {
			return nil, r.at(node, "%s stands there twice, first in line %d", entry.Case, first.Line)
		}
		file.Entries = append(file.Entries, entry)
	}
	file.Entries = sorted(file.Entries)
	return file, nil
}

// reader turns nodes into entries; its errors name file and line.
type reader struct{ path string }

func (r *reader) at(node *yaml.Node, format string, args ...any) error {
	return &Error{Where: fmt.Sprintf("%s:%d", r.path, max(1, node.Line)), Reason: fmt.Sprintf(format, args...)}
}

var parserLine = regexp.MustCompile(`^yaml: line (\d+): (.+)`)

func (r *reader) malformed(err error) error {
	if m := parserLine.FindStringSubmatch(err.Error()); m != nil {
		return &Error{Where: r.path + ":" + m[1], Reason: m[2]}
	}
	return &Error{Where: r.path, Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
}

// fields is a mapping by its keys, each of which must be known and stand there once.
func (r *reader) fields(node *yaml.Node, what string, known ...string) (map[string]*yaml.Node, error) {
	if node.Kind != yaml.MappingNode {
		return nil, r.at(node, "%s must be a mapping with %s", what, strings.Join(known, ", "))
	}
	found := map[string]*yaml.Node{}
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		switch {
		case len(known) > 0 && !slices.Contains(known, key.Value):
			return nil, r.at(key, "%s has an unknown key %q; it knows %s", what, key.Value, strings.Join(known, ", "))
		case found[key.Value] != nil:
			return nil, r.at(key, "%s has the key %q twice", what, key.Value)
		}
		found[key.Value] = node.Content[i+1]
	}
	return found, nil
}

func (r *reader) entry(node *yaml.Node) (Entry, error) {
	e := Entry{Line: node.Line}
	fields, err := r.fields(node, "an entry", rule, scenario, example, reason, expires)
	if err != nil {
		return e, err
	}
	for _, text := range []struct {
		name string
		to   *string
	}{{rule, &e.Rule}, {scenario, &e.Scenario}, {reason, &e.Reason}} {
		value := fields[text.name]
		if value == nil || value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "" {
			return e, r.at(node, "the entry has no %s", text.name)
		}
		*text.to = value.Value
	}
	if cells := fields[example]; cells != nil {
		if e.Example, err = r.cells(cells); err != nil {
			return e, err
		}
	}
	if day := fields[expires]; day != nil {
		if e.Expires, err = time.Parse(time.DateOnly, day.Value); err != nil {
			return e, r.at(day, "expires is a day such as 2026-12-31, not %q", day.Value)
		}
	}
	return e, nil
}

func (r *reader) cells(node *yaml.Node) (map[string]string, error) {
	fields, err := r.fields(node, example)
	if err != nil {
		return nil, r.at(node, "example must be a mapping from each column of the scenario's examples to its cell")
	}
	if len(fields) == 0 {
		return nil, nil
	}
	cells := map[string]string{}
	for column, cell := range fields {
		if cell.Kind != yaml.ScalarNode {
			return nil, r.at(cell, "the cell of %s must be a text", column)
		}
		cells[column] = cell.Value
	}
	return cells, nil
}
