package mapping

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/storespec/storespec/internal/source"
)

// Column is a column that a mapping adds to the rows of a table, or a member that it adds to objects.
type Column struct{ Table, Name string } // Table is "" for a member

// Adds returns the columns and members that a mapping adds to what is laid anyway, each once, in order.
func (m *Mapping) Adds() (all []Column) {
	if m == nil {
		return nil
	}
	for _, l := range m.laid {
		for _, c := range l.columns {
			if one := (Column{l.table, c.name}); !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	slices.SortFunc(all, func(a, b Column) int { return strings.Compare(a.Table+" "+a.Name, b.Table+" "+b.Name) })
	return all
}

// Lays reports whether a row is the server's own, or one that the server has elsewhere: a mapping has laid it, or left
// it out, or the server may have written it, since its key has the form of those. A form of nothing but placeholders
// says too little about the rows of the design's own tables: of these, it is the rows that were laid.
func (m *Mapping) Lays(table string, key []string) bool {
	if m == nil {
		return false
	}
	if _, laid := m.rows.Load(rowID(table, key)); laid {
		return true
	}
	return slices.ContainsFunc(m.laid, func(l laid) bool {
		if l.instead && l.table == table && l.takes(key, map[string]any{}) {
			return true
		}
		return slices.ContainsFunc(l.rows, func(one laidRow) bool {
			return one.table == table && one.has(key) && (one.literal() || !slices.Contains(m.tables, table))
		})
	})
}

// LaysObject is Lays for an object of the design's container or namespace.
func (m *Mapping) LaysObject(name string) bool {
	if m == nil {
		return false
	}
	if _, laid := m.objects.Load(name); laid {
		return true
	}
	return slices.ContainsFunc(m.laid, func(l laid) bool {
		return l.instead && l.with != nil && l.with.MatchString(name) || slices.ContainsFunc(l.objects,
			func(one laidObject) bool { return literal(one.name) && one.form.MatchString(name) })
	})
}

// rowID identifies a row that was laid.
func rowID(table string, key []string) string { return table + "\x00" + strings.Join(key, "\x00") }

// remember notes rows that only this server needs, or does not have.
func (m *Mapping) remember(rows []Row) {
	for _, row := range rows {
		m.rows.Store(rowID(row.Table, row.Key), true)
	}
}

// rememberObjects is remember for objects.
func (m *Mapping) rememberObjects(objects []Object) {
	for _, object := range objects {
		m.objects.Store(object.Name, true)
	}
}

// has reports whether a key has the form of a row's.
func (r laidRow) has(key []string) bool {
	if len(key) != len(r.forms) {
		return false
	}
	for i, form := range r.forms {
		if !form.MatchString(key[i]) {
			return false
		}
	}
	return true
}

// literal reports whether a part of a row's key is more than a placeholder.
func (r laidRow) literal() bool { return slices.ContainsFunc(r.key, literal) }

// literal reports whether a template is more than placeholders.
func literal(template string) bool { return filler.ReplaceAllString(template, "") != "" }

// formOf returns what a text with placeholders may become. others is the pattern of a value without a form of its own.
func formOf(template, others string) *regexp.Regexp {
	pattern, from := "^", 0
	for _, at := range filler.FindAllStringSubmatchIndex(template, -1) {
		value := others
		if at[4] >= 0 {
			of := template[at[4]:at[5]]
			value = map[string]string{"sha256": "[0-9a-f]{64}", "unix": `-?\d+`, "unixms": `-?\d+`}[of]
		}
		pattern += regexp.QuoteMeta(template[from:at[0]]) + value
		from = at[1]
	}
	return regexp.MustCompile(pattern + regexp.QuoteMeta(template[from:]) + "$")
}

// OnTables sets the tables that the design has, and refuses rows of the mapping that cannot be right: rows of a
// table that the design does not have are never laid, so nothing goes with them. A design that defines its tables has
// no others (defined); otherwise, the server may have tables of its own, whose names differ in more than their case.
// The error joins one *yamldoc.Error for each mistake.
func (m *Mapping) OnTables(known []string, defined bool) error {
	if m == nil || len(known) == 0 {
		return nil
	}
	m.tables = known
	var wrong []error
	refuse := func(at *yaml.Node, name string) {
		hint := cmp.Or(source.Meant(name, known), "; it has "+strings.Join(known, ", "))
		wrong = append(wrong, m.reader.At(at, "laid: the design has no table %q%s", name, hint))
	}
	for _, l := range m.laid {
		if l.table != "" && !slices.Contains(known, l.table) {
			refuse(l.at, l.table)
		}
		for _, row := range l.rows {
			same := func(name string) bool { return name != row.table && strings.EqualFold(name, row.table) }
			if !slices.Contains(known, row.table) && (defined || slices.ContainsFunc(known, same)) {
				refuse(row.at, row.table)
			}
		}
	}
	return errors.Join(wrong...)
}
