package steps

import (
	"errors"
	"fmt"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

func serviceSteps() []Step {
	return []Step{
		{`a fresh target on an account that was never used`, `Given a fresh target on an account that was never used`,
			func(w *World) any { return func() error { return w.coldStart(1) } }},
		{`two fresh targets on an account that was never used`, `Given two fresh targets on an account that was never used`,
			func(w *World) any { return func() error { return w.coldStart(2) } }},
		{`the target starts again while storage is down`, `Given the target starts again while storage is down`,
			func(w *World) any { return w.startsWhileDown }},
		{`no table was created twice`, `Then no table was created twice`,
			func(w *World) any { return w.noTableCreatedTwice }},
		{`storage is down`, `Given storage is down`,
			func(w *World) any { return func() error { w.active().setDown(true); return nil } }},
		{`storage is back`, `When storage is back`,
			func(w *World) any { return func() error { w.active().setDown(false); return nil } }},
		{`the store answers queries in pages of ([1-9]\d*) rows?`, `Given the store answers queries in pages of 2 rows`,
			func(w *World) any { return func(rows int) error { return w.pages(wire.Pages{Rows: rows}) } }},
		{`the store answers queries in pages of ([1-9]\d*) rows?, with an empty page before each`,
			`Given the store answers queries in pages of 1 row, with an empty page before each`,
			func(w *World) any {
				return func(rows int) error { return w.pages(wire.Pages{Rows: rows, Empty: true}) }
			}},
		{`OpenAI answers "([^"]*)" with (\d+) tokens in and (\d+) out`, `Given OpenAI answers "Lunch at noon." with 30 tokens in and 7 out`,
			func(w *World) any {
				return func(reply string, in, out int) error { w.active().openai.replies(200, reply, in, out); return nil }
			}},
		{`OpenAI fails with (\d+)`, `Given OpenAI fails with 500`,
			func(w *World) any {
				return func(status int) error { w.active().openai.replies(status, "", 0, 0); return nil }
			}},
		{`OpenAI answers what is no completion`, `Given OpenAI answers what is no completion`,
			func(w *World) any { return func() error { w.active().openai.spoil(incomplete); return nil } }},
		{`OpenAI takes (\d+) milliseconds to answer`, `Given OpenAI takes 500 milliseconds to answer`,
			func(w *World) any {
				return func(milliseconds int) error {
					w.active().openai.slowDown(time.Duration(milliseconds) * time.Millisecond)
					return nil
				}
			}},
		{`OpenAI hangs up`, `Given OpenAI hangs up`,
			func(w *World) any { return func() error { w.active().openai.spoil(hangsUp); return nil } }},
		{`OpenAI was asked (\d+) times?`, `Then OpenAI was asked 1 time`,
			func(w *World) any { return w.openAIAsked }},
		{`no key or blob name on the wire holds an e-mail`, `Then no key or blob name on the wire holds an e-mail`,
			func(w *World) any { return func() error { return w.noKeyHolds(EMail()) } }},
	}
}

// coldStart moves the scenario to a lane of its own whose account has no table and no container.
func (w *World) coldStart(instances int) error { return w.startCold(instances, nil) }

// startCold is coldStart with more in the target's environment.
func (w *World) startCold(instances int, more map[string]string) error {
	return w.startColdBy(w.lane.maker, instances, more)
}

func (w *World) startColdBy(maker *LaneMaker, instances int, more map[string]string) error {
	if !w.lane.maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec did not start this target and cannot start it anew", godog.ErrSkip)
	}
	if w.lane.maker.Places.taken() {
		return fmt.Errorf("%w: a second lane cannot have the addresses of the first", godog.ErrSkip)
	}
	cold, err := maker.Make(w.ctx, true, more)
	if errors.Is(err, store.ErrNeverCold) {
		return fmt.Errorf("%w: the store %s has no account that was never used", godog.ErrSkip, w.lane.maker.Store.Name())
	}
	if err != nil {
		return err
	}
	w.cold = cold
	return cold.startInstances(w.ctx, instances)
}

// startsWhileDown gives a cold start's lane a process that could not create anything when it began.
func (w *World) startsWhileDown() error {
	if w.cold == nil {
		return fmt.Errorf("only a fresh target can start again")
	}
	w.cold.setDown(true)
	if err := w.cold.Target.Stop(w.ctx); err != nil {
		return err
	}
	started, err := w.cold.maker.start(w.ctx, w.cold, w.cold.gate)
	if err != nil {
		// It has started before: this is the scenario's outcome, not trouble with the target.
		return fmt.Errorf("the target does not start while storage is down: %s", err.Error())
	}
	w.cold.Target = started
	return w.settle()
}

// pages makes the store's answers to the target's queries short, until the scenario ends.
func (w *World) pages(short wire.Pages) error {
	w.active().paging.Set(short)
	return nil
}

func (w *World) noTableCreatedTwice() error {
	if err := w.settle(); err != nil {
		return err
	}
	created := map[string]int{}
	for _, call := range w.active().Recorder.Calls() {
		if call.Class != wire.CreateTable {
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

func (w *World) openAIAsked(times int) error {
	if got := w.active().openai.calls(); got != times {
		return fmt.Errorf("OpenAI was asked %d times, not %d", got, times)
	}
	return nil
}
