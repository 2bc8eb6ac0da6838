package steps

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/wire"
)

// Describe is a storage call in a line: what it was made to, its keys and its answer.
func Describe(c wire.Call) string {
	text := wire.Told(c.Service, string(c.Class), Place(c)) + ": "
	if c.Status == 0 {
		text += "no answer"
	} else {
		text += strconv.Itoa(c.Status)
	}
	if c.Attempts > 1 {
		text += fmt.Sprintf(" after %d attempts", c.Attempts)
	}
	text += brought(c)
	if c.Late {
		text += ", late: after the answer"
	}
	return text
}

// DescribeInner is the operations of a transaction, each in a line.
func DescribeInner(c wire.Call) []string {
	lines := make([]string, len(c.Inner))
	for i, op := range c.Inner {
		lines[i] = Describe(op)
		if c.Status != 0 && op.Status == 0 { // the store answers the operation that made it fail, and none of the others
			lines[i] = wire.Told(op.Service, string(op.Class), Place(op)) + ": not done"
		}
	}
	return lines
}

// brought is what a query has found, where that is known.
func brought(c wire.Call) string {
	switch c.Class {
	case wire.PartitionQuery, wire.PartitionRange, wire.TableScan, wire.Page, wire.List:
	default:
		return ""
	}
	if c.Entities == wire.EntitiesUnknown || c.Status < 200 || c.Status >= 300 {
		return ""
	}
	text := fmt.Sprintf(", %d found", c.Entities)
	if c.More {
		text += ", more to come"
	}
	return text
}

// Place is the resource of a call and what it names there: a blob, keys, a filter or a prefix.
func Place(c wire.Call) string {
	where := c.Resource
	switch {
	case c.Blob != "":
		where += "/" + c.Blob
	case c.Row != "":
		where += " " + c.Partition + " / " + c.Row
	case c.Partition != "":
		where += " " + c.Partition
	case c.Filter != "":
		where += " where " + c.Filter
	case c.Prefix != "":
		where += " under " + c.Prefix
	}
	return where
}

// storageUntouched counts what provisions too.
func (w *World) storageUntouched() error {
	e, _, err := w.judged()
	if err != nil {
		return err
	}
	if calls := e.calls(); len(calls) > 0 {
		e.complain(calls[0])
		return fmt.Errorf("there were %d storage calls of %s, the first of them %s", len(calls), e, Describe(calls[0]))
	}
	return nil
}

func (w *World) nothingWritten() error {
	e, calls, err := w.judged()
	if err != nil {
		return err
	}
	return e.wrote(calls)
}

// wasRead holds an answer to have come from a table: budgets say what is too much, never what is too little.
func (w *World) wasRead(table string) error {
	if err := w.writeOut(&table); err != nil {
		return err
	}
	e, calls, err := w.judged()
	if err != nil {
		return err
	}
	for _, call := range calls {
		switch call.Class {
		case wire.PointRead, wire.PartitionQuery, wire.PartitionRange, wire.TableScan:
			if call.Resource == table {
				return nil
			}
		}
	}
	return fmt.Errorf("%s answered %d without reading %s", e, e.status, table)
}

// broughtAtMost bounds what the store had to send: a page may cost one call and still be cut out of a thousand rows.
func (w *World) broughtAtMost(count int) error {
	e, calls, err := w.judged()
	if err != nil {
		return err
	}
	brought := 0
	for _, call := range calls {
		brought += max(0, call.Entities)
	}
	if brought > count {
		return fmt.Errorf("the storage calls of %s brought %d entities, more than %d", e, brought, count)
	}
	return nil
}

// changedEntities counts what was written, whether alone or in transactions.
func (w *World) changedEntities(count int) error {
	e, calls, err := w.judged()
	if err != nil {
		return err
	}
	changed := 0
	for _, call := range calls {
		if !call.Writes() || !call.Succeeded() {
			continue
		}
		changed += max(1, len(call.Inner))
	}
	if changed != count {
		return fmt.Errorf("the storage calls of %s changed %d entities, not %d", e, changed, count)
	}
	return nil
}

// noBlindWrite holds when each change of an entity was an insert, or was bound to the version that was read.
func (w *World) noBlindWrite() error {
	if err := w.settle(); err != nil {
		return err
	}
	seen := false
	for _, call := range w.active().Recorder.Calls() {
		for _, c := range append([]wire.Call{call}, call.Inner...) {
			switch c.Class {
			case wire.Upsert:
				return fmt.Errorf("there was a write that says nothing of what it replaces: %s", Describe(c))
			case wire.Update, wire.Merge, wire.Delete:
				if c.Conditional == "" || strings.HasSuffix(c.Conditional, "*") {
					return fmt.Errorf("there was a write under no ETag: %s", Describe(c))
				}
			case wire.Insert:
			default:
				continue
			}
			seen = true
		}
	}
	if !seen {
		return fmt.Errorf("nothing was written in this scenario")
	}
	return nil
}

// wrote is an error that names the first call that changed something.
func (e *exchange) wrote(calls []wire.Call) error {
	for _, call := range calls {
		if call.Writes() && call.Succeeded() {
			e.complain(call)
			return fmt.Errorf("%s answered %d and wrote: %s", e, e.status, Describe(call))
		}
	}
	return nil
}

func (w *World) noCallIs(table *godog.Table) error {
	lines, err := w.rows(table, "service", "call", "on")
	if err != nil {
		return err
	}
	if err := w.settle(); err != nil {
		return err
	}
	for _, line := range lines {
		forbidden := Allowance{Service: wire.Service(line["service"]), Call: line["call"], On: line["on"]}
		if err := forbidden.check(); err != nil {
			return err
		}
		for _, call := range w.active().Recorder.Calls() {
			if forbidden.Covers(call) {
				w.complain(call)
				return fmt.Errorf("there was a storage call that may not be: %s", Describe(call))
			}
			for _, inner := range call.Inner {
				if inner.Service = call.Service; forbidden.Covers(inner) {
					w.complain(call)
					return fmt.Errorf("there was a transaction with an operation that may not be: %s", Describe(inner))
				}
			}
		}
	}
	return nil
}
