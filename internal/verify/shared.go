package verify

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/steps"
)

// ErrNoTrace is returned when scenarios were to run at the same time on one target that does not pass the trace of a
// request on to its storage calls: then nobody can tell whose they are.
var ErrNoTrace = errors.New("the server does not pass traceparent on to all of its storage calls, so that those of concurrent requests cannot be told apart")

// sharedTarget is the one target, namespace and surroundings of several lanes. A scenario that needs them to itself runs
// on the first lane, made as good as new, while no other scenario does; nothing is cleaned before the others.
type sharedTarget struct {
	first   *steps.Lane
	company *steps.Company
	alone   sync.RWMutex
	nobody  int         // calls of no request before the first scenario
	given   *steps.Lane // of the scenario that has the first one; guarded by alone
}

// openShared starts one lane, finds out whether its target can be asked by several scenarios at once, and makes count
// lanes beside it. The errors are those of openLanes, ErrNoCalls and ErrNoTrace.
func openShared(ctx context.Context, maker *steps.LaneMaker, count int) (*lanes, error) {
	pool, err := openLanes(ctx, maker, 1)
	if err != nil {
		return nil, err
	}
	first := <-pool.free
	found, err := first.PassesTrace(ctx)
	switch {
	case err != nil:
	case found.ByTrace+found.ByLane == 0:
		err = ErrNoCalls
	case found.ByLane > 0:
		err = ErrNoTrace
	}
	if err != nil {
		return nil, errors.Join(err, pool.close(context.WithoutCancel(ctx)))
	}
	if err := first.Renew(ctx); err != nil {
		return nil, errors.Join(err, pool.close(context.WithoutCancel(ctx)))
	}
	pool.shared = &sharedTarget{first: first, company: steps.NewCompany(maker.System.Shared), nobody: first.Attributed().Nobody}
	pool.free = make(chan *steps.Lane, count)
	for range count {
		lane := first.Beside()
		pool.all = append(pool.all, lane)
		pool.free <- lane
	}
	return pool, nil
}

// enter gives the lane on which a scenario runs that got the given one: the first one, once no other is in use, or that.
func (s *sharedTarget) enter(lane *steps.Lane, pickle *godog.Scenario) *steps.Lane {
	if !s.company.Alone(pickle) {
		s.alone.RLock()
		return lane
	}
	s.alone.Lock()
	s.given = lane
	return s.first
}

// leave ends what enter began and gives the lane that the scenario had got.
func (s *sharedTarget) leave(lane *steps.Lane) *steps.Lane {
	if lane != s.first {
		s.alone.RUnlock()
		return lane
	}
	lane.Quieten()
	lane = s.given
	s.alone.Unlock()
	return lane
}

// untraced is ErrNoTrace when calls were seen that belong to no request: each of the scenarios under way may have caused
// them.
func (p *lanes) untraced() error {
	if p.shared == nil {
		return nil
	}
	if n := p.shared.first.Attributed().Nobody - p.shared.nobody; n > 0 {
		return fmt.Errorf("%w: %d carried the trace of no request", ErrNoTrace, n)
	}
	return nil
}
