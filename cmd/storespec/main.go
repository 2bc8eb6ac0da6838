// Command storespec says which rules of a storage design a server keeps. See README.md.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/storespec/storespec/reference/actions"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program, with its exit status as the result.
func run(args []string, stdout, stderr io.Writer) int {
	a := &app{stdout: stdout, stderr: stderr, getenv: os.Getenv}
	ctx, stop := a.untilSignal(context.Background())
	defer stop()
	// A reader that goes away makes a write fail, so that what was begun is ended; without this it would end the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	actions.SilenceCache() // a Redis that is down is told by the server's log
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
