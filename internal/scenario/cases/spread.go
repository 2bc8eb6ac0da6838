package cases

import (
	"context"
	"sync"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

// spread runs cases that spend their time waiting, for an SDK that backs off or for a call that hangs: on the
// scenario's own lane and, at the same time, on lanes that no scenario is using at the moment. Their results are taken
// in the order of the cases, and one that is in doubt is run again on the scenario's lane, as if they had run one after
// the other. The error says why no other case can be run.
func (f *family) spread(ctx context.Context, left []variant) error {
	s := &spreading{family: f, world: f.world, left: left, results: make([]ran, len(left))}
	for i, ok := s.next(); ok; i, ok = s.next() {
		for s.recruit(ctx) {
			continue
		}
		s.done(i, f.timed(left[i], func() ran { return here(ctx, f.world, left[i]) }))
	}
	s.helpers.Wait()
	for i, one := range s.results[:s.begun] {
		if err := f.take(ctx, left[i], f.confirmed(ctx, left[i], one)); err != nil || f.enough() {
			return err
		}
	}
	return nil
}

// spreading is the state of one spread.
type spreading struct {
	family  *family
	world   *scenario.World
	left    []variant
	helpers sync.WaitGroup

	mu      sync.Mutex
	begun   int // how many of the cases
	results []ran
	over    bool // no other case can be run
}

// next returns the index of a case that was not begun; ok is false when all have begun.
func (s *spreading) next() (i int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.begun == len(s.left) {
		return 0, false
	}
	s.begun++
	return s.begun - 1, true
}

// done stores the result of a case.
func (s *spreading) done(i int, one ran) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[i] = one
	s.over = s.over || unusable(one.err)
}

// recruit puts an idle lane to work, and reports whether there was one, and a case for it.
func (s *spreading) recruit(ctx context.Context) bool {
	borrowed, giveBack := s.world.Cases.Borrow()
	if borrowed == nil {
		return false
	}
	i, ok := s.next()
	if !ok || ctx.Err() != nil {
		giveBack()
		return false
	}
	s.helpers.Go(func() {
		for ; ok; i, ok = s.next() {
			s.done(i, s.family.timed(s.left[i], func() ran { return elsewhere(ctx, s.world, borrowed, s.left[i]) }))
			giveBack() // a scenario may be waiting for it
			if borrowed, giveBack = s.world.Cases.Borrow(); borrowed == nil {
				return
			}
		}
		giveBack()
	})
	return true
}

// elsewhere runs a case on a borrowed lane, whose log is searched at once.
func elsewhere(ctx context.Context, w *scenario.World, borrowed *lane.Lane, v variant) ran {
	again, err := w.Cases.Elsewhere(ctx, borrowed)
	if err != nil {
		return ran{err: err}
	}
	one := v.runIn(ctx, w, again)
	_ = again.Storage.Drain(ctx) // for the next scenario of the lane; it fails only when the run is over
	if leaked := again.Leaked(ctx); one.err == nil {
		one.err = leaked
	}
	return one
}
