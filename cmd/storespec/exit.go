package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
)

// The exit statuses.
const (
	statusHolds       = 0
	statusBroken      = 1   // a rule is broken
	statusUsage       = 2   // the command, or a feature file, was not understood
	statusUnusable    = 3   // the server or the store could not be used
	statusInterrupted = 130 // what a shell reports of a program that SIGINT ended
	statusGone        = 141 // and of one that SIGPIPE ended
)

// statusError ends the program with a status when everything has been reported already.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// ended returns the error of a command that has nothing more to report; nil when all is well.
func ended(status int) error {
	if status == statusHolds {
		return nil
	}
	return statusError(status)
}

// usageError reports a command line that was not understood.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

// unknownName returns the error for a name that is not in known, with the closest one as a hint.
func unknownName(kind, name string, known []string) error {
	e := &usageError{message: fmt.Sprintf("unknown %s %q", kind, name)}
	switch likely := source.Nearest(name, known); {
	case likely != "":
		e.hint = fmt.Sprintf("did you mean %s?", likely)
	case len(known) <= 10:
		e.hint = fmt.Sprintf("known: %s", strings.Join(known, ", "))
	}
	return e
}

// status returns the exit status for a command's error.
func (a *app) status(ctx context.Context, err error) int {
	var said statusError
	switch {
	case err == nil:
		return statusHolds
	case errors.As(err, &said):
		return int(said)
	case gone(err):
		return statusGone
	case !a.started, unsaid(err) != nil, misunderstood(err):
		return statusUsage
	case ctx.Err() != nil:
		return statusInterrupted
	}
	return statusUnusable
}

// misunderstood reports whether an argument or an input file was invalid.
func misunderstood(err error) bool {
	kinds := []any{new(*usageError), new(*source.Error), new(*atomicfile.Error),
		new(*events.FileError), new(*events.Error), new(*events.MergeError),
		new(*explore.CorpusError), new(*explore.UnknownRouteError)}
	return errors.Is(err, verify.ErrNothingSelected) ||
		slices.ContainsFunc(kinds, func(kind any) bool { return errors.As(err, kind) })
}

// unsaid returns why standard output or error could not be written; nil when that is not what failed.
func unsaid(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok &&
		(failed.Path == os.Stdout.Name() || failed.Path == os.Stderr.Name()) {
		return failed.Err
	}
	return nil
}

// gone reports whether a write failed because its reader has closed the pipe, as head does.
func gone(err error) bool { return errors.Is(unsaid(err), syscall.EPIPE) }

// explain writes the error and, if there is one, a hint on how to fix it. Mistakes in files are written one by one.
func (a *app) explain(err error) {
	mistakes, rest := source.All(err)
	for _, mistake := range mistakes {
		fmt.Fprintf(a.stderr, "storespec: %s\n", mistake)
	}
	if len(mistakes) > 0 && rest == nil {
		return
	} else if len(mistakes) > 0 {
		err = rest
	}
	fmt.Fprintf(a.stderr, "storespec: %s\n", strings.TrimRight(err.Error(), "\n"))
	if hint := a.hint(err); hint != "" {
		fmt.Fprintf(a.stderr, "hint: %s\n", hint)
	}
}

// usage returns how a command is used, for somebody whose arguments were not understood.
func usage(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " --help lists commands and flags"
	}
	return cmd.UseLine() + "; see --help"
}

func (a *app) hint(err error) string {
	var usage *usageError
	var start *target.StartError
	var unused *verify.NoCallsError
	var unrouted *verify.NoRoutesError
	switch {
	case errors.As(err, &usage):
		return usage.hint
	case errors.As(err, new(*events.FileError)):
		return "verify --report DIR writes one as DIR/" + streamName
	case !a.started:
		return a.usage
	case errors.Is(err, verify.ErrNothingSelected):
		return "storespec rules lists every rule and its scenarios"
	case errors.As(err, &unused) && unused.PlainHTTP != "":
		return "--tls serves the store over https"
	case errors.As(err, &unused):
		return fmt.Sprintf("the server must use %s exactly as given, endpoints included (--env renames the variable), "+
			"and accept requests (--header adds a key)", strings.Join(unused.Variables, " or "))
	case errors.As(err, &unrouted) && unrouted.Contract:
		return "if its routes have other names: --map FILE (storespec help fit-your-server); storespec probe shows " +
			"which routes it has"
	case errors.As(err, &unrouted):
		return "the paths in the feature files must be those of the server"
	case errors.Is(err, verify.ErrUntrusted):
		return "with --tls the server must trust the file in NODE_EXTRA_CA_CERTS, SSL_CERT_FILE or " +
			"REQUESTS_CA_BUNDLE, whichever its runtime reads"
	case errors.Is(err, verify.ErrNoTrace):
		return "set the traceparent header of each request on every storage call it causes (storespec help " +
			"validate-your-server), or leave --parallel out"
	case errors.As(err, &start) && strings.HasPrefix(start.Reason, "start "):
		return "the command after -- is looked up in PATH; a program in this directory is ./server"
	case errors.As(err, &start) && strings.Contains(start.Reason, "it answered 404"):
		return "the server does not have that health route: --ready PATH names its own, as ready in system.yaml does"
	case errors.As(err, &start):
		return "a server is ready when GET on its health route, or on --ready PATH, answers 200 at the port in PORT"
	case errors.Is(err, syscall.EADDRINUSE):
		return "something else is listening there, such as an emulator or another run"
	case errors.Is(err, store.ErrUnavailable):
		return "stores: " + strings.Join(storeNames(), ", ") +
			" (--store NAME); storespec help stores says what each needs"
	}
	return ""
}
