// Package target starts the implementation under test: the reference server in this process, a command, or a server
// that is already running.
//
// A target knows nothing of the harness. It gets ordinary environment variables (a port, connection strings) and is
// ready when its health route answers 200. The package never reads any other answer of a target, nor its storage, and
// never prints.
//
// Open [Target] first; the three kinds are in reference.go, command.go and url.go. [Setup] is run once before any of
// them starts.
package target

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storespec/storespec/internal/host/process"
	"github.com/storespec/storespec/internal/run/waiting"
)

// readyWithin limits the wait for a target's health route: a runtime that compiles at its first start takes tens of
// seconds on a small CI machine, while a dead one is noticed at once.
const readyWithin = 60 * time.Second

// Target is an implementation that can be started, once per lane and again if a scenario needs a fresh process.
type Target interface {
	// String describes what is tested, for reports: "reference", "node server.js", a URL.
	String() string
	// Start returns a running instance whose health route answers. The error is a *StartError.
	Start(ctx context.Context, launch Launch) (*Instance, error)
	// Restartable reports whether each Start creates a new process.
	Restartable() bool
}

// Launch is what a target is started with.
type Launch struct {
	// Env returns the environment of an implementation that listens on a port, besides PORT.
	Env    func(port string) map[string]string
	Unset  []string      // variables of storespec's own environment that it does not get, unless Env has them
	Ready  string        // path of its health route
	Within time.Duration // how long it may take to be ready; 0: readyWithin
	Header http.Header   // for each request to the health route
	Waits  *waiting.Board
	// Ignored is called if the target is killed since it has not ended when it was asked to, with the time it had; nil:
	// it is not reported.
	Ignored func(after time.Duration)
}

// Instance is a running target.
type Instance struct {
	URL    string // such as http://127.0.0.1:40123, without a trailing slash
	output *process.Tail
	exited <-chan struct{}
	exit   func() string // how it ended; nil if unknown
	stop   func(context.Context) error
	kill   func() // nil if storespec has no process to kill
}

// Output returns the last part of what the target wrote to its standard output and error; empty if unknown.
func (i *Instance) Output() string {
	if i.output == nil {
		return ""
	}
	return i.output.String()
}

// OutputSince returns what the target wrote after a mark, as far as it was kept, and the current mark. The first mark
// is 0. known is false if storespec cannot see the target's output.
func (i *Instance) OutputSince(mark int64) (text string, now int64, known bool) {
	if i.output == nil {
		return "", 0, false
	}
	text, now = i.output.Since(mark)
	return text, now, true
}

// Written returns how much the target has written so far, as a mark for OutputSince.
func (i *Instance) Written() int64 {
	if i.output == nil {
		return 0
	}
	return i.output.Written()
}

// Visible reports whether storespec sees what the target writes.
func (i *Instance) Visible() bool { return i.output != nil }

// Lags reports whether what the target writes arrives later than its answers: through a pipe, whenever its runtime
// hands it over.
func (i *Instance) Lags() bool { return i.kill != nil }

// Exited reports whether the target has ended by itself.
func (i *Instance) Exited() bool {
	select {
	case <-i.exited: // a nil channel is never ready
		return true
	default:
		return false
	}
}

// Exit describes how the target ended, such as "exit status 1"; empty if unknown. It waits for the target to end.
func (i *Instance) Exit() string {
	if i.exit == nil {
		return ""
	}
	return i.exit()
}

// Stop stops the instance and waits for it to end. A target that storespec did not start keeps running.
func (i *Instance) Stop(ctx context.Context) error {
	if i.stop == nil {
		return nil
	}
	return i.stop(ctx)
}

// Kill kills the process of the instance at once, and waits for it to end. An instance in this process, or one that
// storespec did not start, keeps running.
func (i *Instance) Kill() {
	if i.kill != nil {
		i.kill()
	}
}

// StartError says why a target could not be used.
type StartError struct {
	Target string
	Reason string
	Output string // what the target wrote, if known
	taken  bool   // another process has its port
}

func (e *StartError) Error() string {
	return WithOutput(fmt.Sprintf("server %s: %s", e.Target, e.Reason), e.Output)
}

// WithOutput returns a text about a target, followed by what that wrote, if known.
func WithOutput(text, output string) string {
	if output == "" {
		return text
	}
	return text + "\nIt wrote:\n" + output
}

// errExited is what awaitReady returns if the target ends during the wait.
var errExited = errors.New("it ended")

// awaitReady polls the health route of the target at base until it answers 200. It gives up when exited is closed, when
// ctx is done, or when the launch says so. listens returns the ports that the target listens on; nil: not known.
func (l Launch) awaitReady(ctx context.Context, base string, exited <-chan struct{}, listens func() []int) error {
	within := cmp.Or(l.Within, readyWithin)
	url := base + l.Ready
	seen := &readiness{url: url, within: within, listens: listens}
	defer l.Waits.Begin(waiting.Reason, seen.describe)()
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-exited: // also while another program at its port does not answer
			end(errExited)
		case <-ctx.Done():
		}
	}()
	client := &http.Client{Timeout: 5 * time.Second,
		Transport: WithHeader(l.Header, &http.Transport{DialContext: Dial, DisableKeepAlives: true})}
	// Doubling from 2 ms detects a fast server at once and does not overload a slow machine.
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 250*time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		answer, err := client.Do(request)
		switch {
		case err == nil && answer.StatusCode == http.StatusOK:
			return answer.Body.Close()
		case err == nil:
			seen.note(errors.Join(fmt.Errorf("it answered %d", answer.StatusCode), answer.Body.Close()))
		case ctx.Err() == nil:
			seen.note(err)
		}
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errExited) {
				return errExited
			}
			return seen.failed()
		case <-time.After(pause):
		}
	}
}
