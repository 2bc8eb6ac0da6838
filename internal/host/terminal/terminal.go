// Package terminal knows how people see a stream of output: whether it is a terminal, how wide that is, and whether it
// has colors. It draws the status line of a run.
//
// It knows nothing of rules and scenarios: callers give it the text to show. Open [NewStatus] first.
package terminal

import (
	"errors"
	"os"
	"slices"
)

// usualColumns is the width of a terminal that does not say how wide it is, as on a serial line.
const usualColumns = 80

// Columns returns how many columns a terminal has now. is is false if the stream is not a terminal.
func Columns(stream any) (columns int, is bool) {
	file, ok := stream.(*os.File)
	if !ok {
		return 0, false
	}
	columns, is = columnsOf(file)
	if is && columns == 0 {
		columns = usualColumns
	}
	return columns, is
}

// Colors says when text has colors.
type Colors string

// What --color takes. With Auto a terminal has colors, unless NO_COLOR or TERM=dumb forbids it, and any other stream
// has some only if CLICOLOR_FORCE demands it (no-color.org, bixense.com/clicolors).
const (
	Auto   Colors = "auto"
	Always Colors = "always"
	Never  Colors = "never"
)

// ParseColors reads the value of --color.
func ParseColors(text string) (Colors, error) {
	if c := Colors(text); slices.Contains([]Colors{Auto, Always, Never}, c) {
		return c, nil
	}
	return "", errors.New("want auto, always or never")
}

// On reports whether text on a stream has colors. The zero value is Auto.
func (c Colors) On(stream any, getenv func(string) string) bool {
	switch c {
	case Always:
		return true
	case Never:
		return false
	}
	if getenv("NO_COLOR") != "" {
		return false
	}
	if forced := getenv("CLICOLOR_FORCE"); forced != "" && forced != "0" {
		return true
	}
	_, is := Columns(stream)
	return is && getenv("TERM") != "dumb"
}
