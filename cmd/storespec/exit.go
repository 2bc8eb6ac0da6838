package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/yamldoc"
)

// The exit statuses.
const (
	statusHolds       = 0
	statusBroken      = 1   // a rule is broken
	statusUsage       = 2   // the command, or a feature file, was not understood
	statusUnusable    = 3   // the target or the store could not be used
	statusInterrupted = 130 // what a shell reports of a program that SIGINT ended
	statusGone        = 141 // and of one that SIGPIPE ended
)

// statusError ends the program with a status when everything was said already.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// usageError is a command that was not understood.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

// unknownName is the error for a name that is none of known, with the likeliest one as a hint.
func unknownName(kind, name string, known []string) error {
	e := &usageError{message: fmt.Sprintf("unknown %s %q", kind, name)}
	switch likely := closest(name, known); {
	case likely != "":
		e.hint = fmt.Sprintf("did you mean %s?", likely)
	case len(known) <= 10:
		e.hint = fmt.Sprintf("known: %s", strings.Join(known, ", "))
	}
	return e
}

// status is the exit status for what a command returned.
func (a *app) status(ctx context.Context, err error) int {
	var (
		said    statusError
		usage   *usageError
		feature *verify.FeatureError
		known   *yamldoc.Error
	)
	switch {
	case err == nil:
		return statusHolds
	case errors.As(err, &said):
		return int(said)
	case gone(err):
		return statusGone
	case !a.started, unsaid(err) != nil, errors.As(err, &usage), errors.As(err, &feature), errors.As(err, &known), errors.Is(err, verify.ErrNothingSelected):
		return statusUsage
	case ctx.Err() != nil:
		return statusInterrupted
	}
	return statusUnusable
}

// unsaid is why standard output or error could not be written; nil when that is not what failed.
func unsaid(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok && (failed.Path == os.Stdout.Name() || failed.Path == os.Stderr.Name()) {
		return failed.Err
	}
	return nil
}

// gone reports whether something could not be written because its reader has seen enough, as head does.
func gone(err error) bool { return errors.Is(unsaid(err), syscall.EPIPE) }

// explain writes the error and, where there is one, a hint on what to do about it.
func (a *app) explain(err error) {
	fmt.Fprintf(a.stderr, "storespec: %s\n", strings.TrimRight(err.Error(), "\n"))
	if hint := a.hint(err); hint != "" {
		fmt.Fprintf(a.stderr, "hint: %s\n", hint)
	}
}

// usage says how a command is used, to somebody whose arguments were not understood.
func usage(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " --help lists commands and flags"
	}
	return cmd.UseLine() + "; --help says more"
}

func (a *app) hint(err error) string {
	var (
		usage *usageError
		start *target.StartError
	)
	switch {
	case errors.As(err, &usage):
		return usage.hint
	case !a.started:
		return a.usage
	case errors.Is(err, verify.ErrNothingSelected):
		return "storespec rules lists every rule and its scenarios"
	case errors.Is(err, verify.ErrNoCalls):
		return "the server must use AZURE_TABLES_CONNECTION_STRING as it is given, endpoints included (--env: under another name), and let requests in (--header: with a key)"
	case errors.Is(err, verify.ErrUntrusted):
		return "with --tls the server must trust the file in NODE_EXTRA_CA_CERTS, SSL_CERT_FILE or REQUESTS_CA_BUNDLE, whichever its runtime knows"
	case errors.Is(err, verify.ErrNoTrace):
		return "set the traceparent header of each request on every storage call it causes (storespec help validate-your-server), or leave --parallel out"
	case errors.As(err, &start) && strings.HasPrefix(start.Reason, "start "):
		return "the command after -- is looked up in PATH; a program in this directory is ./server"
	case errors.As(err, &start):
		return "a server is ready when GET on its health route (--ready PATH: another) answers 200 on the port in PORT"
	case errors.Is(err, syscall.EADDRINUSE):
		return "somebody else listens there: an emulator, or another run"
	case errors.Is(err, store.ErrUnavailable):
		return "stores: " + strings.Join(store.Names(), ", ") + " (--store NAME); storespec help stores says what each needs"
	}
	return ""
}
