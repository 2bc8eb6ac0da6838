package steps

import (
	"fmt"

	"github.com/cucumber/godog"
)

// surroundingSteps are about how the target runs: how often, with what in its environment, and what it has open.
func surroundingSteps() []Step {
	return []Step{
		{`a fresh target with (\w+) "([^"]*)"`, `Given a fresh target with HISTORY_CONTAINER "history"`,
			func(w *World) any {
				return func(name, value string) error {
					if err := w.writeOut(&value); err != nil {
						return err
					}
					return w.startCold(1, map[string]string{name: value})
				}
			}},
		{`a fresh target whose connections are counted`, `Given a fresh target whose connections are counted`,
			func(w *World) any { return w.startCounted }},
		{`the target has opened at most (\d+) connections to the store`, `Then the target has opened at most 2 connections to the store`,
			func(w *World) any { return w.openedAtMost }},
		{`the target runs (\d+) times`, `Given the target runs 2 times`,
			func(w *World) any { return w.runsTimes }},
		{`the target starts again`, `When the target starts again`,
			func(w *World) any { return w.startsAgain }},
	}
}

// startCounted gives a cold start's lane a target whose calls come on connections: in this process there are none.
func (w *World) startCounted() error {
	maker := *w.lane.maker
	maker.sockets = true
	return w.startColdBy(&maker, 1, nil)
}

func (w *World) openedAtMost(count int) error {
	if w.cold == nil {
		return fmt.Errorf("the connections of this target were not counted from its start")
	}
	switch got := w.cold.gate.Connections(); {
	case got == 0:
		return fmt.Errorf("the target has opened no connection to the store")
	case got > count:
		return fmt.Errorf("the target has opened %d connections to the store, more than %d", got, count)
	}
	return nil
}

// runsTimes starts instances of the target on the store. What is sent at once goes to each of them in turn.
func (w *World) runsTimes(count int) error {
	if !w.lane.maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec cannot start this target several times", godog.ErrSkip)
	}
	w.spread = count
	if err := w.active().startInstances(w.ctx, count); err != nil {
		return err
	}
	return w.active().warm(w.ctx)
}

// startsAgain ends the target and starts it on the same store.
func (w *World) startsAgain() error {
	lane := w.active()
	if !lane.maker.Target.Restartable() {
		return fmt.Errorf("%w: storespec did not start this target and cannot start it anew", godog.ErrSkip)
	}
	if err := w.settle(); err != nil {
		return err
	}
	if err := lane.Target.Stop(w.ctx); err != nil {
		return err
	}
	started, err := lane.maker.start(w.ctx, lane, lane.gate)
	if err != nil {
		return err
	}
	lane.Target = started
	return nil
}
