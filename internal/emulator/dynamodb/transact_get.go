package dynamodb

import "github.com/storespec/storespec/internal/emulator/dynamodb/value"

// transactGetItems is TransactGetItems (API Reference, "TransactGetItems").
func transactGetItems(c *call) error {
	q, err := readTransaction(c.body, "Get")
	if err != nil {
		return err
	}
	q.token, q.metrics = nil, nil
	if err := q.check("Get"); err != nil {
		return err
	}
	reads := make([]*transactRead, len(q.items))
	for i, actions := range q.items {
		each := actions[0]
		t, err := c.account.table(*each.tableName)
		if err != nil {
			return err
		}
		reads[i] = &transactRead{table: t, projected: appendSelected(each.parsed.Projection)}
		if err := t.checkNested(each.parsed.Projection.Nested()); err != nil {
			return err
		}
		if reads[i].key, reads[i].wrong = t.lookup(each.key); hoisted(reads[i].wrong) {
			return reads[i].wrong
		}
	}
	out, used, err := c.account.readAll(reads)
	if err != nil {
		return err
	}
	return c.finish(out, used, q.capacity)
}

// transactRead is one read of a transaction.
type transactRead struct {
	table     *table
	key       primaryKey
	wrong     error
	projected func(dst, stored []byte) ([]byte, error)
}

// readAll reads all items as of one moment, and returns the beginning of the answer.
func (a *Account) readAll(reads []*transactRead) ([]byte, *usages, error) {
	reasons := make([]error, len(reads))
	failed := false
	var keys [][]byte
	space := a.space.Data()
	for i, r := range reads {
		reasons[i], failed = r.wrong, failed || r.wrong != nil
		keys = append(keys, r.table.at(space, r.key))
	}
	if failed {
		return nil, nil, canceled(reasons)
	}
	defer a.space.LockAll(keys)()
	out := []byte(`{"Responses":[`)
	used := &usages{}
	total := 0
	for i, r := range reads {
		out = value.Comma(out)
		stored, found, err := a.engine.Get(keys[i], nil)
		if err != nil {
			return nil, nil, err
		}
		u := used.of(r.table)
		u.kind = "Read"
		if !found {
			u.units += transactionFactor * readUnits(0, true)
			out = append(out, "{}"...)
			continue
		}
		total += storedSize(stored)
		u.units += transactionFactor * readUnits(storedSize(stored), true)
		if out, err = r.projected(append(out, `{"Item":`...), stored); err != nil {
			return nil, nil, err
		}
		out = append(out, '}')
	}
	if total > maxTransaction {
		return nil, nil, invalid("Collection size of the items in the transaction exceeds the limit of 4 MB")
	}
	return append(out, ']'), used, nil
}
