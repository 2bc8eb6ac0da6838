package tools

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/terminal"
	"github.com/storespec/storespec/reference/actions/bulk"
)

const (
	// shownProblems is how many rejected lines are reported one by one: the file holds them all.
	shownProblems = 20
	// rateOver is the window over which the rate is measured: it follows a server that slows down, without jitter.
	rateOver = 10 * time.Second
)

// loadTeller reports the progress of a load to people.
type loadTeller struct {
	w       io.Writer
	watched bool // a terminal: one line is overwritten repeatedly
	input   string

	mu       sync.Mutex
	problems int
	past     []bulk.Snapshot // within the last rateOver
	shown    bool
}

func (l *loadTeller) resumed(s bulk.Snapshot) {
	fmt.Fprintf(l.w, "resuming after line %d of %s: %d records were loaded before\n", s.Line, l.input, s.Records())
}

func (l *loadTeller) problem(p bulk.Problem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.problems++; l.problems > shownProblems {
		return
	}
	l.eraseLocked()
	fmt.Fprintf(l.w, "%s:%d: %s\n", l.input, p.Line, p.Reason)
}

func (l *loadTeller) progress(s bulk.Snapshot) {
	if !l.watched {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.past = append(l.past, s)
	for len(l.past) > 2 && s.Elapsed-l.past[0].Elapsed > rateOver {
		l.past = l.past[1:]
	}
	l.shown = true
	(&command.Line{W: l.w}).Printf("%s", progressText(l.past[0], s))
}

func (l *loadTeller) eraseLocked() {
	if l.shown {
		fmt.Fprint(l.w, terminal.EraseLine)
		l.shown = false
	}
}

func (l *loadTeller) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.eraseLocked()
	if l.problems > shownProblems {
		fmt.Fprintf(l.w, "… and %d lines more\n", l.problems-shownProblems)
	}
}

// progressText returns the bar, the share of the input, the rate since an earlier moment, and the estimated time left.
func progressText(then, s bulk.Snapshot) string {
	rate, bytes := 0.0, 0.0
	if seconds := (s.Elapsed - then.Elapsed).Seconds(); seconds > 0 {
		rate, bytes = float64(s.Records()-then.Records())/seconds, float64(s.Done-then.Done)/seconds
	}
	figures := fmt.Sprintf("%d records, %.0f a second", s.Records(), rate)
	if lost := s.Failed + s.Bad; lost > 0 {
		figures += fmt.Sprintf(", %d failed", lost)
	}
	if s.Size == 0 { // a stream: its end is unknown
		return figures
	}
	done := min(s.Done, s.Size) // the file may grow
	text := fmt.Sprintf("%s %d%% %s", command.Bar(done, s.Size), 100*done/s.Size, figures)
	if bytes > 0 {
		left := time.Duration(float64(s.Size-done)/bytes) * time.Second
		text += ", " + left.String() + " left"
	}
	return text
}
