// Package process runs a child process that storespec has started and must stop: an emulator, or the implementation
// under test.
//
// A child gets its own process group, so that the processes it started end with it, and where the system allows it dies
// with its parent. On Linux this process adopts those that have left the group, by setsid(1) for example, so that they
// end with the child as well. All are stopped by their own handle, never by name. The package never decides whether a
// child is ready: its caller knows how to check that.
//
// Open [Start] first; platform differences are in group_*.go, parent_*.go and orphans_*.go.
package process

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Grace is how long a child may take to exit after being asked to: long enough for a server that drains its requests,
// short enough for a user who waits after Ctrl-C.
const Grace = 5 * time.Second

// Process is a started child.
type Process struct {
	command *exec.Cmd
	mark    string // of the child and its descendants
	output  *Tail
	exited  chan struct{} // the child has; descendants may still write to its pipes
	done    chan struct{}
	err     error // of Wait; read only after done is closed
	stop    sync.Once
	ignored func(time.Duration)
}

// Options specify how a child is started.
type Options struct {
	Dir string
	// Env is the whole environment, as KEY=value. Nil means this process's environment.
	Env []string
	// Stdin, Stdout and Stderr are passed to the child unchanged. Without Stdin its input is empty; Output returns the
	// last part of what it writes to the streams that are not given.
	Stdin          *os.File
	Stdout, Stderr io.Writer
	// Ignored is called if the child is killed by Stop since it has not exited when it was asked to, with the time it
	// had; nil: it is not shown.
	Ignored func(after time.Duration)
}

// Start runs argv[0], looked up in PATH, with the other elements as its arguments.
func Start(argv []string, options Options) (*Process, error) {
	if len(argv) == 0 {
		return nil, fmt.Errorf("start a process: no command was given")
	}
	p := &Process{mark: rand.Text(), output: &Tail{}, exited: make(chan struct{}), done: make(chan struct{}),
		ignored: options.Ignored}
	p.command = exec.Command(argv[0], argv[1:]...)
	p.command.Dir = options.Dir
	p.command.Env = marked(options.Env, p.mark)
	p.command.Stdout = cmp.Or[io.Writer](options.Stdout, p.output)
	p.command.Stderr = cmp.Or[io.Writer](options.Stderr, p.output)
	if options.Stdin != nil {
		p.command.Stdin = options.Stdin // a nil file in the interface would not be nil
	}
	// A grandchild that keeps the pipes open must not keep Wait from returning.
	p.command.WaitDelay = Grace
	ownGroup(p.command)
	if err := begin(p.command); err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	go func() {
		p.err = wait(p.command, func() { close(p.exited) })
		close(p.done)
	}()
	return p, nil
}

// Done returns a channel that is closed when the child has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit describes how the child ended, such as "exit status 1". It waits for the child to end.
func (p *Process) Exit() string {
	<-p.done
	if p.err != nil {
		return p.err.Error()
	}
	return "exit status 0"
}

// Group returns the process group of the child, on Unix.
func (p *Process) Group() int { return p.command.Process.Pid }

// Status returns the exit status as a shell reports it: 128 plus the signal's number for a child ended by a signal. It
// waits for the child to end.
func (p *Process) Status() int {
	<-p.done
	if signal := endedBy(p.command.ProcessState); signal > 0 {
		return 128 + signal
	}
	return p.command.ProcessState.ExitCode()
}

// Output returns the last part of what the child wrote to its standard output and standard error.
func (p *Process) Output() string { return p.output.String() }

// Tail returns the buffer of the child's output, for callers that read it incrementally.
func (p *Process) Tail() *Tail { return p.output }

// Stop asks the child to exit, and kills it and its group if it has not exited after a grace period of five seconds or
// when ctx is done. It returns when the child is gone, and what it has started. A second call does nothing.
func (p *Process) Stop(ctx context.Context) error {
	p.stop.Do(func() {
		terminate(p.command.Process)
		over := time.After(Grace)
		select {
		case <-p.exited:
			select { // a wrapper, such as a shell, may end before the server that it started
			case <-p.done:
			case <-over:
			case <-ctx.Done():
			}
		case <-over:
			if p.ignored != nil {
				p.ignored(Grace)
			}
		case <-ctx.Done():
		}
		p.killAll()
	})
	<-p.done
	return nil
}

// Kill kills the child, and what it has started, at once.
func (p *Process) Kill() {
	p.killAll()
	<-p.done
}

// killAll kills the child and its descendants, some of which may be left after it has ended.
func (p *Process) killAll() {
	kill(p.command.Process)
	<-p.exited // what it leaves behind is adopted only then
	endOrphans(p.mark)
}
