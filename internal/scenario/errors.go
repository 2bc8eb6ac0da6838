package scenario

import (
	"fmt"
	"strings"

	"github.com/storespec/storespec/internal/source"
)

// PreparationError says that the server could not do what a scenario needs before it comes to its rule.
type PreparationError struct{ Err error }

func (e *PreparationError) Error() string { return e.Err.Error() }

func (e *PreparationError) Unwrap() error { return e.Err }

// ToolError says that a command of storespec failed that a scenario runs: the server is not to blame.
type ToolError struct{ Err error }

func (e *ToolError) Error() string { return e.Err.Error() }

func (e *ToolError) Unwrap() error { return e.Err }

// MisuseError says that a rule is written incorrectly: the server is not to blame.
type MisuseError struct{ Reason string }

func (e *MisuseError) Error() string { return e.Reason }

// CellError says what is wrong with a cell of the table below a step, both counted from 0 and the row from the header.
// Before a step runs, its place is that of the cell.
type CellError struct {
	Row, Column int
	Err         error
}

func (e *CellError) Error() string { return e.Err.Error() }

func (e *CellError) Unwrap() error { return e.Err }

// TextError says what is wrong at a place in the text of a step, counted in characters from 0.
type TextError struct {
	At  int
	Err error
}

func (e *TextError) Error() string { return e.Err.Error() }

func (e *TextError) Unwrap() error { return e.Err }

// NameError says that a placeholder stands for nothing. It wraps [ErrNoName].
type NameError struct {
	Name  string   // without braces
	Known []string // names that stand for something, as the message lists them
	meant string   // a question whether another one was meant, or ""
}

func (e *NameError) Error() string {
	return fmt.Sprintf("{%s} %s; it knows %s, and people once a step has named them%s", e.Name, ErrNoName,
		strings.Join(e.Known, ", "), e.meant)
}

func (e *NameError) Unwrap() error { return ErrNoName }

// noName is the error for a name that is not among known ones and those that every scenario knows. unsaid are
// known as well, but not listed.
func noName(name string, known []string, unsaid ...string) error {
	for _, given := range givenNames {
		known = append(known, given.name)
	}
	return &NameError{name, known, source.Meant(name, append(unsaid, known...))}
}

// Misused returns a *MisuseError.
func Misused(format string, args ...any) error { return &MisuseError{fmt.Sprintf(format, args...)} }

// tooFew is the error of a step that judges more requests than were sent.
func tooFew(sent, needed int) error {
	if sent == 0 {
		return Misused("no request was sent before this step")
	}
	return Misused("fewer than %d requests were sent before this step", needed)
}
