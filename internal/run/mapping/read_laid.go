package mapping

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/run/system"
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

// with reads what an entry goes with: a table, some rows of it, or blobs.
func (r *reader) with(to *laid, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		r.withRows(to, n)
		return
	}
	text, ok := r.text(n, "with")
	if !ok {
		return
	}
	if !strings.ContainsAny(text, "/.:{") || r.inBraces(text) != "" {
		to.table, to.at = r.table(n), n
		return
	}
	to.with = r.named(n, text, "a blob's name", "[^/:]+")
}

// table reads the name of a table: that of the features, which the environment of a server may have another one for.
func (r *reader) table(n *yaml.Node) string {
	text, _ := r.text(n, "table")
	if word := r.inBraces(text); word != "" {
		r.refuse(n, "write %s, without braces, for the table that the server knows by its environment", word)
	}
	return text
}

// inBraces returns the word of the features for a name that is in braces, or has some; "" if the features do not
// have it.
func (r *reader) inBraces(text string) string {
	for word, name := range r.terms.design.Names {
		if text == "{"+word+"}" || text == name && strings.Contains(name, "{") {
			return word
		}
	}
	return ""
}

// withRows reads a table and a key with placeholders.
func (r *reader) withRows(to *laid, n *yaml.Node) {
	for _, e := range r.entries(n, "with", "table", "key") {
		if e.key.Value == "table" {
			to.table, to.at = r.table(e.value), e.value
			continue
		}
		for _, part := range r.key(e.value) {
			to.key = append(to.key, r.named(part, part.Value, "a part of a key", ".+?"))
		}
	}
	if to.table == "" {
		r.refuse(n, "with must have a table")
	}
}

// named returns the form of a text with placeholders, each a group of the pattern of a value.
func (r *reader) named(n *yaml.Node, text, what, value string) *regexp.Regexp {
	pattern, rest := "^", text
	for {
		before, after, found := strings.Cut(rest, "{")
		pattern += regexp.QuoteMeta(before)
		if !found {
			break
		}
		name, tail, closed := strings.Cut(after, "}")
		if !closed || !wordForm.MatchString(name) {
			r.refuse(n, "%q is not %s with {placeholders}", text, what)
			return nil
		}
		pattern += "(?P<" + name + ">" + value + ")"
		rest = tail
	}
	form, err := regexp.Compile(pattern + "$")
	if err != nil {
		r.refuse(n, "%q has a placeholder twice", text)
		return nil
	}
	return form
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
			r.refuse(e.key, "%s cannot be added as a column", e.key.Value)
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
	return n.Value, r.filled(n, what)
}

// filled refuses placeholders of a form that is not known.
func (r *reader) filled(n *yaml.Node, what string) bool {
	for _, m := range filler.FindAllStringSubmatch(n.Value, -1) {
		if m[2] != "" && forms()[m[2]] == nil {
			r.refuse(n, "%s: {%s:%s} is not known; known: {name:sha256}, {name:unix}, {name:unixms}", what, m[1], m[2])
			return false
		}
	}
	return true
}

// key returns the parts of a key that are texts.
func (r *reader) key(n *yaml.Node) (parts []*yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		r.refuse(n, "key must be a list, such as [\"{groupId}\", settings]")
		return nil
	}
	for i, part := range n.Content {
		if _, ok := r.text(part, "part "+strconv.Itoa(i+1)+" of key"); ok {
			parts = append(parts, part)
		}
	}
	return parts
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
				row.table, row.at = r.table(e.value), e.value
			case "columns":
				row.columns = r.columns(e.value, "columns")
			case "key":
				for _, part := range r.key(e.value) {
					if r.filled(part, "key") {
						row.key, row.forms = append(row.key, part.Value), append(row.forms, formOf(part.Value, ".+"))
					}
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
				if object.name, _ = r.text(e.value, "name"); r.filled(e.value, "name") {
					object.form = formOf(object.name, "[^/]+")
				}
			case e.value.Kind == yaml.MappingNode:
				if object.members = r.columns(e.value, "content"); object.members == nil {
					object.members = []column{}
				}
			default:
				object.text, _ = r.text(e.value, "content")
				r.filled(e.value, "content")
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
