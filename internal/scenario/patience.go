package scenario

import (
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/lane"
	"github.com/storespec/storespec/internal/wire"
)

// inCrowd is how much longer a target may take for each further request that was sent at the same moment: those that
// change the same row wait for each other, and on a busy machine 50 of them take longer than one may.
const inCrowd = time.Second

// within returns how long a request may go unanswered.
func (w *World) within(recorded *wire.Request) time.Duration {
	return w.Lane().Client.Timeout + time.Duration(recorded.Crowd()-1)*inCrowd
}

// unanswered returns the error of a request whose answer did not arrive, or arrived incomplete: err, or
// *UnresponsiveError when that happened too often. A server that waits for a storage call broken by the scenario is not
// counted as unresponsive.
func (w *World) unanswered(e *RoundTrip, err error) error {
	late := net.Error(nil)
	if !errors.As(err, &late) || !late.Timeout() ||
		slices.ContainsFunc(e.Calls(), func(c wire.Call) bool { return c.Status == 0 }) {
		return err
	}
	if !w.lane.GaveUp(e.start) {
		return err
	}
	path, _, _ := strings.Cut(e.Path, "?")
	return &lane.UnresponsiveError{
		Target: w.lane.Maker.Target.String(), Last: w.Scrub(e.method + " " + path), Within: w.within(e.Request),
		Output: w.Scrub(w.Lane().Target.Output()),
	}
}
