package dynamodb

import (
	"slices"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// writes is PutItem, UpdateItem or DeleteItem (API Reference).
func writes(op expression.Operation) func(*call) error {
	return func(c *call) error { return c.writeItem(op) }
}

func (c *call) writeItem(op expression.Operation) error {
	q, err := readItemRequest(c.body, op)
	if err != nil {
		return err
	}
	if err := q.check(); err != nil {
		return err
	}
	t, err := c.account.table(*q.tableName)
	if err != nil {
		return err
	}
	key, err := q.resolve(t)
	if err != nil {
		return err
	}
	a := c.account
	space := a.space.Data()
	w, used, err := a.writeOne(space, q, t, key)
	if err != nil {
		return err
	}
	return c.written(q, space, w, used)
}

// writeOne makes the change of one item under its lock.
func (a *Account) writeOne(space engine.Space, q *itemRequest, t *table, key primaryKey) (*write, *usage, error) {
	w := &write{table: t, key: key, at: t.at(space, key)}
	defer a.space.Lock(w.at)()
	if err := a.reread(w); err != nil {
		return nil, nil, err
	}
	if err := q.apply(w); err != nil {
		return nil, nil, err
	}
	var used *usage
	if text(q.capacity, capacityNone) != capacityNone {
		used = newUsage(t)
	}
	return w, used, a.commit(space, w, used)
}

// resolve checks the request against the table and returns the key.
func (q *itemRequest) resolve(t *table) (primaryKey, error) {
	if err := t.checkNested(q.parsed.Condition.Nested()); err != nil {
		return primaryKey{}, err
	}
	if q.puts() {
		return t.keyOfItem(q.item)
	}
	key, err := t.lookup(q.key)
	if err != nil {
		return key, err
	}
	if q.parsed.Update != nil {
		err = t.checkUpdate(q.parsed.Update)
	}
	return key, err
}

// apply checks the condition and says what the item will be.
func (q *itemRequest) apply(w *write) error {
	if q.parsed.Condition != nil {
		old, err := w.before()
		if err != nil {
			return err
		}
		if !q.parsed.Condition.Match(old) {
			return q.failed(w, old)
		}
	}
	switch {
	case q.item != nil:
		w.set(q.item)
	case q.updates():
		return q.update(w)
	default:
		w.set(nil)
	}
	return nil
}

// failed is the problem of a condition that does not hold.
func (q *itemRequest) failed(w *write, old value.Item) error {
	p := refuse(kindCondition, "The conditional request failed")
	if text(q.onFailure, "NONE") == "ALL_OLD" && w.stored != nil {
		p.more = old.AppendJSON([]byte(`"Item":`))
	}
	return p
}

// update applies the update to the item, which need not exist.
func (q *itemRequest) update(w *write) error {
	old, err := w.before()
	if err != nil {
		return err
	}
	item := old
	if q.parsed.Update != nil {
		if item, err = q.parsed.Update.Apply(old); err != nil {
			return err
		}
	}
	if w.stored == nil {
		item = value.Sort(append(slices.Clone(item), q.key...))
	}
	if err := w.table.checkIndexKeys(item, true); err != nil {
		return err
	}
	w.set(item)
	if w.newSize() > maxItem {
		return invalid("Item size to update has exceeded the maximum allowed size")
	}
	return nil
}

// written answers after a write.
func (c *call) written(q *itemRequest, space engine.Space, w *write, used *usage) error {
	out := append(make([]byte, 0, 128), '{')
	attributes, err := q.returned(w)
	if err != nil {
		return err
	}
	if attributes != nil {
		out = attributes.AppendJSON(append(out, `"Attributes":`...))
	}
	if used != nil {
		out = appendConsumed(out, used, *q.capacity)
	}
	if text(q.metrics, "NONE") == "SIZE" && w.table.local() {
		out = append(value.Comma(out), `"ItemCollectionMetrics":`...)
		if out, err = c.account.appendMetrics(out, space, w); err != nil {
			return err
		}
	}
	out = append(out, '}')
	c.out = out
	return nil
}

// returned is what ReturnValues asks for; nil: nothing.
func (q *itemRequest) returned(w *write) (value.Item, error) {
	switch text(q.returnValues, "NONE") {
	case "ALL_OLD":
		return w.before()
	case "UPDATED_OLD":
		old, err := w.before()
		if old == nil || q.parsed.Update == nil {
			return nil, err
		}
		return orNil(q.parsed.Update.Select(old)), err
	case "ALL_NEW":
		return w.item, nil
	case "UPDATED_NEW":
		if q.parsed.Update == nil {
			return nil, nil
		}
		return orNil(q.parsed.Update.Select(w.item)), nil
	}
	return nil, nil
}

func orNil(item value.Item) value.Item {
	if len(item) == 0 {
		return nil
	}
	return item
}

const gigabyte = 1 << 30

// appendMetrics appends an ItemCollectionMetrics: the partition's key, and between which gigabytes its items and what
// local indexes have of them lie.
func (a *Account) appendMetrics(dst []byte, space engine.Space, w *write) ([]byte, error) {
	size := 0
	for _, x := range append([]*index{nil}, w.table.indexes...) {
		if x != nil && x.global {
			continue
		}
		lower := appendPartition(w.table.keysOf(space, x), w.key.partition)
		err := a.engine.Each(lower, engine.End(nil, lower), lower, func(_, stored []byte) (bool, error) {
			size += storedSize(stored)
			return true, nil
		})
		if err != nil {
			return dst, err
		}
	}
	s := w.table.schema
	v, err := value.KeyValue(s.PartitionKind, w.key.partition)
	if err != nil {
		return dst, err
	}
	least := int64(size / gigabyte)
	dst = value.Item{{Name: s.Partition, Value: v}}.AppendJSON(append(dst, `{"ItemCollectionKey":`...))
	dst = strconv.AppendInt(append(dst, `,"SizeEstimateRangeGB":[`...), least, 10)
	dst = strconv.AppendInt(append(dst, ".0,"...), least+1, 10)
	return append(dst, ".0]}"...), nil
}
