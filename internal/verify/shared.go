package verify

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

// ErrNoTrace is returned if scenarios were to run concurrently on one target that does not pass the trace of a request
// on to its storage calls: those then cannot be attributed.
var ErrNoTrace = errors.New("the server does not pass traceparent on to all of its storage calls, so that those of " +
	"concurrent requests cannot be told apart")

// sharedTarget is the single target, namespace and environment of several lanes. A scenario that needs exclusive access
// runs on the first lane, after a reset, while no other scenario runs; before the other scenarios nothing is cleaned.
type sharedTarget struct {
	first   *lane.Lane
	company *scenario.Company
	alone   sync.RWMutex
	nobody  int        // calls that belonged to no request before the first scenario
	given   *lane.Lane // of the scenario that has the first lane; guarded by alone
}

// openShared starts one lane, checks whether several scenarios can use its target at once, and creates count lanes
// with it. The errors are those of openLanes, *NoCallsError and ErrNoTrace.
func openShared(ctx context.Context, maker *lane.Maker, vocabulary *scenario.Vocabulary, count int) (*lanes, error) {
	pool, err := openLanes(ctx, maker, 1)
	if err != nil {
		return nil, err
	}
	first := <-pool.free
	found, err := first.PassesTrace(ctx)
	switch {
	case err != nil:
	case found.ByTrace+found.ByLane == 0:
		err = noCalls(first, nil)
	case found.ByLane > 0:
		err = ErrNoTrace
	default:
		err = first.Renew(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, pool.close(context.WithoutCancel(ctx)))
	}
	pool.shared = &sharedTarget{first: first, company: vocabulary.Company(maker.System.Shared),
		nobody: first.Attributed().Nobody}
	pool.free = make(chan *lane.Lane, count)
	for range count {
		lane := first.Beside()
		pool.all = append(pool.all, lane)
		pool.free <- lane
	}
	return pool, nil
}

// enter returns the lane for a scenario that was given lane: the first one, once no other is in use, or lane itself.
func (s *sharedTarget) enter(lane *lane.Lane, pickle *godog.Scenario) *lane.Lane {
	if !s.company.Alone(pickle) {
		s.alone.RLock()
		return lane
	}
	s.alone.Lock()
	s.given = lane
	return s.first
}

// leave ends what enter began and returns the lane that the scenario was given.
func (s *sharedTarget) leave(lane *lane.Lane) *lane.Lane {
	if lane != s.first {
		s.alone.RUnlock()
		return lane
	}
	lane.Quieten()
	lane = s.given
	s.alone.Unlock()
	return lane
}

// untraced returns ErrNoTrace if calls were seen that belong to no request: any of the scenarios in progress may have
// caused them.
func (p *lanes) untraced() error {
	if p.shared == nil {
		return nil
	}
	if n := p.shared.first.Attributed().Nobody - p.shared.nobody; n > 0 {
		return fmt.Errorf("%w: %d carried the trace of no request", ErrNoTrace, n)
	}
	return nil
}
