package scenario

import (
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/lane"
	"github.com/storespec/storespec/internal/wire"
)

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
		Target: w.lane.Maker.Target.String(), Last: w.Scrub(e.method + " " + path), Within: w.Lane().Client.Timeout,
		Output: w.Scrub(w.Lane().Target.Output()),
	}
}
