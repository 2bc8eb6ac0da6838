package scenario

import (
	"context"
	"errors"
	"fmt"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/store"
)

// StartCold moves the scenario to a lane of its own whose account has no tables or containers, and which may be special
// in other ways too.
func (s *Storage) StartCold(ctx context.Context, instances int, more lane.Special) error {
	return s.StartColdBy(ctx, s.stage.lane.Maker, instances, more)
}

// StartColdBy is StartCold with lanes from another maker. It skips the scenario (godog.ErrSkip) if storespec did not
// start the target, if a second lane has no place of its own, or if the store has no unused account.
func (s *Storage) StartColdBy(ctx context.Context, maker *lane.Maker, instances int, more lane.Special) error {
	if !s.stage.lane.Maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec did not start this server and cannot restart it", godog.ErrSkip)
	}
	if s.stage.lane.Maker.Places.Taken() {
		return fmt.Errorf("%w: a second lane cannot have the addresses of the first", godog.ErrSkip)
	}
	more.Cold = true
	cold, err := maker.Make(ctx, more)
	if errors.Is(err, store.ErrNeverCold) {
		return fmt.Errorf("%w: the store %s has no account that was never used", godog.ErrSkip,
			s.stage.lane.Maker.Store.Name())
	}
	if err != nil {
		return err
	}
	s.stage.cold = cold
	if s.careful {
		careful(cold.Recorder)
	}
	return cold.StartInstances(ctx, instances)
}

// BeyondStore returns an error that skips the scenario if the target has made a call that the service can do and the
// store cannot: what came of it says nothing of the target. It must be called before Finish.
func (s *Storage) BeyondStore() error {
	for _, call := range s.stage.Lane().Recorder.Calls() {
		if why := s.stage.Lane().Lease.Beyond(call); why != "" {
			return fmt.Errorf("%w: %s", godog.ErrSkip, why)
		}
	}
	return nil
}

// SkipFor returns an error as the reason to skip the scenario if it is the cause that says so.
func SkipFor(err, cause error) error {
	if errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", godog.ErrSkip, err)
	}
	return err
}
