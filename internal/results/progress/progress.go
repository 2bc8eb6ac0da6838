// Package progress says how a run is going, and what it waits for: on a terminal in one line, elsewhere every ten
// seconds.
//
// Open [New] first.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/host/terminal"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/verify"
)

// Run says how a run of verify is going.
type Run struct {
	*terminal.Status

	Waits waiting.Board
	Cases waiting.Meter

	system   string
	mu       sync.Mutex
	progress verify.Progress
}

// New returns the status of a system's run, for a terminal that can only write lines if it is dumb.
func New(w io.Writer, dumb bool, system string) *Run {
	s := &Run{system: system}
	s.Status = terminal.NewStatus(w, dumb, s.text)
	return s
}

// Show takes note of how far the run is.
func (s *Run) Show(p verify.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = p
}

// text returns the line: how far the run is, and what it waits for if that takes long. A line that is too narrow for
// both has the latter alone, and one that is too narrow for all counts has those of the scenarios; columns is 0 if
// there is room for anything.
func (s *Run) text(now time.Time, columns int) string {
	s.mu.Lock()
	p := s.progress
	s.mu.Unlock()
	counts, fewer := s.system+": starting", s.system+": starting"
	if p.Total > 0 {
		counts = fmt.Sprintf("%s: %d of %d rules done; %d of %d scenarios: %d passed, %d failed", s.system, p.RulesDone,
			p.Rules, p.Done, p.Total, p.Passed, p.Failed)
		fewer = fmt.Sprintf("%s: %d of %d scenarios, %d failed", s.system, p.Done, p.Total, p.Failed)
	}
	left := ""
	if time := s.Cases.Left(); time > 0 {
		left = "; about " + waiting.Roughly(time) + " left"
	}
	if why := s.Waits.At(now); why != "" {
		return widest(columns, counts+left+"; "+why, s.system+": "+why, why)
	}
	return widest(columns, counts+left, fewer+left, fewer)
}

// widest returns the first of some lines that fits, or the last; columns is 0 if there is room for anything.
func widest(columns int, lines ...string) string {
	for _, line := range lines {
		if columns == 0 || terminal.Width(line) <= columns {
			return line
		}
	}
	return lines[len(lines)-1]
}

// Estimates announces how long the cases of the run will take, as soon as the first ones have shown what they cost.
func (s *Run) Estimates() {
	fmt.Fprintf(s, "%s: --faults full takes long; how long is estimated once the first cases have ended\n", s.system)
	s.Cases.First = func(e waiting.Estimate) { fmt.Fprintf(s, "%s: the faults still take %s\n", s.system, e) }
}

// Stores says what the opening of stores waits for: a container, a program that is installed, a large emulator.
type Stores struct {
	*terminal.Status

	Waits waiting.Board
}

// NewStores returns the status of stores that are opened.
func NewStores(w io.Writer, dumb bool) *Stores {
	s := &Stores{}
	s.Status = terminal.NewStatus(w, dumb, func(now time.Time, _ int) string { return s.Waits.At(now) })
	return s
}
