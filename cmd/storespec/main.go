// Command storespec says which rules of a storage design a server keeps. See README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/storespec/storespec/reference/actions"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program, with its exit status as the result.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := untilSignal(context.Background(), stderr)
	defer stop()
	// A reader that goes away makes a write fail, so that what was begun is ended; without this it would end the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	actions.SilenceCache() // a Redis that is down is told by the server's log
	a := &app{stdout: stdout, stderr: stderr, getenv: os.Getenv}
	root := a.root()
	root.SetArgs(args)
	asked, err := root.ExecuteContextC(ctx)
	a.usage = usage(asked)
	status := a.status(ctx, err)
	if said := statusError(0); err != nil && !errors.As(err, &said) && !gone(err) {
		a.explain(err)
	}
	return status
}

// endings are the signals that ask a program to end: by Ctrl-C, by another program, by a terminal that closes unless nohup said
// that this does not matter.
func endings() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}

// oneSignal is how long signals count as one: coreutils' timeout, and a terminal that closes, send
// theirs to the process and to its group.
const oneSignal = 500 * time.Millisecond

// untilSignal gives a context that ends with the first of these signals, so that what was started
// can be ended and what is known be said. The next one ends the program at once, as the system does.
func untilSignal(parent context.Context, stderr io.Writer) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(parent, endings()...)
	detach := context.AfterFunc(ctx, func() {
		fmt.Fprintln(stderr, "storespec: stopping; once more ends it at once")
		time.AfterFunc(oneSignal, stop)
	})
	return ctx, func() { detach(); stop() }
}
