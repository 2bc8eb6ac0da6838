// Package process runs a child process that storespec has started itself and must end itself: an
// emulator, or the implementation under test.
//
// A child gets a process group of its own, so that what it started ends with it, and where the
// system allows it dies with its parent. It is ended by its own handle, never by name. The package
// never decides whether a child is ready: its user knows how to ask.
package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// grace is how long a child may take to end by itself after it was asked to: enough for a server
// that drains its requests, short enough for somebody who waits after Ctrl-C.
const grace = 5 * time.Second

// Process is a started child.
type Process struct {
	command *exec.Cmd
	output  *Tail
	done    chan struct{}
	err     error // of Wait; read only after done is closed
	stop    sync.Once
}

// Options say how a child is started.
type Options struct {
	Dir string
	// Env is the whole environment, as KEY=value. Nil means that of this process.
	Env []string
	// Stdin, Stdout and Stderr are handed to the child as they are. Without Stdin its input is empty; of what it writes
	// where nothing is given, Output has the last part.
	Stdin          *os.File
	Stdout, Stderr io.Writer
}

// Start runs argv[0], looked up in PATH, with the other elements as its arguments.
func Start(argv []string, options Options) (*Process, error) {
	if len(argv) == 0 {
		return nil, fmt.Errorf("start a process: no command was given")
	}
	p := &Process{output: &Tail{}, done: make(chan struct{})}
	p.command = exec.Command(argv[0], argv[1:]...)
	p.command.Dir = options.Dir
	p.command.Env = options.Env
	p.command.Stdout, p.command.Stderr = p.output, p.output
	if options.Stdin != nil {
		p.command.Stdin = options.Stdin // a nil file in the interface would not be nil
	}
	if options.Stdout != nil {
		p.command.Stdout = options.Stdout
	}
	if options.Stderr != nil {
		p.command.Stderr = options.Stderr
	}
	// A grandchild that kept the pipes open must not keep Wait from returning.
	p.command.WaitDelay = grace
	ownGroup(p.command)
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	go func() {
		p.err = p.command.Wait()
		close(p.done)
	}()
	return p, nil
}

// Done is closed when the child has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how the child ended, such as "exit status 1". It waits for the end.
func (p *Process) Exit() string {
	<-p.done
	if p.err != nil {
		return p.err.Error()
	}
	return "exit status 0"
}

// Status is the exit status as a shell reports it: 128 and the signal's number for a child that a signal ended. It waits
// for the end.
func (p *Process) Status() int {
	<-p.done
	if signal := endedBy(p.command.ProcessState); signal > 0 {
		return 128 + signal
	}
	return p.command.ProcessState.ExitCode()
}

// Output is the last part of what the child wrote to its standard output and standard error.
func (p *Process) Output() string { return p.output.String() }

// Tail is where the child's output is kept, for whoever reads it bit by bit.
func (p *Process) Tail() *Tail { return p.output }

// Stop asks the child to end, and ends it and its group by force when it has not after a grace of
// five seconds or when ctx is done. It returns when the child is gone. A second call does nothing.
func (p *Process) Stop(ctx context.Context) error {
	p.stop.Do(func() {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		terminate(p.command.Process)
		select {
		case <-p.done:
		case <-timer.C:
		case <-ctx.Done():
		}
		// The group may hold children of the child even when that has ended.
		kill(p.command.Process)
	})
	<-p.done
	return nil
}

// Kill ends the child and its group at once.
func (p *Process) Kill() {
	kill(p.command.Process)
	<-p.done
}

// Environ is this process's environment with the given values put over it.
func Environ(values map[string]string) []string {
	env := os.Environ()
	for name, value := range values {
		env = append(env, name+"="+value) // the last of two equal names counts
	}
	return env
}
