package dynamodb

import (
	"bytes"
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// maxPage is how much a Query or Scan reads at most (Developer Guide, "Paginating table query results").
const maxPage = 1 << 20

// page reads a range of a table's or an index's items.
type page struct {
	table        *table
	index        *index // nil: the table itself
	lower, upper []byte
	after        []byte // where the last page ended; nil: at the beginning
	reverse      bool
	limit        int64 // items to look at; 0: as many as a page may have
	filter       *expression.Condition
	project      func(value.Item) value.Item // nil: everything is selected
	count        bool                        // the items themselves are not wanted
	fetch        bool                        // whole items are wanted of a local index that has parts
	consistent   bool

	// the result
	items          []byte // JSON, separated by commas
	found, scanned int64
	size           int
	fetched        float64 // units of the table, for what the index lacks
	last           []byte  // the stored item at which the page ended; nil: there are no more
}

// entries goes over the entries of a range in order.
type entries interface {
	next() (at, stored []byte, ok bool, err error)
	close() error
}

// read reads the page.
func (p *page) read(a *Account, space engine.Space) (err error) {
	all, err := p.entries(a)
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		var stored []byte
		var ok bool
		if _, stored, ok, err = all.next(); err != nil || !ok {
			break
		}
		more, err = p.take(a, space, stored)
	}
	if closed := all.close(); err == nil {
		err = closed
	}
	return err
}

// take handles one entry and says whether the page goes on.
func (p *page) take(a *Account, space engine.Space, stored []byte) (more bool, err error) {
	p.scanned++
	p.size += storedSize(stored)
	if p.fetch {
		if stored, err = p.whole(a, space, stored); err != nil {
			return false, err
		}
	}
	var item value.Item
	if p.filter != nil || p.project != nil && !p.count {
		if item, err = value.Stored(stored); err != nil {
			return false, err
		}
	}
	if p.filter == nil || p.filter.Match(item) {
		p.found++
		if !p.count {
			if err := p.append(stored, item); err != nil {
				return false, err
			}
		}
	}
	if p.size >= maxPage || p.scanned == p.limit {
		p.last = append([]byte{}, stored...)
		return false, nil
	}
	return true, nil
}

func (p *page) append(stored []byte, item value.Item) (err error) {
	if p.items == nil {
		p.items = make([]byte, 0, 4096)
	} else {
		p.items = append(p.items, ',')
	}
	if p.project != nil {
		p.items = p.project(item).AppendJSON(p.items)
		return nil
	}
	p.items, err = value.AppendStoredJSON(p.items, stored)
	return err
}

// whole returns the table's item of an entry of an index.
func (p *page) whole(a *Account, space engine.Space, entry []byte) ([]byte, error) {
	item, err := value.Stored(entry)
	if err != nil {
		return nil, err
	}
	key, _ := keyIn(p.table.schema, item)
	stored, found, err := a.engine.Get(p.table.at(space, key), nil)
	if err != nil || !found {
		return entry, err
	}
	p.fetched += readUnits(storedSize(stored), p.consistent)
	return stored, nil
}

// entries begins the range. A global index that is behind shows what it had.
func (p *page) entries(a *Account) (entries, error) {
	lower, upper := p.lower, p.upper
	if p.after != nil {
		if p.reverse {
			upper = p.after
		} else {
			lower = append(slices.Clone(p.after), 0)
		}
	}
	if bytes.Compare(lower, upper) >= 0 {
		return &remembered{}, nil
	}
	if p.index != nil && p.index.global {
		if then := a.weather.lag.Read(); then != nil {
			return remember(a.engine, lower, upper, then, p.reverse)
		}
	}
	it, err := a.engine.Iter(lower, upper)
	return &current{it: it, reverse: p.reverse}, err
}

// current are the entries as they are.
type current struct {
	it      *engine.Iter
	reverse bool
	begun   bool
}

func (c *current) next() (at, stored []byte, ok bool, err error) {
	switch {
	case !c.begun && c.reverse:
		ok = c.it.Last()
	case !c.begun:
		ok = c.it.First()
	case c.reverse:
		ok = c.it.Prev()
	default:
		ok = c.it.Next()
	}
	c.begun = true
	if !ok {
		return nil, nil, false, nil
	}
	stored, err = c.it.Value()
	return c.it.Key(), stored, true, err
}

func (c *current) close() error { return c.it.Close() }

// remembered are entries as they were before some writes. They are few: only a test asks for this.
type remembered struct {
	all []entry
}

type entry struct {
	at     string
	stored []byte
}

func remember(e *engine.Engine, lower, upper []byte, then map[string][]byte, reverse bool) (*remembered, error) {
	r := &remembered{}
	err := e.Each(lower, upper, lower, func(at, stored []byte) (bool, error) {
		if _, changed := then[string(at)]; !changed {
			r.all = append(r.all, entry{string(at), append([]byte{}, stored...)})
		}
		return true, nil
	})
	for at, stored := range then {
		if stored != nil && at >= string(lower) && at < string(upper) {
			r.all = append(r.all, entry{at, stored})
		}
	}
	slices.SortFunc(r.all, func(x, y entry) int {
		if reverse {
			x, y = y, x
		}
		return bytes.Compare([]byte(x.at), []byte(y.at))
	})
	return r, err
}

func (r *remembered) next() (at, stored []byte, ok bool, err error) {
	if len(r.all) == 0 {
		return nil, nil, false, nil
	}
	first := r.all[0]
	r.all = r.all[1:]
	return []byte(first.at), first.stored, true, nil
}

func (r *remembered) close() error { return nil }

// lastKey returns the LastEvaluatedKey; nil: there are no more.
func (p *page) lastKey() (value.Item, error) {
	if p.last == nil {
		return nil, nil
	}
	item, err := value.Stored(p.last)
	if err != nil {
		return nil, err
	}
	names := p.table.keyNames(p.index)
	var key value.Item
	for _, a := range item {
		if slices.Contains(names, a.Name) {
			key = append(key, a)
		}
	}
	return key, nil
}

// used is what the page consumes.
func (p *page) used() *usage {
	used := newUsage(p.table)
	units := readUnits(p.size, p.consistent)
	if p.index == nil {
		used.units = units
		return used
	}
	used.units = p.fetched
	used.addIndex(slices.Index(p.table.indexes, p.index), units)
	return used
}

// answer is the answer of Query and Scan.
func (p *page) answer(capacity string) ([]byte, error) {
	out := make([]byte, 0, len(p.items)+256)
	out = append(out, '{')
	if !p.count {
		out = append(append(append(out, `"Items":[`...), p.items...), "],"...)
	}
	out = appendInt(append(out, `"Count":`...), p.found)
	out = appendInt(append(out, `,"ScannedCount":`...), p.scanned)
	last, err := p.lastKey()
	if err != nil {
		return nil, err
	}
	if last != nil {
		out = last.AppendJSON(append(out, `,"LastEvaluatedKey":`...))
	}
	if capacity != capacityNone {
		out = appendConsumed(out, p.used(), capacity)
	}
	return append(out, '}'), nil
}
