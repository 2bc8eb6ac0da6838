package cases

import (
	"time"

	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/scenario"
)

// explain notes, until end is called, why a request has no answer yet if one of these faults is the reason.
func explain(w *scenario.World, faults ...*Fault) (end func()) {
	return w.Stage.Lane().Maker.Waits.Begin(waiting.Reason, func(time.Duration) string {
		for _, f := range faults {
			if text := f.silence(time.Now()); text != "" {
				return text
			}
		}
		return ""
	})
}

// silence says why the request of a fault has no answer yet: its SDK waits before it tries again, or the call that is
// to fail has no answer on purpose. It is "" if the fault is not the reason.
func (f *Fault) silence(now time.Time) string {
	if f == nil || !f.mu.TryLock() { // it decides about a call at this moment
		return ""
	}
	hit, over := f.hit, f.over
	f.mu.Unlock()
	if hit == "" || over {
		return ""
	}
	switch paused, held := f.between.pause(now); {
	case paused >= waiting.Notable:
		return "the server's SDK waits before it repeats a storage call that failed on purpose, " +
			waiting.Of(paused, 0)
	case held >= waiting.Notable:
		return "a storage call has no answer on purpose, " + waiting.Of(held, 0)
	}
	return ""
}
