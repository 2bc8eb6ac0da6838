// Package baseline reads and writes the list of scenarios that a server is known to fail.
//
// The list is a YAML file that a team keeps next to its server, so that a pipeline can be green while known failures
// are being worked on, and turns red when a fixed one is still listed or a new one appears. A case is named by rule,
// scenario and example, never by line number: lines move.
//
// The package never judges: package verify decides how an entry affects an outcome.
//
// Open Read first; write.go is the reverse.
package baseline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/source/yamldoc"
)

// Todo is the reason in an entry that a program wrote: the real one is still missing.
const Todo = "TODO: say why"

// Case is one scenario, or one example of a scenario outline.
type Case struct {
	Rule     string            // such as FS-GATE-4
	Scenario string            // the name, including the example's cells
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

// Key is equal only for equal cases.
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
	Outcome string    // how it fails, such as "over budget"; "": in any way
	Digest  string    // of its message, as package cause makes one; "": of any message
	Expires time.Time // the last day on which the failure counts as known, at 00:00 UTC; zero: none
	Line    int       // its line in its file; 0: not written yet
	Column  int
}

// Alike reports whether a failure is the known one, by its outcome and the digest of its message.
func (e Entry) Alike(outcome, digest string) bool {
	return (e.Outcome == "" || e.Outcome == outcome) && (e.Digest == "" || e.Digest == digest)
}

// Expired reports whether the entry's last day has passed.
func (e Entry) Expired(now time.Time) bool {
	return !e.Expires.IsZero() && !now.UTC().Before(e.Expires.AddDate(0, 0, 1))
}

// File is a list of known failures.
type File struct {
	Path    string
	Entries []Entry // sorted by case
}

// Find returns the entry of a case.
func (f *File) Find(c Case) (Entry, bool) {
	for _, entry := range f.Entries {
		if entry.Key() == c.Key() {
			return entry, true
		}
	}
	return Entry{}, false
}

// Wrong returns what is wrong with an entry, as an error with its place.
func (f *File) Wrong(e Entry, format string, args ...any) error {
	return &yamldoc.Error{File: f.Path, Line: e.Line, Column: e.Column, Reason: fmt.Sprintf(format, args...)}
}

// Where returns the location of an entry, as file:line.
func (f *File) Where(e Entry) string { return fmt.Sprintf("%s:%d", f.Path, e.Line) }

func sorted(entries []Entry) []Entry {
	return slices.SortedFunc(slices.Values(entries), func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Key(), b.Key()))
	})
}
