package mapping

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/store"
)

// laid is what the server needs whenever the harness lays a row of a table, or an object whose name has a form.
type laid struct {
	table   string           // "": with is what it goes with
	at      *yaml.Node       // where the file names the table
	key     []*regexp.Regexp // the parts of the row's key, with groups for {placeholders}; nil: any row of the table
	with    *regexp.Regexp   // the names of objects, with groups for {placeholders}
	instead bool             // what it goes with is not laid itself
	columns []column         // more columns of the row, or more members of the object's JSON
	rows    []laidRow
	objects []laidObject
}

// column is a column or a member, and its value: a bool, a json.Number, nil, or a text with placeholders.
type column struct {
	name  string
	value any
}

type laidRow struct {
	table   string
	at      *yaml.Node
	key     []string
	forms   []*regexp.Regexp // of the parts of the key
	columns []column
}

type laidObject struct {
	name    string
	form    *regexp.Regexp
	text    string   // with placeholders; used if members is nil
	members []column // of a JSON object
}

// Rows and objects that a server needs, instead of those that the harness would write.
type (
	// Row is a row of a table.
	Row struct {
		Table   string
		Key     []string
		Columns store.Row
	}
	// Object is an object of the design's container or namespace.
	Object struct {
		Name    string
		Content []byte
	}
)

// LayRow returns what is written instead of a row: mostly the row, with more columns, and more rows and objects.
func (m *Mapping) LayRow(row Row) (rows []Row, objects []Object, err error) {
	if m == nil {
		return []Row{row}, nil, nil
	}
	values := map[string]any{}
	for name, value := range row.Columns {
		values[name] = value.Is
	}
	for i, name := range []string{"PartitionKey", "RowKey"} {
		if _, known := values[name]; !known && i < len(row.Key) {
			values[name] = row.Key[i]
		}
	}
	keep, given := true, values
	row.Columns = maps.Clone(row.Columns)
	for _, l := range m.laid {
		values := maps.Clone(given)
		if l.table != row.Table || !l.takes(row.Key, values) {
			continue
		}
		derive(values)
		keep = keep && !l.instead
		for _, c := range l.columns {
			if _, own := row.Columns[c.name]; own {
				continue // what a scenario says goes first
			}
			if value, known := fill(c.value, values); known {
				row.Columns[c.name] = store.Value{Is: value}
			}
		}
		rows, objects, err = l.also(rows, objects, values)
		if err != nil {
			return nil, nil, err
		}
	}
	m.remember(rows)
	m.rememberObjects(objects)
	if keep {
		rows = append([]Row{row}, rows...)
	} else {
		m.remember([]Row{row})
	}
	return rows, objects, nil
}

// takes reports whether something goes with the rows of a key, which has as many parts as its own, and adds the values
// of its placeholders to values.
func (l laid) takes(key []string, values map[string]any) bool {
	if l.key != nil && len(l.key) != len(key) {
		return false
	}
	for i, form := range l.key {
		if !named(form, key[i], values) {
			return false
		}
	}
	return true
}

// LayObject is LayRow for an object.
func (m *Mapping) LayObject(object Object) (rows []Row, objects []Object, err error) {
	if m == nil {
		return nil, []Object{object}, nil
	}
	document, isObject := parse(object.Content)
	isObject = isObject && document.kind == '{'
	keep := true
	for _, l := range m.laid {
		values := map[string]any{}
		if isObject {
			for _, one := range document.members {
				if value, is := one.value.scalar(); is {
					values[one.name] = value
				}
			}
		}
		if l.with == nil || !named(l.with, object.Name, values) {
			continue
		}
		derive(values)
		keep = keep && !l.instead
		for _, c := range l.columns {
			value, known := fill(c.value, values)
			if !isObject || !known || document.index(c.name) >= 0 {
				continue
			}
			encoded, err := json.Marshal(value)
			if err != nil {
				return nil, nil, fmt.Errorf("write the member %s of %s: %w", c.name, object.Name, err)
			}
			document.members = append(document.members, member{name: c.name, value: &node{text: encoded}})
			object.Content = document.bytes()
		}
		if rows, objects, err = l.also(rows, objects, values); err != nil {
			return nil, nil, err
		}
	}
	m.remember(rows)
	m.rememberObjects(objects)
	if keep {
		objects = append([]Object{object}, objects...)
	}
	return rows, objects, nil
}

