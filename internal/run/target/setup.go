package target

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/host/process"
)

// SetupWithin is the time limit for a set-up: migrating an empty account takes seconds, even on a runtime that compiles
// first.
const SetupWithin = 2 * time.Minute

// SetupError says why a set-up command failed. The command is not repeated: it may contain a secret.
type SetupError struct {
	Reason string
	Output string // the last part of its output
}

func (e *SetupError) Error() string {
	return WithOutput("the command of --setup failed: "+e.Reason, e.Output)
}

// Setup runs a shell command line (sh -c; on Windows cmd /c) in a directory, "" for storespec's own, and waits for it
// to end. It gets storespec's own environment without the variables named by unset, overridden by env. The error is a
// *SetupError, also if the command exits with a status other than 0 or takes too long.
func Setup(ctx context.Context, directory, line string, env map[string]string, unset ...string) error {
	shell := []string{"sh", "-c", line}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c", line}
	}
	child, err := process.Start(shell, process.Options{Env: process.Environ(env, unset...), Dir: directory})
	if err != nil {
		return &SetupError{Reason: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, SetupWithin)
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
