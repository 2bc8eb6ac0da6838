package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

const (
	// stopGrace is how long a child may take to end after it was asked to. Everything it holds is
	// in memory, so nothing is lost by not waiting for requests that a test holds open.
	stopGrace = 2 * time.Second
	// killGrace is how long the kernel may take to end it then.
	killGrace = 5 * time.Second
	// tailSize is how much of a child's output is kept for an error message.
	tailSize = 8 << 10
)

// process is a child in a process group of its own.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended; err is set before
	err  error
}

// startProcess starts cmd. Where the system can do it, the child dies with this process.
func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, done: make(chan struct{})}
	ownGroup(cmd)
	// A descendant that keeps the output open must not keep Wait from returning.
	cmd.WaitDelay = time.Second
	started := make(chan error, 1)
	go func() {
		// The kernel sends the parent-death signal when the thread that started the child ends, so
		// that thread is kept for as long as the child lives (golang.org/issue/27505).
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// stop asks the child's group to end, kills it after a grace period and waits for the child. An
// ended ctx shortens the grace period to nothing.
func (p *process) stop(ctx context.Context) error {
	terminateGroup(p.cmd)
	grace := time.NewTimer(stopGrace)
	defer grace.Stop()
	select {
	case <-p.done:
	case <-grace.C:
	case <-ctx.Done():
	}
	killGroup(p.cmd) // also what the child left behind in its group
	limit := time.NewTimer(killGrace)
	defer limit.Stop()
	select {
	case <-p.done:
		return nil
	case <-limit.C:
		return fmt.Errorf("process %d has not ended %s after it was killed", p.cmd.Process.Pid, killGrace)
	}
}

// exited is an error when the child has ended.
func (p *process) exited() error {
	select {
	case <-p.done:
		if p.err == nil {
			return errors.New("process ended with status 0")
		}
		return fmt.Errorf("process ended: %w", p.err)
	default:
		return nil
	}
}

// tail is an io.Writer that keeps the last tailSize bytes and tells a reader of news.
type tail struct {
	mu   sync.Mutex
	buf  []byte
	news chan struct{} // holds one token when something was written since the last receive
}

func newTail() *tail {
	return &tail{news: make(chan struct{}, 1)}
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailSize; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	t.mu.Unlock()
	select {
	case t.news <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
