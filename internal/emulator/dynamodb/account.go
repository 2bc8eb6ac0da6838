package dynamodb

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// Account is the tables of an access key in a region, isolated from all others. It is safe for concurrent use.
type Account struct {
	service *Service
	id      accountID
	engine  *engine.Engine
	space   *engine.Account
	ahead   atomic.Int64 // nanoseconds that its clock is ahead
	linger  atomic.Int64 // nanoseconds that an item stays after its expiry
	weather weather
	counted atomic.Bool  // the tables' counts are right
	purged  atomic.Int64 // when tokens were last purged, in Unix time

	// gate is held for reading by every operation on items, and for writing by one that changes a table, by Reset and
	// by Restore.
	gate   sync.RWMutex
	tables map[string]*table
	// expiring is how many tables have TTL enabled.
	expiring int
}

func openAccount(s *Service, id accountID) (*Account, error) {
	a := &Account{service: s, id: id, engine: s.options.Engine, tables: map[string]*table{},
		space: s.options.Engine.Account(accountPrefix + id.accessKey + ":" + id.region)}
	catalogue := a.space.Catalogue()
	lower, upper := catalogue.Range(catalogueTables)
	err := a.engine.Each(lower, upper, lower, func(_, raw []byte) (bool, error) {
		var d definition
		if err := json.Unmarshal(raw, &d); err != nil {
			return false, fmt.Errorf("read the definition of a table: %w", err)
		}
		a.tables[d.TableName] = newTable(d, nil)
		return true, nil
	})
	if err == nil {
		err = a.recount()
	}
	if err != nil {
		return nil, fmt.Errorf("open account %s: %w", id.accessKey, err)
	}
	return a, nil
}

// catalogueTables begins the catalogue's keys of tables.
const catalogueTables = "table"

// recount finds out what is not stored: the next expiry, the last record of each stream.
func (a *Account) recount() error {
	a.expiring = 0
	for _, t := range a.tables {
		if t.expiry != nil {
			a.expiring++
			t.expiry.next.Store(0)
		}
		if t.stream != nil {
			last, err := a.lastRecord(t, t.stream.Short)
			if err != nil {
				return err
			}
			t.stream.rewind(last)
		}
	}
	a.counted.Store(false)
	return nil
}

// countAll counts the items of all tables, once after a start: that takes time if there are many.
func (a *Account) countAll() error {
	if a.counted.Load() {
		return nil
	}
	for _, t := range a.tables {
		if err := a.count(t); err != nil {
			return err
		}
	}
	a.counted.Store(true)
	return nil
}

// run does an operation.
func (a *Account) run(c *call, o *operation) error {
	if o.exclusive || o.counts && !a.counted.Load() {
		a.gate.Lock()
		defer a.gate.Unlock()
		if err := a.countAll(); err != nil {
			return err
		}
		return o.do(c)
	}
	a.gate.RLock()
	defer a.gate.RUnlock()
	if o.data && a.expiring > 0 {
		if err := a.expire(); err != nil {
			return err
		}
	}
	return o.do(c)
}

// table returns a table. The problem is the one that operations on items have.
func (a *Account) table(name string) (*table, error) {
	if t := a.tables[tableNameOf(name)]; t != nil {
		return t, nil
	}
	return nil, tableNotFound()
}

// store writes a definition to the catalogue, with whatever b has, and makes it current. was is the table before.
func (a *Account) store(b *engine.Batch, d definition, was *table) (*table, error) {
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("write the definition of table %s: %w", d.TableName, err)
	}
	if err := errors.Join(b.Set(a.space.Catalogue().Key(nil, catalogueTables, d.TableName), raw),
		b.Commit()); err != nil {
		return nil, err
	}
	t := newTable(d, was)
	if was == nil || was.expiry == nil && t.expiry != nil {
		if t.expiry != nil {
			a.expiring++
		}
	} else if was.expiry != nil && t.expiry == nil {
		a.expiring--
	}
	a.tables[d.TableName] = t
	return t, nil
}

// Now is the account's time.
func (a *Account) Now() time.Time { return a.service.options.Now().Add(time.Duration(a.ahead.Load())) }

// Advance moves the account's clock, on which the expiry of items, of tokens and of a stream's records depends.
func (a *Account) Advance(by time.Duration) { a.ahead.Add(int64(by)) }

// Linger lets items stay readable for a time after their expiry, as DynamoDB's do for up to some days (Developer Guide,
// "Using time to live (TTL)"). 0: an item is gone once it has expired.
func (a *Account) Linger(after time.Duration) { a.linger.Store(int64(after)) }

// Reset deletes all items, records of streams and tokens, and ends what a test has asked for. The tables stay.
func (a *Account) Reset() error {
	a.gate.Lock()
	defer a.gate.Unlock()
	a.calm()
	if err := a.space.Reset(); err != nil {
		return err
	}
	return a.recount()
}

// Drop is Reset, and deletes the tables as well.
func (a *Account) Drop() error {
	a.gate.Lock()
	defer a.gate.Unlock()
	a.calm()
	if err := a.space.Drop(); err != nil {
		return err
	}
	a.tables = map[string]*table{}
	return a.recount()
}

func (a *Account) calm() {
	a.ahead.Store(0)
	a.linger.Store(0)
	a.weather.calm()
}

// Snapshot is the items of an account at a moment.
type Snapshot struct {
	account *Account
	inner   *engine.Snapshot
}

// Snapshot captures what Reset would delete. Requests wait meanwhile. Discard it when it is no longer needed.
func (a *Account) Snapshot() (*Snapshot, error) {
	a.gate.Lock()
	defer a.gate.Unlock()
	inner, err := a.space.Snapshot()
	if err != nil {
		return nil, err
	}
	return &Snapshot{a, inner}, nil
}

// Restore brings the captured items back, into the tables that are still there, any number of times.
func (s *Snapshot) Restore() error {
	s.account.gate.Lock()
	defer s.account.gate.Unlock()
	s.account.weather.lag.Forget()
	if err := s.inner.Restore(); err != nil {
		return err
	}
	return s.account.recount()
}

// Discard frees the snapshot. It is safe to call twice; Restore fails afterwards.
func (s *Snapshot) Discard() error { return s.inner.Discard() }
