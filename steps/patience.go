package steps

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// enough is how many requests in a row a target may leave without an answer before it is given up: one or two may be
// what a scenario is about.
const enough = 3

// UnresponsiveError says that a target goes on running and answers nothing, so that nothing can be said of its rules.
type UnresponsiveError struct {
	Target string
	Last   string        // the last of these requests, without its query
	Within time.Duration // how long each answer was waited for
	Output string        // what the target wrote, without secrets, if that is known
}

func (e *UnresponsiveError) Error() string {
	text := fmt.Sprintf("target %s stopped answering: %d requests in a row, the last of them %s, had no answer within %s", e.Target, enough, e.Last, e.Within)
	if e.Output != "" {
		text += "\nIt wrote:\n" + e.Output
	}
	return text
}

// patience counts a lane's requests without an answer, across scenarios. Its zero value is ready.
type patience struct {
	mu    sync.Mutex
	count int
	last  time.Time // when the last one was given up
}

func (p *patience) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count = 0
}

// unanswered notes a request that was given up, and reports whether those are enough. Requests that were under way at
// the same moment count as one.
func (p *patience) unanswered(began time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if began.Before(p.last) {
		return p.count >= enough
	}
	p.count, p.last = p.count+1, time.Now()
	return p.count >= enough
}

// unanswered is the error of a request whose answer did not come, or not whole: err, or *UnresponsiveError when that
// happened too often. A target that waits for a storage call the scenario has broken is not at its end.
func (w *World) unanswered(e *exchange, err error) error {
	late := net.Error(nil)
	if !errors.As(err, &late) || !late.Timeout() || slices.ContainsFunc(e.calls(), func(c wire.Call) bool { return c.Status == 0 }) {
		return err
	}
	if !w.lane.patience.unanswered(e.start) {
		return err
	}
	path, _, _ := strings.Cut(e.path, "?")
	return &UnresponsiveError{
		Target: w.lane.maker.Target.String(), Last: w.Scrub(e.method + " " + path), Within: w.active().client.Timeout, Output: w.Scrub(w.active().Target.Output()),
	}
}
