package verify

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/wire"
)

// lanes is a pool of lanes: a scenario takes one in its turn and returns it.
type lanes struct {
	all   []*lane.Lane
	free  chan *lane.Lane
	turns queue
	// shared is what lanes that share one target have in common; nil if each has its own.
	shared *sharedTarget
}

// openLanes opens the lanes of the run. Only those that have a target each can be lent.
func (r *run) openLanes(ctx context.Context, maker *lane.Maker) (err error) {
	if r.options.Lanes > 1 && !r.options.Target.Restartable() {
		r.lanes, err = openShared(ctx, maker, r.suite.Vocabulary, r.options.Lanes)
	} else {
		r.suite.Lend = r.lend
		r.lanes, err = openLanes(ctx, maker, r.options.Lanes)
	}
	if err == nil {
		r.lanes.turns.free = r.options.Lanes
	}
	return err
}

// openLanes starts count lanes concurrently. If one cannot be started, the others are closed: one failed start gives
// one error message.
func openLanes(ctx context.Context, maker *lane.Maker, count int) (*lanes, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type made struct {
		lane *lane.Lane
		err  error
	}
	results := make(chan made, count)
	for range count {
		go func() {
			lane, err := maker.Make(ctx, lane.Special{})
			results <- made{lane, err}
		}()
	}
	pool := &lanes{free: make(chan *lane.Lane, count)}
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

// take waits for the turn of a scenario, whose length is that of lengthOf, and for a free lane, and resets it.
func (p *lanes) take(ctx context.Context, pickle *godog.Scenario, length int) (*lane.Lane, error) {
	if err := p.turns.enter(ctx, length); err != nil {
		return nil, err
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

func (p *lanes) give(lane *lane.Lane) {
	if p.shared != nil {
		lane = p.shared.leave(lane)
	}
	p.free <- lane
	p.turns.leave()
}

// lend returns a lane that no scenario is using, for one case of another lane's scenario, and a function that returns
// it; nil if all are in use.
func (r *run) lend() (l *lane.Lane, giveBack func()) {
	select {
	case l = <-r.lanes.free:
	default:
		return nil, nil
	}
	r.account(l, nil)
	before := l.Recorder.Attributed().TooLate
	return l, func() {
		r.mu.Lock()
		r.disturbed += l.Recorder.Attributed().TooLate - before
		r.strays[l.Recorder] = strays{count: l.Recorder.Strays(), disturbed: true}
		r.mu.Unlock()
		r.lanes.free <- l
	}
}

// ended returns a target that has ended by itself, or nil.
func (p *lanes) ended() *target.Instance {
	for _, lane := range p.all {
		if lane.Target.Exited() {
			return lane.Target
		}
	}
	return nil
}

// processes returns a lane for each process of the target.
func (p *lanes) processes() []*lane.Lane {
	if p.shared != nil {
		return []*lane.Lane{p.shared.first}
	}
	return p.all
}

// attributed returns how the storage calls of all lanes were attributed.
func (p *lanes) attributed() (total wire.Attribution) {
	for _, lane := range p.all {
		total = total.Plus(lane.Attributed())
	}
	return total
}

func (p *lanes) close(ctx context.Context) error {
	errs := make([]error, len(p.all))
	var all sync.WaitGroup
	for i, lane := range p.all { // at once: a target may take seconds to end
		all.Go(func() { errs[i] = lane.Close(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}
