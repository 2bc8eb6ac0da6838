package dynamodb

import (
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// reads is Query or Scan (API Reference).
func reads(op expression.Operation) func(*call) error {
	return func(c *call) error { return c.readPage(op) }
}

func (c *call) readPage(op expression.Operation) error {
	q, err := readReadRequest(c.body, op)
	if err != nil {
		return err
	}
	if err := q.check(); err != nil {
		return err
	}
	p, err := q.page(c.account)
	if err != nil {
		return err
	}
	if err := q.checkStart(p); err != nil {
		return err
	}
	space := c.account.space.Data()
	if op == expression.Query {
		if err := q.seek(p, space); err != nil {
			return err
		}
	}
	if err := q.project(p); err != nil {
		return err
	}
	if op == expression.Scan {
		if err := q.scanFrom(p, space); err != nil {
			return err
		}
	}
	if err := p.read(c.account, space); err != nil {
		return err
	}
	c.out, err = p.answer(text(q.capacity, capacityNone))
	return err
}

// checkFilter refuses a filter on key attributes.
func (q *readRequest) checkFilter(p *page) error {
	what := "Filter Expression"
	if q.in.QueryFilter != nil {
		what = "QueryFilter"
	}
	for _, name := range q.parsed.Filter.Heads() {
		if s := p.schema(); name == s.Partition || name == s.Sort {
			return invalid("%s can only contain non-primary key attributes: Primary key attribute: %s", what, name)
		}
	}
	return nil
}

// within bounds a page to the keys of a range.
func (p *page) within(space engine.Space, keys expression.KeyRange) {
	base := appendPartition(p.table.keysOf(space, p.index), value.KeyString(keys.Partition))
	lower, upper, bounded := keys.Bounds()
	p.lower, p.upper = base, engine.End(nil, base)
	if lower != "" {
		p.lower = engine.AppendPart(slices.Clone(base), lower)
	}
	if bounded {
		p.upper = engine.AppendPart(slices.Clone(base), upper)
	}
}

// seek bounds the page of a query, lets it go on after the starting key, and checks the filter.
func (q *readRequest) seek(p *page, space engine.Space) error {
	keys, err := q.parsed.Key.Resolve(p.schema())
	if err != nil {
		return err
	}
	p.within(space, keys)
	if q.start == nil {
		return q.checkFilter(p)
	}
	of, _ := keyIn(p.schema(), q.start)
	if of.partition != value.KeyString(keys.Partition) {
		return invalid("The provided starting key is outside query boundaries based on provided conditions")
	}
	if s := p.schema(); s.Sort != "" {
		if v, _ := q.start.Get(s.Sort); !keys.Match(v) {
			return invalid("The provided starting key does not match the range key predicate")
		}
	}
	p.after = p.position(space, q.start)
	return q.checkFilter(p)
}

// position is the key in the engine of a starting key.
func (p *page) position(space engine.Space, start value.Item) []byte {
	key, _ := keyIn(p.table.schema, start)
	if p.index == nil {
		return p.table.at(space, key)
	}
	of, _ := keyIn(p.index.schema, start)
	return p.table.entry(space, p.index, of, key)
}

// checkStart checks that a starting key has the attributes that it must have, and no other.
func (q *readRequest) checkStart(p *page) error {
	if q.start == nil {
		return nil
	}
	if len(q.start) != len(p.table.keyNames(p.index)) {
		if q.op == expression.Scan && p.index == nil {
			return invalid("The provided starting key is invalid: The provided key element does not match the schema")
		}
		return invalid("The provided starting key is invalid")
	}
	if p.index != nil {
		if _, ok := keyIn(p.index.schema, q.start); !ok {
			return invalid("The provided starting key is invalid")
		}
	}
	if _, err := p.table.lookup(p.table.keyItem(q.start)); err != nil {
		if known := problemOf(err); known != nil {
			return invalid("The provided starting key is invalid: %s", known.message)
		}
		return err
	}
	return nil
}

// everything bounds a page to the whole table or index.
func (p *page) everything(space engine.Space) {
	p.lower = p.table.keysOf(space, p.index)
	p.upper = engine.End(nil, p.lower)
}

// scanFrom bounds the page to the segment, and lets it go on after the starting key.
func (q *readRequest) scanFrom(p *page, space engine.Space) error {
	p.everything(space)
	if q.segments != nil {
		base := p.lower
		first, end := segment(*q.segment, *q.segments)
		if first > 0 {
			p.lower = appendHash(slices.Clone(base), uint32(first))
		}
		if end < 1<<32 {
			p.upper = appendHash(slices.Clone(base), uint32(end))
		}
	}
	if q.start == nil {
		return nil
	}
	p.after = p.position(space, q.start)
	if string(p.after) < string(p.lower) || string(p.after) >= string(p.upper) {
		return invalid("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "+
			"ExclusiveStartKey with "+
			"correct Segment. TotalSegments: %d Segment: %d", *q.segments, *q.segment)
	}
	return nil
}
