package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/storespec/storespec/internal/store"
)

// keepState takes what the steps before the current one have left in the store, so that each case can start from it. It
// does nothing where that is not possible: the store cannot be put back, or the target would be misled by it, which
// remembers what it saw, or what waits for the next request cannot be used twice.
func (w *World) keepState() error {
	if !w.lane.maker.Proofs.Stateless || w.cold != nil || w.fault != nil || w.restore != nil {
		return nil
	}
	restore, err := w.lane.lease.Snapshot(w.ctx)
	if errors.Is(err, store.ErrNoSnapshots) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("keep the state that the cases start from: %w", err)
	}
	openai, pages := w.lane.openai.scripted(), w.lane.paging.Pages()
	w.restore = func(ctx context.Context) error {
		w.lane.openai.follow(openai)
		w.lane.paging.Set(pages)
		return restore(ctx)
	}
	return nil
}

// again is a world in the state in which the steps before the current one leave one, for one case.
func (w *World) again() (*World, error) {
	w.lane.restore()
	if w.restore == nil {
		return w.rebuilt()
	}
	if err := w.lane.refresh(w.ctx); err != nil {
		return nil, err
	}
	if err := w.restore(w.ctx); err != nil {
		return nil, fmt.Errorf("put the store back for the next case: %w", err)
	}
	return w.twin(), nil
}

// rebuilt is a world in which the steps before the current one were run once more, under fresh names: a target that
// remembers what it saw is not misled.
func (w *World) rebuilt() (*World, error) {
	if err := w.lane.Renew(w.ctx); err != nil {
		return nil, fmt.Errorf("make a lane ready for the next case: %w", err)
	}
	again := &World{}
	again.Begin(w.ctx, w.lane, w.pickle)
	again.inCase = true
	for i, step := range w.pickle.Steps[:w.at] {
		again.at = i
		if err := w.vocabulary().run(step, again); err != nil {
			return nil, errors.Join(fmt.Errorf("run %q once more: %w", step.Text, err), again.leave(context.WithoutCancel(w.ctx)))
		}
	}
	again.at = w.at
	return again, nil
}

// twin is a world that knows what this one does, and learns on its own from now on.
func (w *World) twin() *World {
	twin := &World{
		ctx: w.ctx, lane: w.lane, pickle: w.pickle, at: w.at, tag: w.tag, inCase: true,
		people: map[string]*person{}, kept: maps.Clone(w.kept), routes: w.routes,
	}
	for name, p := range w.people {
		own := *p
		twin.people[name] = &own
	}
	return twin
}
