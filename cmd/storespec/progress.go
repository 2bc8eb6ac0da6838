package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/storespec/storespec/internal/host/terminal"
	"github.com/storespec/storespec/internal/prove/mutant"
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

// drawLine writes a line in the place of the one before, as much of it as the terminal has room for.
func drawLine(w io.Writer, text string) {
	if columns, is := terminal.Columns(w); is {
		text = terminal.Fit(text, columns)
	}
	io.WriteString(w, terminal.EraseLine+text)
}

func (l *progressLine) write(format string, args ...any) { drawLine(l.w, fmt.Sprintf(format, args...)) }

func (l *progressLine) showMutants(p mutant.Progress) {
	l.write("%s: %d of %d mutants: %d killed, %d not", l.system, p.Done, p.Total, p.Killed, p.Done-p.Killed)
}

func (l *progressLine) clear() { io.WriteString(l.w, terminal.EraseLine) }
