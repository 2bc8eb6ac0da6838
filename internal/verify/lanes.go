package verify

import (
	"context"
	"errors"
	"fmt"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// lanes is a pool of lanes: a scenario takes one and gives it back.
type lanes struct {
	all  []*steps.Lane
	free chan *steps.Lane
	// shared is what lanes have in common that share one target; nil where each has its own.
	shared *sharedTarget
}

// openLanes starts count lanes at once. One that cannot be started ends the others: one failed
// start is one message.
func openLanes(ctx context.Context, maker *steps.LaneMaker, count int) (*lanes, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type made struct {
		lane *steps.Lane
		err  error
	}
	results := make(chan made, count)
	for range count {
		go func() {
			lane, err := maker.Make(ctx, false, nil)
			results <- made{lane, err}
		}()
	}
	pool := &lanes{free: make(chan *steps.Lane, count)}
	var first error
	for range count {
		result := <-results
		if result.err != nil {
			if first == nil {
				first = result.err
				cancel(first)
			}
			continue
		}
		pool.all = append(pool.all, result.lane)
		pool.free <- result.lane
	}
	if first != nil {
		return nil, errors.Join(first, pool.close(context.WithoutCancel(ctx)))
	}
	return pool, nil
}

// take waits for a free lane for a scenario and makes it as good as new.
func (p *lanes) take(ctx context.Context, pickle *godog.Scenario) (*steps.Lane, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case lane := <-p.free:
		if p.shared != nil {
			lane = p.shared.enter(lane, pickle)
		}
		if err := lane.Renew(ctx); err != nil {
			p.give(lane)
			return nil, fmt.Errorf("make a lane ready for the next scenario: %w", err)
		}
		return lane, nil
	}
}

func (p *lanes) give(lane *steps.Lane) {
	if p.shared != nil {
		lane = p.shared.leave(lane)
	}
	p.free <- lane
}

// ended is a target that has ended by itself, or nil.
func (p *lanes) ended() *target.Instance {
	for _, lane := range p.all {
		if lane.Target.Exited() {
			return lane.Target
		}
	}
	return nil
}

// attributed says how it is known whose the storage calls are that all lanes have seen.
func (p *lanes) attributed() (total wire.Attribution) {
	for _, lane := range p.all {
		total = total.Plus(lane.Attributed())
	}
	return total
}

func (p *lanes) close(ctx context.Context) error {
	var errs []error
	for _, lane := range p.all {
		errs = append(errs, lane.Close(ctx))
	}
	return errors.Join(errs...)
}
