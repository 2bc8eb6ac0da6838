package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/storespec/storespec/internal/verify"
)

// Look says how a text for people is shown.
type Look struct {
	Color   bool // on a terminal (ECMA-48 colors)
	Verbose bool // it also says how the run went about it: lanes, attribution, the slowest scenarios
}

// console is a text for people being written.
type console struct {
	strings.Builder
	Look
}

// writeTo writes the whole text.
func (c *console) writeTo(w io.Writer) error {
	_, err := io.WriteString(w, c.String())
	return err
}

// line writes a line at a depth; further lines of the text are indented by the same depth.
func (c *console) line(depth int, format string, args ...any) {
	indent := strings.Repeat("  ", depth)
	for line := range strings.Lines(fmt.Sprintf(format, args...) + "\n") {
		if line = strings.TrimRight(line, "\n "); line != "" {
			line = indent + line
		}
		c.WriteString(line + "\n")
	}
}

// table writes rows, whose cells are separated by tabs, in columns. They are not colored: colors would count as width.
func (c *console) table(rows string) {
	table := tabwriter.NewWriter(c, 0, 0, 2, ' ', 0)
	_, _ = io.WriteString(table, rows) // to memory
	_ = table.Flush()
}

// color is an SGR parameter (ECMA-48).
type color int

const (
	plain  color = 0
	red    color = 31
	green  color = 32
	yellow color = 33
)

func (c *console) colored(color color, s string) string {
	if !c.Color || color == plain {
		return s
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", color, s)
}

func (c *console) outcome(outcome verify.Outcome) string {
	switch outcome {
	case verify.Passed:
		return c.colored(green, string(outcome))
	case verify.Failed, verify.NotPrepared, verify.Fixed, verify.Errored:
		return c.colored(red, string(outcome))
	}
	return c.colored(yellow, string(outcome))
}
