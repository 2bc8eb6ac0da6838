package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/storespec/storespec/internal/host/command"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program; it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	a := &app{Env: command.Env{Stdout: stdout, Stderr: stderr, LookupEnv: os.LookupEnv, Program: true}}
	ctx, stop := a.untilSignal(context.Background())
	defer stop()
	// If the reader goes away, a write fails and the program shuts down properly; without this the signal would kill
	// it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	root := a.root()
	root.SetArgs(args)
	asked, err := root.ExecuteContextC(ctx)
	a.usage = command.Usage(asked)
	status := a.status(ctx, err)
	if said := command.StatusError(0); err != nil && !errors.As(err, &said) && !gone(err) {
		a.explain(err)
	}
	return status
}
