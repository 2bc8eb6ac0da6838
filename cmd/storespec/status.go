package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/host/terminal"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/verify"
)

// runStatus says how a run of verify is going: on a terminal in one line, elsewhere every ten seconds.
type runStatus struct {
	*terminal.Status
	system string
	waits  waiting.Board
	cases  waiting.Meter

	mu       sync.Mutex
	progress verify.Progress
}

// runStatus returns the status line of a system's run.
func (a *app) runStatus(system string) *runStatus {
	s := &runStatus{system: system}
	s.Status = terminal.NewStatus(a.Stderr, a.IsDumb(), s.text)
	return s
}

// show takes note of how far the run is.
func (s *runStatus) show(p verify.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = p
}

// text returns the line: how far the run is, and what it waits for if that takes long. A line that is too narrow for
// both has the latter alone, and one that is too narrow for all counts has those of the scenarios; columns is 0 if
// there is room for anything.
func (s *runStatus) text(now time.Time, columns int) string {
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
	if time := s.cases.Left(); time > 0 {
		left = "; about " + waiting.Roughly(time) + " left"
	}
	if why := s.waits.At(now); why != "" {
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

// estimates announces how long the cases of the run will take, as soon as the first ones have shown what they cost.
func (s *runStatus) estimates() {
	fmt.Fprintf(s, "%s: --faults full takes long; how long is estimated once the first cases have ended\n", s.system)
	s.cases.First = func(e waiting.Estimate) { fmt.Fprintf(s, "%s: the faults still take %s\n", s.system, e) }
}

// storeStatus says what the opening of stores waits for: a container, a program that is installed, a large emulator.
type storeStatus struct {
	*terminal.Status
	waits waiting.Board
}

func (a *app) storeStatus() *storeStatus {
	s := &storeStatus{}
	s.Status = terminal.NewStatus(a.Stderr, a.IsDumb(), func(now time.Time, _ int) string { return s.waits.At(now) })
	return s
}
