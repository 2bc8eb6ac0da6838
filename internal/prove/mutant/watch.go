package mutant

import (
	"sync"
	"time"

	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/verify"
)

// limit is how long a scenario may take on a mutant that takes so long on the unmutated server: the machine may be
// busier, but a loop without end takes longer than anything.
func limit(took time.Duration) time.Duration { return 10*time.Second + 5*took }

// watch ends a run in which a scenario does not end.
type watch struct {
	scenarios map[verify.Place]reached
	stop      func()

	mu    sync.Mutex
	timer *time.Timer
	late  *reached
}

func newWatch(batch []reached, stop func()) *watch {
	w := &watch{scenarios: byPlace(batch), stop: stop}
	w.begins(verify.Place{}) // the start of the server
	return w
}

// begins sets the time for a scenario.
func (w *watch) begins(scenario verify.Place) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	current := w.scenarios[scenario]
	w.timer = time.AfterFunc(limit(current.took), func() {
		w.mu.Lock()
		w.late = &current
		w.mu.Unlock()
		w.stop()
	})
}

// end ends the watch and returns the scenario that took too long, or nil. One without a rule is the start.
func (w *watch) end() *reached {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
	}
	return w.late
}

// started are the processes of a server.
type started struct {
	mu  sync.Mutex
	all []*target.Instance
}

func (s *started) add(one *target.Instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, one)
}

// kill kills all of them.
func (s *started) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.all {
		one.Kill()
	}
}
