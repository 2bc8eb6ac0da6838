package target

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/process"
)

// setupWithin bounds a set-up: a migration of an empty account takes seconds, also on a runtime that compiles first.
const setupWithin = 2 * time.Minute

// SetupError says why a set-up command did not do its work. The command is not repeated: it may hold a secret.
type SetupError struct {
	Reason string
	Output string // the last part of what it wrote
}

func (e *SetupError) Error() string {
	text := "the command of --setup failed: " + e.Reason
	if e.Output != "" {
		text += "\nIt wrote:\n" + e.Output
	}
	return text
}

// Setup runs a line of the shell (sh -c; on Windows cmd /c) and waits for its end. env is put over storespec's own
// environment. The error is a *SetupError, also when the line ends with another status than 0 or takes too long.
func Setup(ctx context.Context, line string, env map[string]string) error {
	shell := []string{"sh", "-c", line}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c", line}
	}
	child, err := process.Start(shell, process.Options{Env: process.Environ(env)})
	if err != nil {
		return &SetupError{Reason: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, setupWithin)
	defer cancel()
	select {
	case <-child.Done():
	case <-ctx.Done():
		child.Kill()
		return &SetupError{Reason: "did not end: " + ctx.Err().Error(), Output: strings.TrimSpace(child.Output())}
	}
	if exit := child.Exit(); exit != "exit status 0" {
		return &SetupError{Reason: exit, Output: strings.TrimSpace(child.Output())}
	}
	return nil
}
