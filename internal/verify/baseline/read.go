package baseline

import (
	"errors"
	"os"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/source/yamldoc"
)

// list is the only top-level key of a file; the others are keys of an entry.
const (
	list     = "known-failures"
	rule     = "rule"
	scenario = "scenario"
	example  = "example"
	reason   = "reason"
	expires  = "expires"
	outcome  = "outcome"
	digest   = "digest"
)

// Read reads a file. The error joins a *yamldoc.Error for each mistake: the file does not exist, is not YAML, or
// contains an unknown key, the same case twice, or an entry without a rule, a scenario or a reason. The entries without
// a mistake are returned with it; no file if there is none.
func Read(path string) (*File, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, yamldoc.Reader{Path: path}.Unread("the baseline", err)
	}
	return parse(path, content)
}

func parse(path string, content []byte) (*File, error) {
	r := &reader{yamldoc.Reader{Path: path}}
	file := &File{Path: path}
	doc, err := r.Parse(content)
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return file, nil
	}
	top, err := r.Fields(doc, "the baseline", list)
	if err != nil {
		return nil, err
	}
	entries := top[list]
	if entries == nil || entries.Tag == "!!null" {
		return file, nil
	}
	if entries.Kind != yaml.SequenceNode {
		return nil, r.At(entries, "%s must be a list of entries", list)
	}
	var wrong []error
	for _, node := range entries.Content {
		entry, err := r.entry(node)
		if first, twice := file.Find(entry.Case); err == nil && twice {
			err = r.At(node, "%s appears twice, first in line %d", entry.Case, first.Line)
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		file.Entries = append(file.Entries, entry)
	}
	file.Entries = sorted(file.Entries)
	return file, errors.Join(wrong...)
}

// reader converts nodes to entries; its errors include file and line.
type reader struct{ yamldoc.Reader }

func (r *reader) entry(node *yaml.Node) (Entry, error) {
	e := Entry{Line: node.Line, Column: node.Column}
	fields, err := r.Fields(node, "an entry", rule, scenario, example, reason, outcome, digest, expires)
	if err != nil {
		return e, err
	}
	for _, text := range []struct {
		name string
		to   *string
	}{{rule, &e.Rule}, {scenario, &e.Scenario}, {reason, &e.Reason}} {
		value := fields[text.name]
		if value == nil || value.Kind != yaml.ScalarNode || strings.TrimSpace(value.Value) == "" {
			return e, r.At(node, "the entry has no %s", text.name)
		}
		*text.to = value.Value
	}
	for _, text := range []struct {
		name string
		to   *string
	}{{outcome, &e.Outcome}, {digest, &e.Digest}} {
		if value := fields[text.name]; value != nil {
			if value.Kind != yaml.ScalarNode {
				return e, r.At(value, "%s must be a text", text.name)
			}
			*text.to = value.Value
		}
	}
	if cells := fields[example]; cells != nil {
		if e.Example, err = r.cells(cells); err != nil {
			return e, err
		}
	}
	if day := fields[expires]; day != nil {
		if e.Expires, err = time.Parse(time.DateOnly, day.Value); err != nil {
			return e, r.At(day, "expires is a day such as 2026-12-31, not %q", day.Value)
		}
	}
	return e, nil
}

func (r *reader) cells(node *yaml.Node) (map[string]string, error) {
	fields, err := r.Fields(node, example)
	if err != nil {
		return nil, r.At(node, "example must be a mapping from each column of the scenario's examples to its cell")
	}
	if len(fields) == 0 {
		return nil, nil
	}
	cells := map[string]string{}
	for column, cell := range fields {
		if cell.Kind != yaml.ScalarNode {
			return nil, r.At(cell, "the cell of %s must be a text", column)
		}
		cells[column] = cell.Value
	}
	return cells, nil
}
