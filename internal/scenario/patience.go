package scenario

import (
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/wire"
)

// inCrowd is how much longer a target may take for each further request that was sent at the same moment: those that
// change the same row wait for each other, and on a busy machine 50 of them take longer than one may.
const inCrowd = time.Second

// within returns how long the target may take to answer a request.
func (r *Requests) within(recorded *wire.Request) time.Duration {
	return r.stage.Lane().Maker.Answers() + crowded(recorded)
}

// crowded is how much longer a request may take because of those that were sent with it.
func crowded(recorded *wire.Request) time.Duration {
	return time.Duration(recorded.Crowd()-1) * inCrowd
}

// awaiting notes that the run waits for the answer to a request, which it names without secrets.
func (r *Requests) awaiting(e *RoundTrip) (end func()) {
	what, within := r.withoutQuery(e), r.within(e.Request)
	return r.stage.Lane().Maker.Waits.Begin(waiting.Answer, func(lasted time.Duration) string {
		return "waiting for the answer to " + what + ", " + waiting.Of(lasted, within)
	})
}

// withoutQuery returns the method and path of a request for a message, without secrets: a query is left out, since it
// may hold anything.
func (r *Requests) withoutQuery(e *RoundTrip) string {
	path, _, _ := strings.Cut(e.Path, "?")
	return r.hide(e.method + " " + path)
}

// unanswered returns the error of a request whose answer did not arrive, or arrived incomplete: err, or
// *UnresponsiveError when that happened too often. A server that waits for a storage call broken by the scenario is not
// counted as unresponsive.
func (r *Requests) unanswered(e *RoundTrip, err error) error {
	late := net.Error(nil)
	if !errors.As(err, &late) || !late.Timeout() ||
		slices.ContainsFunc(e.Calls(), func(c wire.Call) bool { return c.Status == 0 }) {
		return err
	}
	if !r.stage.lane.GaveUp(e.start) {
		return err
	}
	return &lane.UnresponsiveError{
		Target: r.stage.lane.Maker.Target.String(), Last: r.withoutQuery(e), Within: r.within(e.Request),
		Output: r.hide(r.stage.Lane().Target.Output()),
	}
}
