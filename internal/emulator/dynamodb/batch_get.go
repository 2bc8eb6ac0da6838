package dynamodb

import (
	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

const (
	maxBatchGet    = 100
	maxBatchAnswer = 16 << 20
)

// keysAndAttributes is what BatchGetItem wants of one table.
type keysAndAttributes struct {
	itemRequest
	name  string
	given bool // Keys
	keys  []value.Item
	table *table
	at    []primaryKey
}

type batchGet struct {
	given    bool
	tables   []*keysAndAttributes
	capacity *string
}

// batchGetItem is BatchGetItem (API Reference, "BatchGetItem").
func batchGetItem(c *call) error {
	q, err := readBatchGet(c.body)
	if err != nil {
		return err
	}
	if err := q.check(); err != nil {
		return err
	}
	for _, k := range q.tables {
		if k.table, err = c.account.table(k.name); err != nil {
			return err
		}
	}
	for _, k := range q.tables {
		if err := k.resolve(); err != nil {
			return err
		}
	}
	return c.batchGet(q)
}

func readBatchGet(body []byte) (*batchGet, error) {
	q := &batchGet{}
	r := value.NewReader(body)
	return q, r.Object(func(name string) error {
		switch name {
		case "RequestItems":
			q.given = true
			return r.Map("KeysAndAttributes", func(table string) error {
				k := &keysAndAttributes{name: table}
				k.op, k.in.Operation = expression.BatchGetItem, expression.BatchGetItem
				q.tables = append(q.tables, k)
				return r.Element("KeysAndAttributes", func(name string) error { return k.readKeys(r, name) })
			})
		case "ReturnConsumedCapacity":
			return readText(r, &q.capacity)
		}
		return r.Skip()
	})
}

func (k *keysAndAttributes) readKeys(r *value.Reader, name string) error {
	switch name {
	case "Keys":
		k.given = true
		return r.List(func() error {
			key, err := r.Item()
			k.keys = append(k.keys, key)
			return err
		})
	case "ExpressionAttributeNames":
		return k.member(r, name)
	case "ConsistentRead", "ProjectionExpression", "AttributesToGet":
		return k.readMember(r, name)
	}
	return r.Skip()
}

func (q *batchGet) check() error {
	var found checks
	found.capacity(q.capacity)
	found.requestItems(q.given, len(q.tables))
	total := 0
	for _, k := range q.tables {
		at := "RequestItems." + k.name + ".member.Keys"
		switch n := len(k.keys); {
		case !k.given:
			found.missing("requestItems." + k.name + ".member.keys")
		case n == 0:
			found.refused(at, atLeastOne)
		case n > maxBatchGet:
			found.refused(at, atMostOf+"100")
		}
		total += len(k.keys)
	}
	if p := found.problem(); p != nil {
		return p
	}
	for _, k := range q.tables {
		if err := checkMapKey(k.name); err != nil {
			return err
		}
	}
	for _, k := range q.tables {
		if err := k.in.CheckUse(); err != nil {
			return err
		}
		for _, key := range k.keys {
			if err := key.Problem(); err != nil {
				return err
			}
		}
		if err := k.parse(); err != nil {
			return err
		}
	}
	if total > maxBatchGet {
		return invalid("Too many items requested for the BatchGetItem call")
	}
	return nil
}

// requestItems checks whether a batch has anything to do.
func (c *checks) requestItems(given bool, tables int) {
	if !given {
		c.missing("requestItems")
	} else if tables == 0 {
		c.refused("RequestItems", atLeastOne)
	}
}

// checkMapKey checks the name of a table that is a key of a map.
func checkMapKey(name string) error {
	if n := tableNameOf(name); len(n) > 255 || len(n) < 3 || !isName(n) {
		return invalid("1 validation error detected: Value '{%s=...}' at 'requestItems' failed to satisfy "+
			"constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, "+
			"Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: "+
			"%s]", name, namePattern)
	}
	return nil
}

// resolve checks the keys against the table.
func (k *keysAndAttributes) resolve() error {
	if err := k.table.checkNested(k.parsed.Projection.Nested()); err != nil {
		return err
	}
	seen := map[primaryKey]bool{}
	for _, given := range k.keys {
		key, err := k.table.lookup(given)
		if err != nil {
			return err
		}
		if seen[key] {
			return duplicateKeys()
		}
		seen[key] = true
		k.at = append(k.at, key)
	}
	return nil
}

func duplicateKeys() error { return invalid("Provided list of item keys contains duplicates") }

func (c *call) batchGet(q *batchGet) error {
	a := c.account
	space := a.space.Data()
	all := 0
	for _, k := range q.tables {
		all += len(k.at)
	}
	left := a.weather.take(all)
	var used usages
	out := []byte(`{"Responses":{`)
	var stored []byte
	for _, k := range q.tables {
		out = append(value.AppendString(value.Comma(out), k.name), ":["...)
		done := 0
		for _, key := range k.at {
			if left == 0 || len(out) > maxBatchAnswer {
				break
			}
			left--
			done++
			var found bool
			var err error
			if stored, found, err = a.engine.Get(k.table.at(space, key), stored[:0]); err != nil {
				return err
			}
			if !found {
				used.of(k.table).units += readUnits(0, k.consistent)
				continue
			}
			used.of(k.table).units += readUnits(storedSize(stored), k.consistent)
			if out, err = appendProjected(value.Comma(out), stored, k.parsed.Projection); err != nil {
				return err
			}
		}
		k.keys = k.keys[done:]
		out = append(out, ']')
	}
	out = q.appendUnprocessed(append(out, `},"UnprocessedKeys":{`...))
	return c.finish(append(out, '}'), &used, q.capacity)
}

// appendUnprocessed appends what is left, in the form of the request.
func (q *batchGet) appendUnprocessed(out []byte) []byte {
	for _, k := range q.tables {
		if len(k.keys) == 0 {
			continue
		}
		out = append(value.AppendString(value.Comma(out), k.name), `:{"Keys":[`...)
		for _, key := range k.keys {
			out = key.AppendJSON(value.Comma(out))
		}
		out = append(out, ']')
		if k.consistent {
			out = append(out, `,"ConsistentRead":true`...)
		}
		if k.in.Projection != nil {
			out = value.AppendString(append(out, `,"ProjectionExpression":`...), *k.in.Projection)
		}
		if k.in.Names != nil {
			out = appendNames(append(out, `,"ExpressionAttributeNames":`...), k.in.Names)
		}
		if k.in.AttributesToGet != nil {
			out = appendTexts(append(out, `,"AttributesToGet":`...), k.in.AttributesToGet)
		}
		out = append(out, '}')
	}
	return out
}

func appendNames(out []byte, names map[string]string) []byte {
	out = append(out, '{')
	for name, attribute := range names {
		out = value.AppendString(append(value.AppendString(value.Comma(out), name), ':'), attribute)
	}
	return append(out, '}')
}

func appendTexts(out []byte, texts []string) []byte {
	out = append(out, '[')
	for _, each := range texts {
		out = value.AppendString(value.Comma(out), each)
	}
	return append(out, ']')
}
