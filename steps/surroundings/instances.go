package surroundings

import (
	"context"
	"fmt"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
)

// Instances returns the steps about how the target runs: how many instances, with what environment, and with which
// connections.
func Instances() []scenario.Step {
	return []scenario.Step{
		scenario.On(`a fresh target with (\w+) "([^"]*)"`, `Given a fresh target with HISTORY_CONTAINER "history"`,
			func(ctx context.Context, names *scenario.Names, storage *scenario.Storage, name, value string) error {
				if err := names.WriteOut(&value); err != nil {
					return err
				}
				return storage.StartCold(ctx, 1,
					lane.Special{Env: func() map[string]string {
						return map[string]string{name: value}
					}})
			}),
		scenario.On(`a fresh target does not start with (\w+) "([^"]*)"`,
			`Then a fresh target does not start with ENCRYPTION_KEY "short"`, doesNotStart),
		scenario.On(`a fresh target whose connections are counted`,
			`Given a fresh target whose connections are counted`, startCounted),
		scenario.On(`the target has opened at most (\d+) connections to the store`,
			`Then the target has opened at most 2 connections to the store`, openedAtMost),
		scenario.On(`the target runs (\d+) times`, `Given the target runs 2 times`, runsTimes),
		scenario.On(`the target starts again with (\w+) "([^"]*)"`,
			`When the target starts again with LOG_LEVEL "verbose"`, startsAgainWith),
		scenario.On(`the target starts again`, `When the target starts again`, startsAgain),
	}
}

// doesNotStart starts a target with another value of a variable, which it must refuse.
func doesNotStart(ctx context.Context, names *scenario.Names, storage *scenario.Storage, name, value string) error {
	if err := names.WriteOut(&value); err != nil {
		return err
	}
	err := storage.StartCold(ctx, 1, lane.Special{Env: func() map[string]string {
		return map[string]string{name: value}
	}})
	switch {
	case err == nil:
		return fmt.Errorf("the server started with %s %q", name, value)
	case lane.NeverReady(err):
		return nil
	}
	return err
}

// startCounted gives a cold start's lane a target that uses connections for its calls: inside this process there are
// none.
func startCounted(ctx context.Context, stage *scenario.Stage, storage *scenario.Storage) error {
	maker := *stage.Lane().Maker
	maker.Sockets = true
	return storage.StartColdBy(ctx, &maker, 1, lane.Special{})
}

func openedAtMost(_ context.Context, stage *scenario.Stage, count int) error {
	if !stage.StartedCold() {
		return fmt.Errorf("the connections of this server were not counted from its start")
	}
	switch got := stage.Lane().Gate.Connections(); {
	case got == 0:
		return fmt.Errorf("the server has opened no connection to the store")
	case got > count:
		return fmt.Errorf("the server has opened %d connections to the store, more than %d", got, count)
	}
	return nil
}

// runsTimes starts instances of the target on the store. Simultaneous requests go to each of them in turn.
func runsTimes(ctx context.Context, stage *scenario.Stage, requests *scenario.Requests, count int) error {
	if !stage.Lane().Maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec cannot start this server several times", godog.ErrSkip)
	}
	requests.SpreadOver(count)
	if err := stage.Lane().StartInstances(ctx, count); err != nil {
		return err
	}
	return stage.Lane().Warm(ctx)
}

// startsAgain ends the target and starts it on the same store.
func startsAgain(ctx context.Context, stage *scenario.Stage, storage *scenario.Storage) error {
	lane := stage.Lane()
	if !lane.Maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec did not start this server and cannot restart it", godog.ErrSkip)
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	if err := lane.Target.Stop(ctx); err != nil {
		return err
	}
	return lane.Restart(ctx)
}

// startsAgainWith ends a scenario's own target and starts it on the same store with another value of a variable.
func startsAgainWith(ctx context.Context, stage *scenario.Stage, names *scenario.Names, storage *scenario.Storage,
	name, value string) error {
	if !stage.StartedCold() {
		return fmt.Errorf("only a fresh target can start again with another variable: others share this one")
	}
	if !stage.Lane().Maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec did not start this server and cannot restart it", godog.ErrSkip)
	}
	if err := names.WriteOut(&value); err != nil {
		return err
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	return stage.Lane().RestartWith(ctx, name, value)
}
