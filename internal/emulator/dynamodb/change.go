package dynamodb

import (
	"bytes"
	"errors"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// write is the change of one item, from its read to its commit under the lock of its key.
type write struct {
	table *table
	key   primaryKey
	at    []byte // its key in the engine

	stored []byte // the item as it was; nil: there was none
	old    value.Item
	parsed bool // old is what stored says

	item value.Item // the item as it will be; nil: there will be none
	raw  []byte     // item, stored
	// expired: it is the service that deletes the item, because it has expired.
	expired bool
}

// read reads the item. The lock of its key must be held until the write is committed.
func (a *Account) read(space engine.Space, t *table, key primaryKey) (*write, error) {
	w := &write{table: t, key: key, at: t.at(space, key)}
	return w, a.reread(w)
}

func (a *Account) reread(w *write) error {
	stored, found, err := a.engine.Get(w.at, nil)
	if found {
		w.stored = stored
	}
	return err
}

// before returns the item as it was; nil: there was none.
func (w *write) before() (value.Item, error) {
	if w.parsed || w.stored == nil {
		return w.old, nil
	}
	old, err := value.Stored(w.stored)
	w.old, w.parsed = old, true
	return old, err
}

func (w *write) oldSize() int { return storedSize(w.stored) }

func (w *write) newSize() int { return storedSize(w.raw) }

func storedSize(stored []byte) int {
	if stored == nil {
		return 0
	}
	size, err := value.StoredSize(stored)
	if err != nil {
		return 0 // the reader of the item will say so
	}
	return size
}

// set is what the item will be; nil deletes it.
func (w *write) set(item value.Item) {
	w.item, w.raw = item, nil
	if item != nil {
		w.raw = item.AppendStored(make([]byte, 0, 256))
	}
}

// plain says whether the item is all that a write changes.
func (t *table) plain() bool { return len(t.indexes) == 0 && t.stream == nil && t.expiry == nil }

// commit writes one item. What it consumes is added to used, which may be nil.
func (a *Account) commit(space engine.Space, w *write, used *usage) error {
	if used != nil {
		used.units += writeUnits(max(w.oldSize(), w.newSize()))
	}
	if w.table.plain() {
		if w.raw == nil && w.stored == nil {
			return nil
		}
		write := func() error { return a.engine.Set(w.at, w.raw) }
		if w.raw == nil {
			write = func() error { return a.engine.Delete(w.at) }
		}
		if err := write(); err != nil {
			return err
		}
		w.table.counts.add(presence(w.raw)-presence(w.stored), int64(w.newSize()-w.oldSize()))
		return nil
	}
	s := newStaging(a, space)
	defer s.batch.Discard()
	if err := s.add(w, used); err != nil {
		return err
	}
	return s.commit()
}

func presence(raw []byte) int64 {
	if raw == nil {
		return 0
	}
	return 1
}

// staging collects the writes of several items that happen together.
type staging struct {
	account *Account
	space   engine.Space
	batch   *engine.Batch
	deltas  []delta
	records []*record
	formers []former // of indexes, if some reads are to miss the write
	// expiries are the times at which something that is written expires.
	expiries []expiring
}

// former is what an index had at a key before a write; nil: nothing.
type former struct {
	at  string
	raw []byte
}

type expiring struct {
	expiry *expiry
	at     int64
}

// delta is a change of counts, made once the batch is committed.
type delta struct {
	counts       *counts
	items, bytes int64
}

func newStaging(a *Account, space engine.Space) *staging {
	return &staging{account: a, space: space, batch: a.engine.NewBatch()}
}

// add puts the write of one item into the batch: the item, its entries in indexes, its expiry, its record of the
// stream. used counts what the indexes consume; it may be nil.
func (s *staging) add(w *write, used *usage) error {
	if w.raw == nil && w.stored == nil {
		return nil
	}
	old, err := w.before()
	if err != nil {
		return err
	}
	if w.raw == nil {
		err = s.batch.Delete(w.at)
	} else {
		err = s.batch.Set(w.at, w.raw)
	}
	s.deltas = append(s.deltas, delta{w.table.counts, presence(w.raw) - presence(w.stored),
		int64(w.newSize() - w.oldSize())})
	for i, x := range w.table.indexes {
		if err == nil {
			err = s.addEntry(w, x, i, old, used)
		}
	}
	if err == nil && w.table.expiry != nil {
		err = s.addExpiry(w, old)
	}
	if err == nil && w.table.stream != nil && !bytes.Equal(w.stored, w.raw) {
		s.records = append(s.records, newRecord(s.account, w, old))
	}
	return err
}

// addEntry changes what an index has of an item. A change of its key costs two writes, one that it does not see costs
// none (Developer Guide, "Using Global Secondary Indexes in DynamoDB": write capacity units).
func (s *staging) addEntry(w *write, x *index, i int, old value.Item, used *usage) error {
	oldAt, oldRaw := w.entry(s.space, x, old)
	newAt, newRaw := w.entry(s.space, x, w.item)
	units := 0.0
	var err error
	switch {
	case oldAt == nil && newAt == nil:
		return nil
	case bytes.Equal(oldAt, newAt) && bytes.Equal(oldRaw, newRaw):
		return nil
	case bytes.Equal(oldAt, newAt):
		units = writeUnits(max(storedSize(oldRaw), storedSize(newRaw)))
		err = s.batch.Set(newAt, newRaw)
	default:
		if oldAt != nil {
			units += writeUnits(storedSize(oldRaw))
			err = s.batch.Delete(oldAt)
		}
		if newAt != nil {
			units += writeUnits(storedSize(newRaw))
			err = errors.Join(err, s.batch.Set(newAt, newRaw))
		}
	}
	if used != nil {
		used.addIndex(i, units)
	}
	s.deltas = append(s.deltas, delta{x.counts, presence(newRaw) - presence(oldRaw),
		int64(storedSize(newRaw) - storedSize(oldRaw))})
	if x.global && s.account.weather.lag.On() {
		if oldAt != nil {
			s.formers = append(s.formers, former{string(oldAt), oldRaw})
		}
		if newAt != nil && !bytes.Equal(oldAt, newAt) {
			s.formers = append(s.formers, former{string(newAt), nil})
		}
	}
	return err
}

// entry returns the key and the content of an item in an index; nil: it is not in it.
func (w *write) entry(space engine.Space, x *index, item value.Item) (at, raw []byte) {
	if item == nil {
		return nil, nil
	}
	of, in := keyIn(x.schema, item)
	if !in {
		return nil, nil
	}
	return w.table.entry(space, x, of, w.key), x.project(item).AppendStored(nil)
}

// commit writes the batch. Records of streams get their numbers now.
func (s *staging) commit() error {
	for _, f := range s.formers {
		s.account.weather.lag.Wrote(f.at, f.raw)
	}
	err := s.number()
	if err == nil {
		err = s.batch.Commit()
	}
	for _, r := range s.records {
		r.stream.ended(r.number)
	}
	if err != nil {
		return err
	}
	for _, d := range s.deltas {
		d.counts.add(d.items, d.bytes)
	}
	for _, e := range s.expiries {
		e.expiry.lower(e.at)
	}
	return nil
}

// backfill fills new indexes of a table from its items.
func (a *Account) backfill(t *table, names []string) error {
	for _, name := range names {
		x := t.index(name)
		space := a.space.Data()
		lower := t.keysOf(space, nil)
		b := a.engine.NewBatch()
		err := a.engine.Each(lower, engine.End(nil, lower), lower, func(_, stored []byte) (bool, error) {
			item, err := value.Stored(stored)
			if err != nil {
				return false, err
			}
			key, _ := keyIn(t.schema, item)
			w := &write{table: t, key: key}
			at, raw := w.entry(space, x, item)
			if at == nil {
				return true, nil
			}
			x.counts.add(1, int64(storedSize(raw)))
			return true, b.Set(at, raw)
		})
		if err == nil {
			err = b.Commit()
		}
		b.Discard()
		if err != nil {
			return err
		}
	}
	return nil
}

// count counts the items of a table and of its indexes.
func (a *Account) count(t *table) error {
	for _, x := range append([]*index{nil}, t.indexes...) {
		into := t.counts
		if x != nil {
			into = x.counts
		}
		into.items.Store(0)
		into.bytes.Store(0)
		lower := t.keysOf(a.space.Data(), x)
		err := a.engine.Each(lower, engine.End(nil, lower), lower, func(_, stored []byte) (bool, error) {
			into.add(1, int64(storedSize(stored)))
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
