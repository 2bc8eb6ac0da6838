package dynamodb

import (
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

const maxBatchWrite = 25

// writeRequest is a put or a delete of BatchWriteItem.
type writeRequest struct {
	put, delete bool
	item, key   value.Item
	at          primaryKey
}

type tableWrites struct {
	name     string
	requests []*writeRequest
	table    *table
}

type batchWrite struct {
	given             bool
	tables            []*tableWrites
	capacity, metrics *string
}

// batchWriteItem is BatchWriteItem (API Reference, "BatchWriteItem"). Each write is atomic, the batch is not.
func batchWriteItem(c *call) error {
	q, err := readBatchWrite(c.body)
	if err != nil {
		return err
	}
	if err := q.check(); err != nil {
		return err
	}
	for _, w := range q.tables {
		if w.table, err = c.account.table(w.name); err != nil {
			return err
		}
	}
	for _, w := range q.tables {
		if err := w.resolve(); err != nil {
			return err
		}
	}
	return c.batchWrite(q)
}

func readBatchWrite(body []byte) (*batchWrite, error) {
	q := &batchWrite{}
	r := value.NewReader(body)
	return q, r.Object(func(name string) error {
		switch name {
		case "RequestItems":
			q.given = true
			return r.Map("java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>", func(table string) error {
				w := &tableWrites{name: table}
				q.tables = append(q.tables, w)
				return r.List(func() error {
					request := &writeRequest{}
					w.requests = append(w.requests, request)
					return r.Element("WriteRequest", func(name string) error { return request.member(r, name) })
				})
			})
		case "ReturnConsumedCapacity":
			return readText(r, &q.capacity)
		case "ReturnItemCollectionMetrics":
			return readText(r, &q.metrics)
		}
		return r.Skip()
	})
}

func (w *writeRequest) member(r *value.Reader, name string) error {
	var into *value.Item
	want := ""
	switch name {
	case "PutRequest":
		w.put, into, want = true, &w.item, "Item"
	case "DeleteRequest":
		w.delete, into, want = true, &w.key, "Key"
	default:
		return r.Skip()
	}
	return r.Struct(name, func(member string) (err error) {
		if member != want {
			return r.Skip()
		}
		*into, err = r.Item()
		return err
	})
}

func (q *batchWrite) check() error {
	var found checks
	found.capacity(q.capacity)
	found.requestItems(q.given, len(q.tables))
	total := 0
	for _, w := range q.tables {
		switch n := len(w.requests); {
		case n == 0:
			found.add("'{"+w.name+"=[]}'", "requestItems",
				"Map value must satisfy constraint: [Member must have length less "+
					"than or equal to 25, Member must have length greater than or equal to 1]")
		case n > maxBatchWrite:
			found.refused("RequestItems."+w.name+".member", atMostOf+"25")
		}
		total += len(w.requests)
		w.checkMembers(&found)
	}
	found.metrics(q.metrics)
	if p := found.problem(); p != nil {
		return p
	}
	for _, w := range q.tables {
		if err := checkMapKey(w.name); err != nil {
			return err
		}
	}
	for _, w := range q.tables {
		if err := w.check(); err != nil {
			return err
		}
	}
	if total > maxBatchWrite {
		return invalid("Too many items requested for the BatchWriteItem call")
	}
	return nil
}

func (w *tableWrites) checkMembers(found *checks) {
	for i, request := range w.requests {
		at := "requestItems." + w.name + ".member." + itoa(i+1) + ".member."
		if request.put && request.item == nil {
			found.missing(at + "putRequest.item")
		}
		if request.delete && request.key == nil {
			found.missing(at + "deleteRequest.key")
		}
	}
}

func (w *tableWrites) check() error {
	for _, request := range w.requests {
		if request.put == request.delete {
			return invalid("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the " +
				"supported datatypes")
		}
		if err := request.item.OlderProblem(); err != nil {
			return err
		}
		if err := request.key.OlderProblem(); err != nil {
			return err
		}
		if request.put && request.item.Size() > maxItem {
			return itemTooLarge()
		}
	}
	return nil
}

// resolve checks the keys against the table. A key that does not fit has the same message in a put and in a delete.
func (w *tableWrites) resolve() error {
	seen := map[primaryKey]bool{}
	for _, request := range w.requests {
		given := request.key
		if request.put {
			given = w.table.keyItem(request.item)
		}
		key, err := w.table.lookup(given)
		if err != nil {
			return err
		}
		if request.put {
			if err := w.table.checkIndexKeys(request.item, false); err != nil {
				return err
			}
		}
		if seen[key] {
			return duplicateKeys()
		}
		seen[key] = true
		request.at = key
	}
	return nil
}

func (c *call) batchWrite(q *batchWrite) error {
	a := c.account
	space := a.space.Data()
	all := 0
	for _, w := range q.tables {
		all += len(w.requests)
	}
	left := a.weather.take(all)
	var used usages
	collections := metricsOf{mode: text(q.metrics, "NONE")}
	for _, w := range q.tables {
		done := 0
		for _, request := range w.requests {
			if left == 0 {
				break
			}
			left--
			done++
			write, err := a.batchWriteOne(space, w.table, request, used.of(w.table))
			if err != nil {
				return err
			}
			if err := collections.add(a, space, write); err != nil {
				return err
			}
		}
		w.requests = w.requests[done:]
	}
	out := append(q.appendUnprocessed([]byte(`{"UnprocessedItems":{`)), '}')
	return c.finish(collections.append(out), &used, q.capacity)
}

func (a *Account) batchWriteOne(space engine.Space, t *table, request *writeRequest, used *usage) (*write, error) {
	w := &write{table: t, key: request.at, at: t.at(space, request.at)}
	defer a.space.Lock(w.at)()
	if err := a.reread(w); err != nil {
		return nil, err
	}
	w.set(request.item)
	return w, a.commit(space, w, used)
}

// appendUnprocessed appends what is left, in the form of the request.
func (q *batchWrite) appendUnprocessed(out []byte) []byte {
	for _, w := range q.tables {
		if len(w.requests) == 0 {
			continue
		}
		out = append(value.AppendString(value.Comma(out), w.name), ":["...)
		for _, request := range w.requests {
			out = value.Comma(out)
			if request.put {
				out = request.item.AppendJSON(append(out, `{"PutRequest":{"Item":`...))
			} else {
				out = request.key.AppendJSON(append(out, `{"DeleteRequest":{"Key":`...))
			}
			out = append(out, "}}"...)
		}
		out = append(out, ']')
	}
	return out
}

// metricsOf collects the ItemCollectionMetrics of several writes, one for each collection, by table.
type metricsOf struct {
	mode   string
	tables []string
	lists  map[string][]byte
	seen   map[string]bool
}

func (m *metricsOf) add(a *Account, space engine.Space, w *write) (err error) {
	if m.mode != "SIZE" || !w.table.local() {
		return nil
	}
	name := w.table.TableName
	if m.seen[name+"\x00"+w.key.partition] {
		return nil
	}
	if m.seen == nil {
		m.seen, m.lists = map[string]bool{}, map[string][]byte{}
	}
	m.seen[name+"\x00"+w.key.partition] = true
	if m.lists[name] == nil {
		m.tables = append(m.tables, name)
		m.lists[name] = []byte{'['}
	}
	m.lists[name], err = a.appendMetrics(value.Comma(m.lists[name]), space, w)
	return err
}

func (m *metricsOf) append(out []byte) []byte {
	if len(m.tables) == 0 {
		return out
	}
	out = append(value.Comma(out), `"ItemCollectionMetrics":{`...)
	for _, name := range m.tables {
		out = append(value.AppendString(value.Comma(out), name), ':')
		out = append(append(out, m.lists[name]...), ']')
	}
	return append(out, '}')
}
