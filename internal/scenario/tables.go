package scenario

import (
	"maps"
	"slices"

	"github.com/cucumber/godog"
)

// Tables are the names of the tables that steps are about, each with the columns of its rows that they name.
type Tables map[string]map[string]bool

// Add adds what a step names: a table whose name is written out, and the columns below the step.
func (t Tables) Add(v *Vocabulary, step *godog.Step) {
	k, err := v.find(step)
	if err != nil {
		return
	}
	said := k.said()
	below, _ := arguments(step)
	for _, group := range k.tables {
		name := said[group-1]
		if name == "" || Placeholder.MatchString(name) {
			continue
		}
		if t[name] == nil {
			t[name] = map[string]bool{}
		}
		if k.columns == nil || below == nil {
			continue
		}
		for _, column := range k.columns(below) {
			t[name][column] = true
		}
	}
}

// Names returns the names of the tables, in order.
func (t Tables) Names() []string { return slices.Sorted(maps.Keys(t)) }

// Columns returns the columns of a table, in order.
func (t Tables) Columns(table string) []string { return slices.Sorted(maps.Keys(t[table])) }
