package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/terminal"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/waiting"
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
	s.Status = terminal.NewStatus(a.stderr, a.isDumb(), s.text)
	return s
}

// show takes note of how far the run is.
func (s *runStatus) show(p verify.Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress = p
}

// text returns the line: how far the run is, and what it waits for if that takes long. Of the two, the latter alone is
// in a line that is too narrow for both; columns is 0 if there is room for anything.
func (s *runStatus) text(now time.Time, columns int) string {
	s.mu.Lock()
	p := s.progress
	s.mu.Unlock()
	counts := s.system + ": starting"
	if p.Total > 0 {
		counts = fmt.Sprintf("%s: %d of %d rules done; %d of %d scenarios: %d passed, %d failed", s.system, p.RulesDone,
			p.Rules, p.Done, p.Total, p.Passed, p.Failed)
	}
	if left := s.cases.Left(); left > 0 {
		counts += "; about " + waiting.Roughly(left) + " left"
	}
	why := s.waits.At(now)
	if why == "" {
		return counts
	}
	for _, line := range []string{counts + "; " + why, s.system + ": " + why} {
		if columns == 0 || terminal.Width(line) <= columns {
			return line
		}
	}
	return why
}

// estimates announces how long the cases of the run will take, as soon as the first ones have shown what they cost.
func (s *runStatus) estimates() {
	fmt.Fprintf(s, "%s: --faults full takes long; how long is estimated once the first cases have ended\n", s.system)
	s.cases.First = func(e waiting.Estimate) { fmt.Fprintf(s, "%s: the faults still take %s\n", s.system, e) }
}
