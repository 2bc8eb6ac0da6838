package dynamodb

import (
	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

// getItem is GetItem (API Reference, "GetItem").
func getItem(c *call) error {
	q, err := readItemRequest(c.body, expression.GetItem)
	if err != nil {
		return err
	}
	var found checks
	found.capacity(q.capacity)
	if q.in.AttributesToGet != nil {
		found.length(len(q.in.AttributesToGet), "[]", "attributesToGet", 1, 0)
	}
	found.dataTable(q.tableName, "tableName")
	if q.key == nil {
		found.missing("key")
	}
	if p := found.problem(); p != nil {
		return p
	}
	if err := q.in.CheckUse(); err != nil {
		return err
	}
	if err := q.key.Problem(); err != nil {
		return err
	}
	if err := q.parse(); err != nil {
		return err
	}
	t, err := c.account.table(*q.tableName)
	if err != nil {
		return err
	}
	if err := t.checkNested(q.parsed.Projection.Nested()); err != nil {
		return err
	}
	key, err := t.lookup(q.key)
	if err != nil {
		return err
	}
	return c.get(q, t, key)
}

func (c *call) get(q *itemRequest, t *table, key primaryKey) error {
	var buffer [512]byte
	stored, found, err := c.account.engine.Get(t.at(c.account.space.Data(), key), buffer[:0])
	if err != nil {
		return err
	}
	out := append(make([]byte, 0, 2*len(stored)+64), '{')
	size := 0
	if found {
		size = storedSize(stored)
		if out, err = appendProjected(append(out, `"Item":`...), stored, q.parsed.Projection); err != nil {
			return err
		}
	}
	if mode := text(q.capacity, capacityNone); mode != capacityNone {
		used := newUsage(t)
		used.units = readUnits(size, q.consistent)
		out = appendConsumed(out, used, mode)
	}
	out = append(out, '}')
	c.out = out
	return nil
}

// appendProjected appends what a projection selects of a stored item.
func appendProjected(dst, stored []byte, p *expression.Projection) ([]byte, error) {
	if p == nil {
		return value.AppendStoredJSON(dst, stored)
	}
	item, err := value.Stored(stored)
	if err != nil {
		return dst, err
	}
	return p.Apply(item).AppendJSON(dst), nil
}

func appendSelected(p *expression.Projection) func(dst, stored []byte) ([]byte, error) {
	return func(dst, stored []byte) ([]byte, error) { return appendProjected(dst, stored, p) }
}
