package selftest

import (
	"fmt"
	"io"
	"strings"
)

// Text writes the result of a case for people: with its number, unless that is 0, and with its whole report if that is
// asked for or the result is not as expected.
func (r Result) Text(w io.Writer, number int, whole bool) error {
	var text strings.Builder
	said := "as expected"
	switch {
	case r.Skipped != "":
		said = "skipped: " + r.Skipped
	case len(r.Differs) > 0:
		said = "DIFFERS"
	}
	if number > 0 {
		fmt.Fprintf(&text, "%3d ", number)
	}
	fmt.Fprintf(&text, "%-20s %s\n", r.Name, said)
	for _, difference := range r.Differs {
		fmt.Fprintf(&text, "    %s\n", difference)
	}
	if r.Skipped == "" && (whole || len(r.Differs) > 0) {
		fmt.Fprintf(&text, "    $ %s\n", r.Command)
		for line := range strings.Lines(r.Report) {
			fmt.Fprintf(&text, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// Summary is how many cases were run, differ from what is expected, and were skipped.
type Summary struct{ Run, Differ, Skipped int }

// Sum counts results.
func Sum(results []Result) (s Summary) {
	for _, result := range results {
		switch {
		case result.Skipped != "":
			s.Skipped++
			continue
		case len(result.Differs) > 0:
			s.Differ++
		}
		s.Run++
	}
	return s
}

func (s Summary) String() string {
	text := fmt.Sprintf("%d cases, %d as expected", s.Run, s.Run-s.Differ)
	if s.Run == 1 {
		text = fmt.Sprintf("1 case, %d as expected", s.Run-s.Differ)
	}
	if s.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", s.Skipped)
	}
	return text
}
