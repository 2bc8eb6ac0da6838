package surroundings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

// Outages returns the steps that start fresh targets, take the store down and split its answers into pages.
func Outages() []scenario.Step {
	return []scenario.Step{
		scenario.On(`a fresh target on an account that was never used`,
			`Given a fresh target on an account that was never used`,
			func(ctx context.Context, storage *scenario.Storage) error {
				return storage.StartCold(ctx, 1, lane.Special{})
			}),
		scenario.On(`two fresh targets on an account that was never used`,
			`Given two fresh targets on an account that was never used`,
			func(ctx context.Context, storage *scenario.Storage) error {
				return storage.StartCold(ctx, 2, lane.Special{})
			}),
		scenario.On(`the target starts again while storage is down`,
			`Given the target starts again while storage is down`, startsWhileDown),
		scenario.On(`no table was created twice`, `Then no table was created twice`, noTableCreatedTwice),
		scenario.On(`no table was created`, `Then no table was created`, noTableCreated),
		scenario.On(`storage is down`, `Given storage is down`,
			func(_ context.Context, stage *scenario.Stage) error { stage.Lane().SetDown(true); return nil }),
		scenario.On(`storage is back`, `When storage is back`,
			func(_ context.Context, stage *scenario.Stage) error { stage.Lane().SetDown(false); return nil }),
		scenario.On(`the (\w+) service is down`, `Given the table service is down`,
			func(_ context.Context, stage *scenario.Stage, service string) error {
				return serviceIsDown(stage, service, true)
			}),
		scenario.On(`the (\w+) service is back`, `When the table service is back`,
			func(_ context.Context, stage *scenario.Stage, service string) error {
				return serviceIsDown(stage, service, false)
			}),
		scenario.On(`(\d+) milliseconds pass`, `When 200 milliseconds pass`, timePasses).Waits(),
		scenario.On(`the store answers queries in pages of ([1-9]\d*) rows?`,
			`Given the store answers queries in pages of 2 rows`,
			func(_ context.Context, stage *scenario.Stage, rows int) error {
				return pages(stage, wire.Pages{Rows: rows})
			}),
		scenario.On(`the store answers queries in pages of ([1-9]\d*) rows?, with an empty page before each`,
			`Given the store answers queries in pages of 1 row, with an empty page before each`,
			func(_ context.Context, stage *scenario.Stage, rows int) error {
				return pages(stage, wire.Pages{Rows: rows, Empty: true})
			}),
		scenario.On(`no key or blob name on the wire holds an e-mail`,
			`Then no key or blob name on the wire holds an e-mail`,
			func(ctx context.Context, storage *scenario.Storage) error {
				return storage.NoKeyHolds(ctx, scenario.EMail())
			}),
	}
}

// serviceIsDown takes one service of the store down, or brings it back; the others answer on.
func serviceIsDown(stage *scenario.Stage, service string, down bool) error {
	known := stage.Lane().Gate.Endpoints()
	if _, ok := known[wire.Service(service)]; !ok {
		return fmt.Errorf("the store has no service %q: it has %s", service,
			slices.Sorted(maps.Keys(known)))
	}
	stage.Lane().SetDown(down, wire.Service(service))
	return nil
}

// timePasses waits, for servers that do something after a while.
func timePasses(ctx context.Context, milliseconds int) error {
	timer := time.NewTimer(time.Duration(milliseconds) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// startsWhileDown gives a cold start's lane a process that could not create anything when it started.
func startsWhileDown(ctx context.Context, stage *scenario.Stage, storage *scenario.Storage) error {
	if !stage.StartedCold() {
		return fmt.Errorf("only a fresh target can start again")
	}
	lane := stage.Lane()
	lane.SetDown(true)
	if err := lane.Target.Stop(ctx); err != nil {
		return err
	}
	if err := lane.Restart(ctx); err != nil {
		// It has started before: this is the scenario's outcome, not a problem with the target.
		return fmt.Errorf("the server does not start while storage is down: %s", err.Error())
	}
	return storage.Settle(ctx)
}

// pages makes the store's answers to the target's queries short, until the scenario ends.
func pages(stage *scenario.Stage, short wire.Pages) error {
	stage.Lane().Paging.Set(short)
	return nil
}

func noTableCreated(ctx context.Context, stage *scenario.Stage, storage *scenario.Storage) error {
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	calls := stage.Lane().Recorder.Calls()
	for _, call := range calls {
		if call.Effect == wire.Provisions {
			return scenario.RestsOn(fmt.Errorf("the server sent %s", budget.Describe(call)), call)
		}
	}
	if len(calls) == 0 {
		return errors.New("no storage call was made at all")
	}
	return nil
}

func noTableCreatedTwice(ctx context.Context, stage *scenario.Stage, storage *scenario.Storage) error {
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	created := map[string]int{}
	for _, call := range stage.Lane().Recorder.Calls() {
		if call.Effect != wire.Provisions || call.Path() {
			continue
		}
		if created[call.Resource]++; created[call.Resource] > 1 {
			return fmt.Errorf("the table %s was created %d times by one process", call.Resource, created[call.Resource])
		}
	}
	if len(created) == 0 {
		return fmt.Errorf("no table was created at all")
	}
	return nil
}
