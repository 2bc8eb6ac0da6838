package watch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"

	"github.com/storespec/storespec/internal/process"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// Options say what is followed, and how.
type Options struct {
	Account *store.Lease // whose calls are followed
	// Given is the connection string by which the program knows the account. Where it stands in a variable of storespec's
	// own environment, the program finds there one that leads through the gateway.
	Given string
	// Command is the program; empty: somebody else starts it, and it is followed until the context ends.
	Command []string
	Fitting steps.Fitting // Places, Trust and Env are used
	Rules   Rules
	Show    Reporter

	// What the command has for its own.
	Stdin          *os.File // nil: empty
	Stdout, Stderr io.Writer
}

// Reporter shows what is followed. Its methods are called one after the other.
type Reporter interface {
	// Ready tells somebody who starts the program what to start it with.
	Ready(steps.Connections) error
	// Call shows a call that has ended; each attempt of an SDK is one. Its error ends the run.
	Call(wire.Call) error
	// Summary ends the report. Its error is also that of a call that could not be shown.
	Summary(Summary) error
}

// Result is what became of a run.
type Result struct {
	Summary
	// Status is the command's exit status as a shell reports it; 0 without a command.
	Status int
}

// Run follows the storage calls of a program until it ends, or until ctx does or a call cannot be shown; then the program is
// ended. Either way there is a summary. The error says that the gateway could not be opened, the command not be started, or the report not be written.
func Run(ctx context.Context, o Options) (result Result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	recorder := wire.NewRecorder()
	shown := show(o.Show.Call, cancel)
	recorder.Listen(shown.add)
	gate, err := wire.NewGatewayWith(recorder, map[wire.Service]http.Handler{
		wire.Table: o.Account.Upstream(wire.Table), wire.Blob: o.Account.Upstream(wire.Blob),
	}, o.Fitting.Gateway())
	if err != nil {
		shown.end()
		return Result{}, err
	}
	result.Status, err = o.follow(ctx, connections(o.Account, gate))
	err = errors.Join(err, gate.Close())
	shown.end()
	if err != nil {
		return result, err
	}
	result.Summary = Summarize(recorder.Calls(), o.Rules)
	return result, o.Show.Summary(result.Summary)
}

// follow waits for the end of the program, or of ctx.
func (o *Options) follow(ctx context.Context, c steps.Connections) (status int, err error) {
	if len(o.Command) == 0 {
		if err := o.Show.Ready(c); err != nil {
			return 0, err
		}
		<-ctx.Done()
		return 0, nil
	}
	child, err := process.Start(o.Command, process.Options{
		Env:   process.Environ(o.environment(os.Environ(), c)),
		Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr,
	})
	if err != nil {
		return 0, err
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
	}
	err = child.Stop(context.WithoutCancel(ctx)) // also what the command has left behind
	return child.Status(), err
}

// showBehind is how many calls may wait to be shown before the program is kept waiting.
const showBehind = 4096

// shower has calls shown by one goroutine, so that the program does not wait for a terminal.
type shower struct {
	calls chan wire.Call
	done  chan struct{}
}

// show begins. failed is called for each call that could not be shown.
func show(each func(wire.Call) error, failed func()) *shower {
	s := &shower{calls: make(chan wire.Call, showBehind), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for call := range s.calls {
			if each(call) != nil {
				failed()
			}
		}
	}()
	return s
}

func (s *shower) add(call wire.Call) { s.calls <- call }

// end returns when every call was shown. No call may be added any more.
func (s *shower) end() {
	close(s.calls)
	<-s.done
}
