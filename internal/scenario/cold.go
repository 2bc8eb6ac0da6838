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
func (w *World) StartCold(ctx context.Context, instances int, more lane.Special) error {
	return w.StartColdBy(ctx, w.lane.Maker, instances, more)
}

// StartColdBy is StartCold with lanes from another maker. It skips the scenario (godog.ErrSkip) if storespec did not
// start the target, if a second lane has no place of its own, or if the store has no unused account.
func (w *World) StartColdBy(ctx context.Context, maker *lane.Maker, instances int, more lane.Special) error {
	if !w.lane.Maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec did not start this server and cannot restart it", godog.ErrSkip)
	}
	if w.lane.Maker.Places.Taken() {
		return fmt.Errorf("%w: a second lane cannot have the addresses of the first", godog.ErrSkip)
	}
	more.Cold = true
	cold, err := maker.Make(ctx, more)
	if errors.Is(err, store.ErrNeverCold) {
		return fmt.Errorf("%w: the store %s has no account that was never used", godog.ErrSkip,
			w.lane.Maker.Store.Name())
	}
	if err != nil {
		return err
	}
	w.cold = cold
	if w.careful {
		careful(cold.Recorder)
	}
	return cold.StartInstances(ctx, instances)
}

// BeyondStore returns an error that skips the scenario if the target has made a call that the service can do and the
// store cannot: what came of it says nothing of the target. It must be called before Finish.
func (w *World) BeyondStore() error {
	for _, call := range w.Lane().Recorder.Calls() {
		if why := w.Lane().Lease.Beyond(call); why != "" {
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
