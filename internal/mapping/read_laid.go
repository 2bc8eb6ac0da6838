package mapping

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/system"
)

// laid reads what else the server needs where the harness lays something.
func (r *reader) laid(n *yaml.Node) (list []laid) {
	if n.Kind != yaml.SequenceNode {
		r.refuse(n, "laid must be a list")
		return nil
	}
	for _, item := range n.Content {
		var one laid
		entries := r.entries(item, "an entry of laid", "with", "instead", "columns", "rows", "blobs")
		with := slices.IndexFunc(entries, func(e entry) bool { return e.key.Value == "with" })
		if with < 0 {
			r.refuse(item, "an entry of laid must say with what: the name of a table, or of a blob such as "+
				"sessions/{session}.json")
			continue
		}
		r.with(&one, entries[with].value)
		for _, e := range entries {
			switch e.key.Value {
			case "instead":
				if err := e.value.Decode(&one.instead); err != nil {
					r.refuse(e.value, "instead must be true or false")
				}
			case "columns":
				one.columns = r.columns(e.value, "columns")
			case "rows":
				one.rows = r.rows(e.value)
			case "blobs":
				one.objects = r.blobs(e.value)
			}
		}
		if one.instead && len(one.columns) > 0 {
			r.refuse(item, "columns are added to what is laid, and instead says that it is not laid")
		}
		list = append(list, one)
	}
	return list
}

// with reads what an entry goes with.
func (r *reader) with(to *laid, n *yaml.Node) {
	text, ok := r.text(n, "with")
	if !ok {
		return
	}
	if !strings.ContainsAny(text, "/.:{") {
		to.table = text
		return
	}
	pattern, rest := "^", text
	for {
		before, after, found := strings.Cut(rest, "{")
		pattern += regexp.QuoteMeta(before)
		if !found {
			break
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed || !wordForm.MatchString(name) {
			r.refuse(n, "%q is not a blob's name with {placeholders}", text)
			return
		}
		pattern += "(?P<" + name + ">[^/:]+)"
		rest = tail
	}
	form, err := regexp.Compile(pattern + "$")
	if err != nil {
		r.refuse(n, "%q has a placeholder twice", text)
		return
	}
	to.with = form
}

var wordForm = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// columns reads names and values.
func (r *reader) columns(n *yaml.Node, what string) (list []column) {
	for _, e := range r.entries(n, what) {
		value, ok := r.value(e.value, e.key.Value)
		if !ok {
			continue
		}
		if e.key.Value == "PartitionKey" || e.key.Value == "RowKey" || e.key.Value == "Timestamp" {
			r.refuse(e.key, "%s is no column to add", e.key.Value)
			continue
		}
		list = append(list, column{e.key.Value, value})
	}
	return list
}

// value reads a scalar: a bool, a number, or a text with placeholders.
func (r *reader) value(n *yaml.Node, what string) (any, bool) {
	if n.Kind != yaml.ScalarNode {
		r.refuse(n, "%s must be a text, a number, true or false; a text that begins with a brace needs quotes", what)
		return nil, false
	}
	switch n.Tag {
	case "!!bool":
		return n.Value == "true", true
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value), true
		}
	case "!!null":
		r.refuse(n, "%s is empty", what)
		return nil, false
	}
	for _, m := range filler.FindAllStringSubmatch(n.Value, -1) {
		if m[2] != "" && forms()[m[2]] == nil {
			r.refuse(n, "%s: {%s:%s} is not known; known: {name:sha256}, {name:unix}, {name:unixms}", what, m[1], m[2])
			return nil, false
		}
	}
	return n.Value, true
}

// items returns the items of a list of mappings with these keys.
func (r *reader) items(n *yaml.Node, what string, keys ...string) (list [][]entry) {
	if n.Kind != yaml.SequenceNode {
		r.refuse(n, "%s must be a list", what)
		return nil
	}
	for _, item := range n.Content {
		entries := r.entries(item, "an item of "+what, keys...)
		for _, key := range keys[:2] { // the first two are its identity, or its content
			if !slices.ContainsFunc(entries, func(e entry) bool { return e.key.Value == key }) {
				r.refuse(item, "an item of %s lacks %s", what, key)
			}
		}
		list = append(list, entries)
	}
	return list
}

func (r *reader) rows(n *yaml.Node) (list []laidRow) {
	for _, item := range r.items(n, "rows", "table", "key", "columns") {
		var row laidRow
		for _, e := range item {
			switch e.key.Value {
			case "table":
				row.table, _ = r.text(e.value, "table")
			case "columns":
				row.columns = r.columns(e.value, "columns")
			case "key":
				if e.value.Kind != yaml.SequenceNode || len(e.value.Content) == 0 {
					r.refuse(e.value, "key must be a list, such as [\"{groupId}\", settings]")
					continue
				}
				for i, part := range e.value.Content {
					text, _ := r.text(part, "part "+strconv.Itoa(i+1)+" of key")
					row.key = append(row.key, text)
				}
			}
		}
		list = append(list, row)
	}
	return list
}

func (r *reader) blobs(n *yaml.Node) (list []laidObject) {
	for _, item := range r.items(n, "blobs", "name", "content") {
		var object laidObject
		for _, e := range item {
			switch {
			case e.key.Value == "name":
				object.name, _ = r.text(e.value, "name")
			case e.value.Kind == yaml.MappingNode:
				if object.members = r.columns(e.value, "content"); object.members == nil {
					object.members = []column{}
				}
			default:
				object.text, _ = r.text(e.value, "content")
			}
		}
		list = append(list, object)
	}
	return list
}

// capability returns the part of a design that a route is, for a server that lacks it.
func (m *Mapping) capability(of *route) system.Capability {
	address := strings.NewReplacer(`\{`, "{", `\}`, "}").Replace(regexp.QuoteMeta(of.path))
	address = placeholder.ReplaceAllString(address, `(?:[^/\s?"]+)`)
	pattern := `(?:^|[\s"|(])` + of.method + " " + address + `(?:[\s?"',.|)]|$)`
	alone := true
	for _, other := range m.routes {
		alone = alone && (other.path != of.path || other.missing)
	}
	if alone { // tables may have the method in a cell of its own
		pattern += `|^` + address + `(?:\?|$)`
	}
	return system.Capability{Name: of.name, Description: "a route", Shown: regexp.MustCompile(pattern),
		Reason: Lacks(of.name)}
}
