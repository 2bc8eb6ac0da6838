package scenario

import "fmt"

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

// Misused returns a *MisuseError.
func Misused(format string, args ...any) error { return &MisuseError{fmt.Sprintf(format, args...)} }

// tooFew is the error of a step that judges more requests than were sent.
func tooFew(sent, needed int) error {
	if sent == 0 {
		return Misused("no request was sent before this step")
	}
	return Misused("fewer than %d requests were sent before this step", needed)
}
