package command

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/source"
)

// The exit statuses.
const (
	StatusHolds       = 0
	StatusBroken      = 1   // a rule is broken
	StatusUsage       = 2   // the command, or a feature file, was not understood
	StatusUnusable    = 3   // the server or the store could not be used
	StatusInterrupted = 130 // what a shell reports of a program that SIGINT ended
	StatusGone        = 141 // and of one that SIGPIPE ended
)

// StatusError ends the program with a status when everything has been reported already.
type StatusError int

func (s StatusError) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// Ended returns the error of a command that has nothing more to report; nil when all is well.
func Ended(status int) error {
	if status == StatusHolds {
		return nil
	}
	return StatusError(status)
}

// UsageError reports a command line that was not understood.
type UsageError struct{ Message, Hint string }

func (e *UsageError) Error() string { return e.Message }

// Misused returns a usage error with a hint on how to fix it; hint may be "".
func Misused(message, hint string) *UsageError { return &UsageError{message, hint} }

// Hint returns the hint of a usage error; "" for any other.
func Hint(err error) string {
	if misused, ok := errors.AsType[*UsageError](err); ok {
		return misused.Hint
	}
	return ""
}

// UnknownName returns the error for a name that is not in known, with the closest one as a hint.
func UnknownName(kind, name string, known []string) *UsageError {
	e := Misused(fmt.Sprintf("unknown %s %q", kind, name), "")
	switch likely := source.Nearest(name, known); {
	case likely != "":
		e.Hint = fmt.Sprintf("did you mean %s?", likely)
	case len(known) <= 10:
		e.Hint = fmt.Sprintf("known: %s", strings.Join(known, ", "))
	}
	return e
}

// Explain writes an error and, unless it is "", a hint on how to fix it.
func Explain(w io.Writer, err error, hint string) {
	fmt.Fprintf(w, "storespec: %s\n", strings.TrimRight(err.Error(), "\n"))
	if hint != "" {
		fmt.Fprintf(w, "hint: %s\n", hint)
	}
}

// Usage returns how a command is used, for a user whose arguments were not understood.
func Usage(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " --help lists commands and flags"
	}
	return cmd.UseLine() + "; see --help"
}
