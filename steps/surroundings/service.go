package surroundings

import (
	"context"
	"fmt"

	"github.com/storespec/storespec/internal/lane"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// Outages returns the steps that start fresh targets, take the store down and split its answers into pages.
func Outages() []scenario.Step {
	return []scenario.Step{
		scenario.On(`a fresh target on an account that was never used`,
			`Given a fresh target on an account that was never used`,
			func(ctx context.Context, w *scenario.World) error { return w.StartCold(ctx, 1, lane.Special{}) }),
		scenario.On(`two fresh targets on an account that was never used`,
			`Given two fresh targets on an account that was never used`,
			func(ctx context.Context, w *scenario.World) error { return w.StartCold(ctx, 2, lane.Special{}) }),
		scenario.On(`the target starts again while storage is down`,
			`Given the target starts again while storage is down`, startsWhileDown),
		scenario.On(`no table was created twice`, `Then no table was created twice`, noTableCreatedTwice),
		scenario.On(`storage is down`, `Given storage is down`,
			func(_ context.Context, w *scenario.World) error { w.Lane().SetDown(true); return nil }),
		scenario.On(`storage is back`, `When storage is back`,
			func(_ context.Context, w *scenario.World) error { w.Lane().SetDown(false); return nil }),
		scenario.On(`the store answers queries in pages of ([1-9]\d*) rows?`,
			`Given the store answers queries in pages of 2 rows`,
			func(_ context.Context, w *scenario.World, rows int) error { return pages(w, wire.Pages{Rows: rows}) }),
		scenario.On(`the store answers queries in pages of ([1-9]\d*) rows?, with an empty page before each`,
			`Given the store answers queries in pages of 1 row, with an empty page before each`,
			func(_ context.Context, w *scenario.World, rows int) error {
				return pages(w, wire.Pages{Rows: rows, Empty: true})
			}),
		scenario.On(`no key or blob name on the wire holds an e-mail`,
			`Then no key or blob name on the wire holds an e-mail`,
			func(ctx context.Context, w *scenario.World) error { return w.NoKeyHolds(ctx, scenario.EMail()) }),
	}
}

// startsWhileDown gives a cold start's lane a process that could not create anything when it started.
func startsWhileDown(ctx context.Context, w *scenario.World) error {
	if !w.StartedCold() {
		return fmt.Errorf("only a fresh target can start again")
	}
	lane := w.Lane()
	lane.SetDown(true)
	if err := lane.Target.Stop(ctx); err != nil {
		return err
	}
	if err := lane.Restart(ctx); err != nil {
		// It has started before: this is the scenario's outcome, not a problem with the target.
		return fmt.Errorf("the target does not start while storage is down: %s", err.Error())
	}
	return w.Settle(ctx)
}

// pages makes the store's answers to the target's queries short, until the scenario ends.
func pages(w *scenario.World, short wire.Pages) error {
	w.Lane().Paging.Set(short)
	return nil
}

func noTableCreatedTwice(ctx context.Context, w *scenario.World) error {
	if err := w.Settle(ctx); err != nil {
		return err
	}
	created := map[string]int{}
	for _, call := range w.Lane().Recorder.Calls() {
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
