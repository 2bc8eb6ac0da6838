// Package baseline reads and writes the list of scenarios that a server is known to fail.
//
// The list is a YAML file that a team keeps beside its server, so that a pipeline can be green while
// known failures are being worked on, and turns red when one is fixed and forgotten, or a new one
// comes. A case is named by rule, scenario and example, never by a line: lines move.
//
// The package never judges: package verify says what an entry means for an outcome.
//
// Open Read first; write.go is the way back.
package baseline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Todo is the reason of an entry that was written by a program: somebody has yet to say why.
const Todo = "TODO: say why"

// Case is one scenario, or one example of a scenario outline.
type Case struct {
	Rule     string            // such as FS-GATE-4
	Scenario string            // the name, with the example's cells in it
	Example  map[string]string // the example's cells by column; empty for a plain scenario
}

func (c Case) String() string {
	if len(c.Example) == 0 {
		return fmt.Sprintf("%s %q", c.Rule, c.Scenario)
	}
	var cells []string
	for _, column := range slices.Sorted(maps.Keys(c.Example)) {
		cells = append(cells, column+": "+c.Example[column])
	}
	return fmt.Sprintf("%s %q {%s}", c.Rule, c.Scenario, strings.Join(cells, ", "))
}

// Key is equal for equal cases only.
func (c Case) Key() string {
	parts := []string{c.Rule, c.Scenario}
	for _, column := range slices.Sorted(maps.Keys(c.Example)) {
		parts = append(parts, column, c.Example[column])
	}
	return fmt.Sprintf("%q", parts)
}

// Entry is a known failure.
type Entry struct {
	Case
	Reason  string
	Expires time.Time // the last day on which the failure is a known one, at 00:00 UTC; zero: none
	Line    int       // where it stands in its file; 0: nowhere yet
}

// Expired reports whether the entry's last day is over.
func (e Entry) Expired(now time.Time) bool {
	return !e.Expires.IsZero() && !now.UTC().Before(e.Expires.AddDate(0, 0, 1))
}

// File is a list of known failures.
type File struct {
	Path    string
	Entries []Entry // sorted by case
}

// Find is the entry of a case.
func (f *File) Find(c Case) (Entry, bool) {
	for _, entry := range f.Entries {
		if entry.Key() == c.Key() {
			return entry, true
		}
	}
	return Entry{}, false
}

// Where is the place of an entry, as file:line.
func (f *File) Where(e Entry) string { return fmt.Sprintf("%s:%d", f.Path, e.Line) }

func sorted(entries []Entry) []Entry {
	return slices.SortedFunc(slices.Values(entries), func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Key(), b.Key()))
	})
}
