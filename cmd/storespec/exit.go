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

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/search/explore"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
)

// status returns the exit status for a command's error.
func (a *app) status(ctx context.Context, err error) int {
	var said command.StatusError
	switch {
	case err == nil:
		return command.StatusHolds
	case errors.As(err, &said):
		return int(said)
	case gone(err):
		return command.StatusGone
	case !a.started, unsaid(err) != nil, misunderstood(err):
		return command.StatusUsage
	case ctx.Err() != nil:
		return command.StatusInterrupted
	}
	return command.StatusUnusable
}

// misunderstood reports whether an argument or an input file was invalid.
func misunderstood(err error) bool {
	kinds := []any{new(*command.UsageError), new(*source.Error), new(*atomicfile.Error),
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
		fmt.Fprintf(a.Stderr, "storespec: %s\n", mistake)
	}
	if len(mistakes) > 0 && rest == nil {
		return
	} else if len(mistakes) > 0 {
		err = rest
	}
	command.Explain(a.Stderr, err, a.hint(err))
}

func (a *app) hint(err error) string {
	var usage *command.UsageError
	var start *target.StartError
	var unused *verify.NoCallsError
	var unrouted *verify.NoRoutesError
	switch {
	case errors.As(err, &usage):
		return usage.Hint
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
		return "if its routes have other names: --map FILE (storespec help verify-your-server); storespec probe " +
			"shows " +
			"which routes it has"
	case errors.As(err, &unrouted):
		return "the paths in the feature files must be those of the server"
	case errors.Is(err, verify.ErrUntrusted):
		return "with --tls the server must trust the file in NODE_EXTRA_CA_CERTS, SSL_CERT_FILE or " +
			"REQUESTS_CA_BUNDLE, whichever its runtime reads"
	case errors.Is(err, verify.ErrNoTrace):
		return "set the traceparent header of each request on every storage call it causes (storespec help " +
			"verify-your-server), or leave --parallel out"
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
