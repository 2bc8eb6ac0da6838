package budgets

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/wire"
)

// storageUntouched also counts calls that create tables or containers, and what earlier requests have left to be done:
// a call without a trace that the store answers between two requests is attributed to the earlier one.
func storageUntouched(ctx context.Context, storage *scenario.Storage, requests *scenario.Requests,
	e *scenario.RoundTrip) error {
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	var calls []wire.Call
	for _, sent := range requests.RoundTrips() {
		for _, call := range sent.Calls() {
			if sent == e || call.Status != 0 && sent.Outlived(call) {
				calls = append(calls, call)
			}
		}
	}
	if len(calls) > 0 {
		e.Complain(calls[0])
		return scenario.RestsOn(fmt.Errorf("there were %d storage calls of %s, the first of them %s", len(calls), e,
			budget.Describe(calls[0])), calls...)
	}
	return nil
}

func nothingWritten(ctx context.Context, storage *scenario.Storage, e *scenario.RoundTrip) error {
	calls, err := judged(ctx, storage, e)
	if err != nil {
		return err
	}
	return e.Wrote(calls)
}

// wasRead checks that an answer came from a table: budgets only say what is too much, never what is too little.
func wasRead(ctx context.Context, names *scenario.Names, storage *scenario.Storage, e *scenario.RoundTrip,
	table string) error {
	if err := names.WriteOut(&table); err != nil {
		return err
	}
	calls, err := judged(ctx, storage, e)
	if err != nil {
		return err
	}
	for _, call := range calls {
		if call.Effect == wire.Reads && !call.Continues && !call.Path() && call.Resource == table {
			return nil
		}
	}
	return fmt.Errorf("%s answered %d without reading %s", e, e.Status, table)
}

// broughtAtMost limits what the store had to send: a page may cost one call and still be cut out of a thousand rows.
func broughtAtMost(ctx context.Context, storage *scenario.Storage, e *scenario.RoundTrip, count int) error {
	calls, err := judged(ctx, storage, e)
	if err != nil {
		return err
	}
	brought := 0
	for _, call := range calls {
		brought += max(0, call.Entities)
	}
	if brought > count {
		return scenario.RestsOn(fmt.Errorf("the storage calls of %s brought %d entities, more than %d", e, brought,
			count), calls...)
	}
	return nil
}

// consumeAtMost limits what all calls of a request cost together.
func consumeAtMost(ctx context.Context, storage *scenario.Storage, e *scenario.RoundTrip, text string) error {
	most, err := capacityOf(text)
	if err != nil {
		return err
	}
	calls, err := judged(ctx, storage, e)
	if err != nil {
		return err
	}
	for _, call := range calls {
		if call.Capacity == nil && call.Succeeded() {
			return fmt.Errorf("the capacity of %s is unknown", budget.Describe(call))
		}
	}
	if units := budget.Units(calls); units > *most {
		return scenario.RestsOn(fmt.Errorf("the storage calls of %s consumed %g capacity units, more than %g", e, units,
			*most), calls...)
	}
	return nil
}

// changedEntities counts what was written, whether individually or in transactions.
func changedEntities(ctx context.Context, storage *scenario.Storage, e *scenario.RoundTrip, count int) error {
	calls, err := judged(ctx, storage, e)
	if err != nil {
		return err
	}
	changed := 0
	for _, call := range calls {
		if call.Writes() && call.Succeeded() {
			changed += max(1, written(call.Inner)) - call.Unprocessed
		}
	}
	if changed != count {
		return scenario.RestsOn(fmt.Errorf("the storage calls of %s changed %d entities, not %d", e, changed, count),
			calls...)
	}
	return nil
}

// written counts the operations of a batch that change something: others only check a condition.
func written(inner []wire.Call) (count int) {
	for _, op := range inner {
		if op.Writes() {
			count++
		}
	}
	return count
}

// noBlindWrite checks that each change of an entity, the Given steps aside, was an insert, or conditional
// on the version that was read.
func noBlindWrite(ctx context.Context, storage *scenario.Storage) error {
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	seen := false
	for _, call := range storage.Calls() {
		for _, c := range append([]wire.Call{call}, call.Inner...) {
			switch c.Guard {
			case wire.Blind:
				return scenario.RestsOn(fmt.Errorf("there was a write that says nothing of what it replaces: %s",
					budget.Describe(c)), call)
			case wire.Unguarded:
				return scenario.RestsOn(
					fmt.Errorf("there was a write that names no version: %s", budget.Describe(c)), call)
			}
			seen = seen || c.Guard == wire.Guarded
		}
	}
	if !seen {
		return fmt.Errorf("nothing was written in this scenario")
	}
	return nil
}

// startApart checks how often the last requests call a resource, by when the calls arrived: a slow machine only moves
// them further apart.
func startApart(ctx context.Context, names *scenario.Names, storage *scenario.Storage, r *scenario.Requests,
	requests int, resource string, milliseconds int) error {
	if err := names.WriteOut(&resource); err != nil {
		return err
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	sent := r.RoundTrips()
	if len(sent) < requests {
		return fmt.Errorf("only %d requests were sent, not %d", len(sent), requests)
	}
	var calls []wire.Call
	for _, e := range sent[len(sent)-requests:] {
		calls = append(calls, e.Calls()...)
	}
	calls = slices.DeleteFunc(calls, func(c wire.Call) bool { return c.Resource != resource })
	if len(calls) == 0 {
		return fmt.Errorf("there was no storage call on %s", resource)
	}
	slices.SortFunc(calls, func(a, b wire.Call) int { return a.Start.Compare(b.Start) })
	for i, call := range calls[1:] {
		apart := call.Start.Sub(calls[i].Start)
		if apart < time.Duration(milliseconds)*time.Millisecond {
			r.Complain(call)
			return scenario.RestsOn(fmt.Errorf("%s started %d milliseconds after %s", budget.Describe(call),
				apart.Milliseconds(), budget.Describe(calls[i])), calls[i], call)
		}
	}
	return nil
}

func noCallIs(ctx context.Context, names *scenario.Names, storage *scenario.Storage, requests *scenario.Requests,
	table *godog.Table) error {
	lines, err := names.Table(table, "service", "call", "on")
	if err != nil {
		return err
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	for _, line := range lines {
		forbidden := budget.Allowance{Service: wire.Service(line["service"]), Call: line["call"], On: line["on"]}
		if err := forbidden.Check(); err != nil {
			return err
		}
		for _, call := range storage.Calls() {
			if forbidden.Covers(call) {
				requests.Complain(call)
				return scenario.RestsOn(fmt.Errorf("there was a storage call that may not be: %s",
					budget.Describe(call)), call)
			}
			for _, inner := range call.Inner {
				if inner.Service = call.Service; forbidden.Covers(inner) {
					requests.Complain(call)
					return scenario.RestsOn(fmt.Errorf("there was a transaction with an operation that may not be: %s",
						budget.Describe(inner)), call)
				}
			}
		}
	}
	return nil
}