// named reports whether a name has a form, and adds the values of its placeholders to values.
func named(form *regexp.Regexp, name string, values map[string]any) bool {
	m := form.FindStringSubmatch(name)
	for i, group := range form.SubexpNames() {
		if m != nil && group != "" {
			values[group] = m[i]
		}
	}
	return m != nil
}

// derive adds the key of a user to values that have an e-mail.
func derive(values map[string]any) {
	email, is := values["email"].(string)
	if _, known := values["userKey"]; is && !known && email != "" {
		values["userKey"] = system.UserKey(email)
	}
}

// also adds the rows and objects that go with something.
func (l laid) also(rows []Row, objects []Object, values map[string]any) ([]Row, []Object, error) {
	for _, one := range l.rows {
		row, complete := Row{Table: one.table, Columns: store.Row{}}, true
		for _, part := range one.key {
			value, known := fill(part, values)
			row.Key, complete = append(row.Key, fmt.Sprint(value)), complete && known
		}
		for _, c := range one.columns {
			if value, known := fill(c.value, values); known {
				row.Columns[c.name] = store.Value{Is: value}
			}
		}
		if complete {
			rows = append(rows, row)
		}
	}
	for _, one := range l.objects {
		name, complete := fill(one.name, values)
		text, known := fill(one.text, values)
		if complete = complete && known; one.members != nil {
			n := &node{kind: '{'}
			for _, c := range one.members {
				value, known := fill(c.value, values)
				encoded, err := json.Marshal(value)
				if err != nil {
					return nil, nil, fmt.Errorf("write the member %s of %s: %w", c.name, one.name, err)
				}
				if known {
					n.members = append(n.members, member{name: c.name, value: &node{text: encoded}})
				}
			}
			text = string(n.bytes())
		}
		if complete {
			objects = append(objects, Object{fmt.Sprint(name), []byte(fmt.Sprint(text))})
		}
	}
	return rows, objects, nil
}

// filler is {name} or {name:form} in a template.
var filler = regexp.MustCompile(`\{(\w+)(?::(\w+))?\}`)

// forms are what a template can make of a value, by name.
func forms() map[string]func(text string) (any, bool) {
	return map[string]func(string) (any, bool){
		"sha256": func(text string) (any, bool) {
			sum := sha256.Sum256([]byte(text))
			return hex.EncodeToString(sum[:]), true
		},
		"unix":   func(text string) (any, bool) { return instant(text, time.Time.Unix) },
		"unixms": func(text string) (any, bool) { return instant(text, time.Time.UnixMilli) },
	}
}

func instant(text string, unit func(time.Time) int64) (any, bool) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil, false
	}
	return json.Number(strconv.FormatInt(unit(at), 10)), true
}

// fill returns a value with its placeholders filled in; known is false if one of them is not there. A text that is one
// placeholder becomes its value, with the type that it has.
func fill(value any, values map[string]any) (filled any, known bool) {
	template, is := value.(string)
	if !is {
		return value, true
	}
	known = true
	get := func(match []string) any {
		found, there := values[match[1]]
		if form := forms()[match[2]]; form != nil && there {
			found, there = form(fmt.Sprint(found))
		}
		known = known && there
		return found
	}
	if m := filler.FindStringSubmatch(template); m != nil && m[0] == template {
		return get(m), known
	}
	filled = filler.ReplaceAllStringFunc(template, func(text string) string {
		return fmt.Sprint(get(filler.FindStringSubmatch(text)))
	})
	return filled, known
}
