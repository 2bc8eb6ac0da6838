package trace

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/storespec/storespec/internal/host/process"
	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// Options specify what is followed, and how.
type Options struct {
	Account *store.Lease // whose calls are followed
	// Given is the connection string by which the program knows the account. If a variable of storespec's own
	// environment contains it, the program gets one that points to the gateway instead.
	Given string
	// Variables are set for the command, each to the value of a placeholder of the store.
	Variables map[string]string
	// Command is the program, in which {placeholder} stands for a value of the store; empty: the user starts it,
	// and it is followed until the context ends.
	Command []string
	Fitting lane.Fitting // Places, Trust and Env are used
	Rules   Rules
	Show    Reporter

	// The command's own streams.
	Stdin          *os.File // nil: empty
	Stdout, Stderr io.Writer
}

// Reporter shows what is followed. Its methods are called one after another.
type Reporter interface {
	// Ready shows what to start the program with, if the user starts it.
	Ready(values map[string]string) error
	// Call shows a call that has ended; each attempt of an SDK is a separate call. Its error ends the run.
	Call(wire.Call) error
	// Summary ends the report. It also returns the error of a call that could not be shown.
	Summary(Summary) error
}

// Result is the result of a run.
type Result struct {
	Summary
	// Status is the command's exit status as a shell reports it; 0 without a command.
	Status int
}

// Run follows the storage calls of a program until the program ends, or until ctx ends or a call cannot be shown; it
// then stops the program. There is a summary in either case. The error says that the gateway could not be opened, the
// command could not be started, or the report could not be written.
func Run(ctx context.Context, o Options) (result Result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	recorder := wire.NewRecorder()
	add, end := show(o.Show.Call, cancel)
	recorder.Listen(add)
	gate, err := wire.NewGateway(recorder, o.Account.Upstream(), o.Fitting.Gateway())
	if err != nil {
		end()
		return Result{}, err
	}
	result.Status, err = o.follow(ctx, o.Account.Values(gate.Endpoints()))
	err = errors.Join(err, gate.Close())
	end()
	if err != nil {
		return result, err
	}
	result.Summary = Summarize(recorder.Calls(), o.Rules)
	return result, o.Show.Summary(result.Summary)
}

// follow waits for the end of the program, or of ctx.
func (o *Options) follow(ctx context.Context, values map[string]string) (status int, err error) {
	if len(o.Command) == 0 {
		if err := o.Show.Ready(values); err != nil {
			return 0, err
		}
		<-ctx.Done()
		return 0, nil
	}
	child, err := process.Start(filledIn(o.Command, values), process.Options{
		Env:   process.Environ(o.environment(os.Environ(), values)),
		Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr,
	})
	if err != nil {
		return 0, err
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
	}
	err = child.Stop(context.WithoutCancel(ctx)) // also stops any processes the command left behind
	return child.Status(), err
}

// showBehind is how many calls may wait to be shown before the program is made to wait.
const showBehind = 4096

// show shows calls in a separate goroutine, so that the program does not wait for a terminal. failed is called for each
// call that could not be shown. end returns when all calls have been shown; none may be added afterwards.
func show(each func(wire.Call) error, failed func()) (add func(wire.Call), end func()) {
	calls, done := make(chan wire.Call, showBehind), make(chan struct{})
	go func() {
		defer close(done)
		for call := range calls {
			if each(call) != nil {
				failed()
			}
		}
	}()
	add = func(call wire.Call) { calls <- call }
	end = func() {
		close(calls)
		<-done
	}
	return add, end
}
