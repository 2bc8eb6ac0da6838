package command

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/host/terminal"
)

// Line is a line on a terminal that is overwritten repeatedly and erased at the end.
type Line struct {
	W     io.Writer
	shown time.Time
}

// Line returns the progress line of a command, which is shown on a terminal only.
func (e *Env) Line() *Line {
	if !e.OnTerminal() {
		return &Line{W: io.Discard}
	}
	return &Line{W: e.Stderr}
}

// Printf replaces the line by another one, as much of it as the terminal has room for.
func (l *Line) Printf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if columns, is := terminal.Columns(l.W); is {
		text = terminal.Fit(text, columns)
	}
	io.WriteString(l.W, terminal.EraseLine+text)
}

// showEvery is how often Progress changes the line.
const showEvery = 100 * time.Millisecond

// Progress shows how much of a total is done, of what, unless the line has changed a moment ago.
func (l *Line) Progress(done, total int, what string) {
	if now := time.Now(); done == total || now.Sub(l.shown) > showEvery {
		l.shown = now
		l.Printf("%s %d of %d %s", Bar(done, total), done, total, what)
	}
}

// Clear erases the line.
func (l *Line) Clear() { io.WriteString(l.W, terminal.EraseLine) }

// barWidth leaves room for the figures on an 80-column terminal.
const barWidth = 20

// Bar shows how much of a total is done, such as [==========          ]. Nothing to do is all done.
func Bar[N int | int64](done, total N) string {
	full := barWidth
	if total > 0 {
		full = int(barWidth * done / total)
	}
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", barWidth-full) + "]"
}
