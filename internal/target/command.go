package target

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"strconv"
	"strings"

	"github.com/storespec/storespec/internal/process"
	"github.com/storespec/storespec/internal/shell"
)

// Command is a target that storespec starts as a child process. It gets PORT, the environment of the contract, and
// otherwise storespec's own environment.
func Command(argv []string) Target { return command(argv) }

type command []string

func (c command) String() string    { return strings.Join(shell.Masked(c), " ") }
func (c command) Restartable() bool { return true }

func (c command) Start(ctx context.Context, launch Launch) (*Instance, error) {
	port, err := freePort()
	if err != nil {
		return nil, &StartError{Target: c.String(), Reason: err.Error()}
	}
	values := map[string]string{"PORT": strconv.Itoa(port)}
	maps.Copy(values, launch.Env(values["PORT"]))
	child, err := process.Start(c, process.Options{Env: process.Environ(values), Ignored: launch.Ignored})
	if err != nil {
		return nil, &StartError{Target: c.String(), Reason: shell.MaskedText(err.Error())} // names the program
	}
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	if err = launch.awaitReady(ctx, url, child.Done()); err == nil {
		return &Instance{URL: url, output: child.Tail(), exited: child.Done(), exit: child.Exit, stop: child.Stop,
			kill: child.Kill}, nil
	}
	reason := "never became ready: " + err.Error()
	if errors.Is(err, errExited) {
		reason = "ended before it was ready: " + child.Exit()
	}
	child.Kill()
	return nil, &StartError{Target: c.String(), Reason: reason, Output: strings.TrimSpace(child.Output())}
}

// freePort finds a loopback port that nobody listens on. The child binds it a moment later; the kernel hands out other
// ports in between, so a collision is unlikely, and shows up as a failed start.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}
