package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/terminal"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/waiting"
)

// runStatus says how the runs of verify are going: on a terminal in one line, elsewhere every ten seconds.
type runStatus struct {
	*terminal.Status

	mu      sync.Mutex
	running []*systemStatus // in the order in which they began
}

// systemStatus is the part of one system in a runStatus.
type systemStatus struct {
	io.Writer // of whole lines, beside the status
	system    string
	waits     waiting.Board
	cases     waiting.Meter

	mu       sync.Mutex
	progress verify.Progress
}

// runStatus returns the status line of the runs of some systems.
func (a *app) runStatus() *runStatus {
	s := &runStatus{}
	s.Status = terminal.NewStatus(a.stderr, a.isDumb(), s.text)
	return s
}

// begins adds a system to the line.
func (s *runStatus) begins(system string) *systemStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := &systemStatus{Writer: s.Status, system: system}
	s.running = append(s.running, one)
	return one
}

// ends removes a system from the line.
func (s *runStatus) ends(one *systemStatus) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = slices.DeleteFunc(s.running, func(other *systemStatus) bool { return other == one })
}

// text returns the line of the system that runs, or a line for each. If columns is not 0 there is room for one, which
// has only the counts of several; where those do not fit either, it is about the first.
func (s *runStatus) text(now time.Time, columns int) string {
	s.mu.Lock()
	running := slices.Clone(s.running)
	s.mu.Unlock()
	var whole, counts []string
	for _, one := range running {
		whole, counts = append(whole, one.text(now, columns)), append(counts, one.counts())
	}
	switch {
	case columns == 0 || len(running) < 2:
		return strings.Join(whole, "\n")
	default:
		return widest(columns, strings.Join(counts, "; "), whole[0])
	}
}

// show takes note of how far the run is.
func (s *systemStatus) show(p verify.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = p
}

// counts returns how many scenarios have run, and how many have failed.
func (s *systemStatus) counts() string {
	s.mu.Lock()
	p := s.progress
	s.mu.Unlock()
	if p.Total == 0 {
		return s.system + ": starting"
	}
	return fmt.Sprintf("%s: %d of %d scenarios, %d failed", s.system, p.Done, p.Total, p.Failed)
}

// text returns the line: how far the run is, and what it waits for if that takes long. A line that is too narrow for
// both has the latter alone, and one that is too narrow for all counts has those of the scenarios; columns is 0 if
// there is room for anything.
func (s *systemStatus) text(now time.Time, columns int) string {
	s.mu.Lock()
	p := s.progress
	s.mu.Unlock()
	fewer := s.counts()
	counts := fewer
	if p.Total > 0 {
		counts = fmt.Sprintf("%s: %d of %d rules done; %d of %d scenarios: %d passed, %d failed", s.system, p.RulesDone,
			p.Rules, p.Done, p.Total, p.Passed, p.Failed)
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
func (s *systemStatus) estimates() {
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
	s.Status = terminal.NewStatus(a.stderr, a.isDumb(), func(now time.Time, _ int) string { return s.waits.At(now) })
	return s
}
