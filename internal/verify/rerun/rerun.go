// Package rerun remembers which scenarios have made runs fail and have not passed since, so that a run can be limited
// to them.
//
// A run of a part, or one that ended early, says nothing of the other scenarios, and takes none of them off the list.
// The package runs nothing and does not decide what fails: its callers do. Open [List] first.
package rerun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify/baseline"
)

// List is what is remembered, by system. A system of which nothing is known is not in it; the list of one whose
// scenarios have all passed is empty.
type List map[string][]Failure

// Failure is a scenario that failed.
type Failure struct {
	baseline.Case
	// Cases says how thoroughly it was run if it failed in one of many cases: a run that tries fewer of them does not
	// show that it passes. It is nil if it failed by itself.
	Cases *Extent
}

// Extent is how thoroughly a scenario with many cases is run.
type Extent struct {
	Faults proof.FaultLevel `json:"faults"`
	Orders int              `json:"orders"`
}

// covers reports whether a run of this extent tries at least as much as another.
func (e Extent) covers(other Extent) bool {
	rank := func(level proof.FaultLevel) int { return slices.Index(proof.FaultLevels(), level) }
	return rank(e.Faults) >= rank(other.Faults) && e.Orders >= other.Orders
}

// Judged is what a run found out about a scenario.
type Judged struct {
	baseline.Case
	Fails   bool
	InCases bool // it failed in one of many cases
}

// Note takes over what a run of a system found out. exists says which scenarios the system still has: others are
// forgotten.
func (l List) Note(system string, extent Extent, judged []Judged, exists func(baseline.Case) bool) {
	failures := map[string]Failure{}
	for _, one := range l[system] {
		if exists(one.Case) {
			failures[one.Key()] = one
		}
	}
	for _, one := range judged {
		before, failed := failures[one.Key()]
		covered := before.Cases == nil || extent.covers(*before.Cases)
		switch {
		case one.Fails && (!failed || covered):
			failure := Failure{one.Case, before.Cases}
			if one.InCases {
				failure.Cases = &extent
			}
			failures[one.Key()] = failure
		case !one.Fails && covered:
			delete(failures, one.Key())
		}
	}
	l[system] = slices.SortedFunc(maps.Values(failures),
		func(a, b Failure) int { return strings.Compare(a.Key(), b.Key()) })
}

// format is the version of the file.
const format = 1

type file struct {
	Format  int                `json:"format"`
	Systems map[string][]entry `json:"systems"`
}

type entry struct {
	Rule     string            `json:"rule"`
	Scenario string            `json:"scenario"`
	Example  map[string]string `json:"example,omitempty"`
	Cases    *Extent           `json:"cases,omitempty"`
}

// Read reads a list from a file; without the file it is empty. The error is a *source.Error.
func Read(path string) (List, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // whoever writes there says so
		return List{}, nil
	}
	var read file
	if err == nil {
		err = json.Unmarshal(content, &read)
	}
	if err == nil && read.Format != format {
		err = fmt.Errorf("its format is %d, and this storespec reads %d", read.Format, format)
	}
	if err != nil {
		return nil, &source.Error{File: path, Reason: "the list of failed scenarios cannot be read: " + err.Error()}
	}
	list := List{}
	for system, entries := range read.Systems {
		list[system] = nil
		for _, e := range entries {
			list[system] = append(list[system],
				Failure{baseline.Case{Rule: e.Rule, Scenario: e.Scenario, Example: e.Example}, e.Cases})
		}
	}
	return list, nil
}

// Write writes the list as Read reads it.
func (l List) Write(w io.Writer) error {
	written := file{Format: format, Systems: map[string][]entry{}}
	for system, failures := range l {
		written.Systems[system] = []entry{}
		for _, one := range failures {
			written.Systems[system] = append(written.Systems[system],
				entry{one.Rule, one.Scenario, one.Example, one.Cases})
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(written)
}
