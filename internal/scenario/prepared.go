package scenario

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/storespec/storespec/internal/scenario/cause"
	"github.com/storespec/storespec/internal/wire"
)

// Unprepared explains why a step of a scenario failed, if the reason may be in the steps that only prepare it: one of
// their requests was refused, and no step expects that. step is the one that sent it, and the error a
// *PreparationError. Otherwise both are empty.
//
// prepares is how many of the scenario's steps prepare it. A failure of what they did is one of the rule itself if no
// other request was sent after them, and so is one that rests on storage calls.
func (w *World) Unprepared(prepares int, failed string, err error) (step string, _ error) {
	preparing := func(e *RoundTrip) bool { return e.step < prepares }
	after := func(e *RoundTrip) bool { return !preparing(e) }
	if _, rests := restsOn(err); rests || !slices.ContainsFunc(w.sent(), after) {
		return "", nil
	}
	for _, e := range w.Requests.exchanges {
		if preparing(e) && e.Status >= http.StatusBadRequest && !e.expected && !e.hindered() {
			code, _ := e.JSON(e.System.ErrorCode).(string)
			reason := fmt.Errorf("%s answered %s, which no step expects%s%q: %s", e, Answered(e.Status, code),
				cause.Later, failed, err.Error())
			return w.Stage.pickle.Steps[e.step].Text, &PreparationError{e.Blame(reason)}
		}
	}
	return "", nil
}

// hindered reports whether a storage call of the request had no answer, or one that says that the store is broken. The
// gateway answers so where a scenario asks for it.
func (e *RoundTrip) hindered() bool {
	return slices.ContainsFunc(e.Calls(), func(c wire.Call) bool {
		return c.Status == 0 || c.Status >= http.StatusInternalServerError
	})
}

// sent returns every request of the scenario, those of the case that reports show included.
func (w *World) sent() []*RoundTrip {
	if w.Cases.shown != nil {
		return slices.Concat(w.Requests.exchanges, w.Cases.shown.world.Requests.exchanges)
	}
	return w.Requests.exchanges
}

// expect notes that a step was satisfied with the answers to the last requests, so many or those sent together.
func (r *Requests) expect(requests int) {
	for i, e := range slices.Backward(r.exchanges) {
		last := r.exchanges[len(r.exchanges)-1]
		if i >= len(r.exchanges)-requests || e.Request.Together(last.Request) {
			e.expected = true
		}
	}
}
