package cases

import (
	"fmt"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/scenario"
)

// tally counts the cases of a family, so that whoever watches the run sees them go by.
type tally struct {
	kind  string // fault or order
	of    string // what is sent
	most  bool   // total is only the largest possible number
	meter *waiting.Meter

	mu          sync.Mutex
	total, done int // total is 0 until it is known
}

// faultsOf returns the tally of the faults of a request.
func faultsOf(w *scenario.World, r Request) *tally {
	return &tally{kind: "fault", of: r.Method + " " + r.Path, meter: w.Stage.Suite().Cases}
}

// known notes how many cases there are.
func (t *tally) known(total int) {
	t.mu.Lock()
	t.total = total
	t.mu.Unlock()
	t.meter.Begin(total) // unlocked: an estimate writes, and what is written asks describe
}

// one notes that a case has taken so long.
func (t *tally) one(took time.Duration) {
	t.mu.Lock()
	t.done++
	t.mu.Unlock()
	t.meter.Done(took)
}

// end notes that no other case is run.
func (t *tally) end() {
	t.mu.Lock()
	total, done := t.total, t.done
	t.mu.Unlock()
	if total > 0 {
		t.meter.End(max(total-done, 0))
	}
}

// describe says how far the family is, such as "faults: 12 of 25 of POST /api/x".
func (t *tally) describe(time.Duration) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.total == 0:
		return ""
	case t.most:
		return fmt.Sprintf("%ss: %d of at most %d of %s", t.kind, t.done, t.total, t.of)
	}
	return fmt.Sprintf("%ss: %d of %d of %s", t.kind, t.done, t.total, t.of)
}
