package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/storespec/storespec/internal/mutant"
	"github.com/storespec/storespec/internal/verify"
)

// progressLine is a line on a terminal that is overwritten repeatedly and erased at the end.
type progressLine struct {
	w      io.Writer
	system string
}

// progress returns the progress line of a system, which is shown on a terminal only.
func (a *app) progress(system string) *progressLine {
	if !a.onTerminal() {
		return &progressLine{io.Discard, system}
	}
	return &progressLine{a.stderr, system}
}

const (
	eraseLine = "\r\x1b[K" // moves to the start of the line and erases it (ECMA-48, EL)
	// A line that a narrow terminal wraps is only partly erased, so the excess is cut (DEC private mode 7, DECAWM).
	cutLine, wrapLine = "\x1b[?7l", "\x1b[?7h"
)

// barWidth leaves room for the figures on an 80-column terminal.
const barWidth = 20

// bar shows how much of a total is done, such as [==========          ]. Nothing to do is all done.
func bar[N int | int64](done, total N) string {
	full := barWidth
	if total > 0 {
		full = int(barWidth * done / total)
	}
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", barWidth-full) + "]"
}

func (l *progressLine) write(format string, args ...any) {
	fmt.Fprintf(l.w, eraseLine+cutLine+format+wrapLine, args...)
}

func (l *progressLine) show(p verify.Progress) {
	l.write("%s: %d of %d rules done; %d of %d scenarios: %d passed, %d failed", l.system, p.RulesDone, p.Rules, p.Done,
		p.Total, p.Passed, p.Failed)
}

func (l *progressLine) showMutants(p mutant.Progress) {
	l.write("%s: %d of %d mutants: %d killed, %d not", l.system, p.Done, p.Total, p.Killed, p.Done-p.Killed)
}

func (l *progressLine) clear() { io.WriteString(l.w, eraseLine) }
