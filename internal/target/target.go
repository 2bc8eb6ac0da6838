// Package target starts the implementation under test: the reference server in this process, a
// command, or a server that already runs.
//
// A target knows nothing of the harness. It gets ordinary environment variables (a port, connection
// strings) and is ready when its health route answers 200. The package never looks at what a target
// answers otherwise, nor at its storage.
//
// Start reading at Target; the three kinds are in reference.go, command.go and url.go.
package target

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storespec/storespec/internal/process"
)

// readyWithin bounds the wait for a target's health route: a runtime that compiles at its first
// start takes tens of seconds on a small CI machine, a dead one is noticed at once.
const readyWithin = 60 * time.Second

// Target is an implementation that can be started, once per lane and again where a scenario needs a
// fresh process.
type Target interface {
	// String says what is tested, for reports: "reference", "node server.js", a URL.
	String() string
	// Start gives a running instance whose health route answers. The error is a *StartError.
	Start(ctx context.Context, launch Launch) (*Instance, error)
	// Restartable reports whether Start gives a new process each time.
	Restartable() bool
}

// Launch is what a target is started with.
type Launch struct {
	// Env is what the implementation gets that listens at a port, beside PORT.
	Env    func(port string) map[string]string
	Ready  string      // path of its health route
	Header http.Header // for each request that asks whether it is ready
}

// Instance is a running target.
type Instance struct {
	URL    string // such as http://127.0.0.1:40123, without a slash at the end
	output *process.Tail
	exited <-chan struct{}
	exit   func() string // how it ended; nil where that is not known
	stop   func(context.Context) error
	kill   func() // nil where storespec has no process to end
}

// Output is what the target wrote to its standard output and error, the last part of it; empty
// where that is not known.
func (i *Instance) Output() string {
	if i.output == nil {
		return ""
	}
	return i.output.String()
}

// OutputSince is what the target wrote after a mark, as far as it is kept, and the mark of now. The
// first mark is 0. known is false where storespec cannot see what the target writes.
func (i *Instance) OutputSince(mark int64) (text string, now int64, known bool) {
	if i.output == nil {
		return "", 0, false
	}
	text, now = i.output.Since(mark)
	return text, now, true
}

// Exited reports whether the target has ended by itself.
func (i *Instance) Exited() bool {
	select {
	case <-i.exited: // a nil channel is never ready
		return true
	default:
		return false
	}
}

// Exit says how the target ended, such as "exit status 1", or nothing where that is not known. It waits for the end.
func (i *Instance) Exit() string {
	if i.exit == nil {
		return ""
	}
	return i.exit()
}

// Stop ends the instance and waits for its end. A target that storespec did not start goes on.
func (i *Instance) Stop(ctx context.Context) error {
	if i.stop == nil {
		return nil
	}
	return i.stop(ctx)
}

// Kill ends the process of the instance at once, and waits for its end. An instance in this process, or one that storespec
// did not start, goes on.
func (i *Instance) Kill() {
	if i.kill != nil {
		i.kill()
	}
}

// StartError says why a target could not be used.
type StartError struct {
	Target string
	Reason string
	Output string // what the target wrote, if that is known
}

func (e *StartError) Error() string {
	text := fmt.Sprintf("target %s: %s", e.Target, e.Reason)
	if e.Output != "" {
		text += "\nIt wrote:\n" + e.Output
	}
	return text
}

// errExited is what awaitReady returns when the target ended while it was waited for.
var errExited = errors.New("it ended")

// awaitReady asks the health route of the target at base until it answers 200. It gives up when exited is
// closed, when ctx is done, or after readyWithin.
func (l Launch) awaitReady(ctx context.Context, base string, exited <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	url := base + l.Ready
	client := &http.Client{Timeout: 5 * time.Second, Transport: WithHeader(l.Header, &http.Transport{DisableKeepAlives: true})}
	last := errors.New("it was not asked")
	// Doubling from 2 ms finds a fast server at once and does not load a slow machine.
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
			last = errors.Join(fmt.Errorf("it answered %d", answer.StatusCode), answer.Body.Close())
		case ctx.Err() == nil:
			last = err
		}
		select {
		case <-exited:
			return errExited
		case <-ctx.Done():
			return fmt.Errorf("GET %s was not answered with 200 in time: %w", url, last)
		case <-time.After(pause):
		}
	}
}
