package target

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/host/port"
	"github.com/storespec/storespec/internal/host/process"
	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/run/waiting"
)

const (
	// starts is how often a command is started when its port was taken before it bound it: each time another port, so
	// that a server which says so of an address of its own is not started on and on.
	starts = 3
	// doubted is how long a command must go on once its port is answered by a process that it did not start: longer
	// than one that has found the port taken needs to end. Docker answers for a container, and any program may have
	// taken the port.
	doubted = 500 * time.Millisecond
)

// Command is a target that storespec starts as a child process. It gets PORT, the environment of the contract, and
// otherwise storespec's own environment. If another process takes the port first, it is started again at another.
func Command(argv []string) Target { return CommandIn("", argv) }

// CommandIn is Command with the directory that the child is started in; "" is storespec's own.
func CommandIn(directory string, argv []string) Target { return command{argv, directory} }

type command struct {
	argv      []string
	directory string
}

func (c command) String() string    { return strings.Join(shell.Masked(c.argv), " ") }
func (c command) Restartable() bool { return true }

func (c command) Start(ctx context.Context, launch Launch) (*Instance, error) {
	var taken []string
	for {
		reserved, err := port.Reserve()
		if err != nil {
			return nil, &StartError{Target: c.String(), Reason: err.Error()}
		}
		instance, failed := c.startAt(ctx, launch, reserved)
		if failed == nil {
			return instance, nil
		}
		if !failed.taken || ctx.Err() != nil {
			return nil, failed
		}
		if taken = append(taken, strconv.Itoa(reserved.Number)); len(taken) == starts {
			failed.Reason += fmt.Sprintf("; its port was taken at each of %d starts: %s", starts,
				strings.Join(taken, ", "))
			return nil, failed
		}
	}
}

// startAt starts the command at a port, which it keeps reserved until the child ends.
func (c command) startAt(ctx context.Context, launch Launch, reserved *port.Reservation) (*Instance, *StartError) {
	values := map[string]string{"PORT": strconv.Itoa(reserved.Number)}
	maps.Copy(values, launch.Env(values["PORT"]))
	child, err := process.Start(c.argv, process.Options{Env: process.Environ(values, launch.Unset...),
		Dir: c.directory, Ignored: launch.Ignored})
	if err != nil {
		reserved.Release()
		return nil, &StartError{Target: c.String(), Reason: shell.MaskedText(err.Error())} // names the program
	}
	go func() {
		<-child.Done()
		reserved.Release()
	}()
	url := "http://" + reserved.Address()
	listens := func() []int {
		ports, _ := port.Listening(child.Group())
		return ports
	}
	if err = launch.awaitReady(ctx, url, child.Done(), listens); err == nil {
		err = answers(ctx, child, reserved)
	}
	if err == nil {
		return &Instance{URL: url, output: child.Tail(), exited: child.Done(), exit: child.Exit,
			stop: func(ctx context.Context) error { return launch.stop(ctx, child) }, kill: child.Kill}, nil
	}
	reason := "never became ready: " + err.Error()
	if errors.Is(err, errExited) {
		reason = "ended before it was ready: " + child.Exit()
	}
	child.Kill()
	output := strings.TrimSpace(child.Output())
	taken := errors.Is(err, errForeign) || errors.Is(err, errExited) && (port.InUse(output) || !reserved.Free())
	return nil, &StartError{Target: c.String(), Reason: reason, Output: output, taken: taken}
}

// stop ends a child.
func (l Launch) stop(ctx context.Context, child *process.Process) error {
	defer l.Waits.Begin(waiting.Reason, func(lasted time.Duration) string {
		if left := process.Grace - lasted; left > 0 {
			return fmt.Sprintf("the server has not exited since SIGTERM; it is killed in %d s",
				int((left + time.Second - 1).Seconds()))
		}
		return "the server was killed, since it had not exited after SIGTERM"
	})()
	return child.Stop(ctx)
}

// errForeign is what answers returns for a child that runs, and has said that its port is taken.
var errForeign = errors.New("another process answers at its port")

// answers returns nil if it was the child that answered at its port. Where the system does not say who listens there,
// it takes the child's word: a server without its port ends, or says that it was taken.
func answers(ctx context.Context, child *process.Process, reserved *port.Reservation) error {
	own, known := port.Owner(reserved.Number, child.Group())
	if own {
		return nil
	}
	wait := time.Duration(0)
	if known {
		wait = doubted
	}
	select {
	case <-child.Done():
		return errExited
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
	}
	if port.InUse(child.Output()) {
		return errForeign
	}
	return nil
}
