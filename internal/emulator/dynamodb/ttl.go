package dynamodb

import (
	"encoding/binary"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// Time to live (Developer Guide, "Using time to live (TTL) in DynamoDB"). Expired items are deleted by the first
// request after their expiry by the account's clock.

// tooOld is how long ago an expiry may be; what expired earlier stays.
const tooOld = 5 * 365 * 24 * time.Hour

// expiry is when the next item of a table expires.
type expiry struct {
	sweep sync.Mutex
	next  atomic.Int64 // Unix time; 0: not known, never: no item expires
}

// lower notes that something expires at a time.
func (e *expiry) lower(at int64) {
	for {
		next := e.next.Load()
		if next <= at || e.next.CompareAndSwap(next, at) {
			return
		}
	}
}

// expires returns when an item expires.
func (t *table) expires(item value.Item) (at int64, does bool) {
	v, has := item.Get(t.TTL)
	if !has || v.Kind != value.N {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	if err != nil || f <= 0 || f >= 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// addExpiry changes what is kept of an item's expiry.
func (s *staging) addExpiry(w *write, old value.Item) error {
	was, did := w.table.expires(old)
	at, does := w.table.expires(w.item)
	if did == does && was == at {
		return nil
	}
	if did {
		if err := s.batch.Delete(w.table.expiryKey(s.space, was, w.key)); err != nil {
			return err
		}
	}
	if !does {
		return nil
	}
	s.expiries = append(s.expiries, expiring{w.table.expiry, at})
	return s.batch.Set(w.table.expiryKey(s.space, at, w.key), nil)
}

// expire deletes what has expired.
func (a *Account) expire() error {
	until := a.Now().Add(-time.Duration(a.linger.Load()))
	for _, t := range a.tables {
		if t.expiry == nil || t.expiry.next.Load() > until.Unix() {
			continue
		}
		if err := a.sweep(t, until); err != nil {
			return err
		}
	}
	return nil
}

func (a *Account) sweep(t *table, until time.Time) error {
	t.expiry.sweep.Lock()
	defer t.expiry.sweep.Unlock()
	t.expiry.next.Store(never)
	space := a.space.Data()
	lower, upper := space.Range(keyExpiries, t.Short)
	from := t.expiryKey(space, max(0, until.Add(-tooOld).Unix()), primaryKey{})
	var due []primaryKey
	err := a.engine.Each(lower, upper, from, func(raw, _ []byte) (bool, error) {
		parts, err := space.Parts(raw)
		if err != nil {
			return false, err
		}
		at := int64(binary.BigEndian.Uint64([]byte(parts[2])))
		if at > until.Unix() {
			t.expiry.lower(at)
			return false, nil
		}
		due = append(due, primaryKey{parts[3], parts[4]})
		return true, nil
	})
	for _, key := range due {
		if err == nil {
			err = a.deleteExpired(space, t, key, until)
		}
	}
	if err != nil {
		t.expiry.next.Store(0)
	}
	return err
}

func (a *Account) deleteExpired(space engine.Space, t *table, key primaryKey, until time.Time) error {
	defer a.space.Lock(t.at(space, key))()
	w, err := a.read(space, t, key)
	if err != nil {
		return err
	}
	old, err := w.before()
	if err != nil {
		return err
	}
	if at, does := t.expires(old); !does || at > until.Unix() {
		return nil
	}
	w.expired = true
	return a.commit(space, w, nil)
}

func updateTimeToLive(c *call) error {
	var in struct {
		TableName               *string
		TimeToLiveSpecification *struct {
			AttributeName *string
			Enabled       *bool
		}
	}
	if err := decode(c.body, &in); err != nil {
		return err
	}
	var found checks
	if s := in.TimeToLiveSpecification; s == nil {
		found.missing("timeToLiveSpecification")
	} else {
		if s.AttributeName == nil {
			found.missing("timeToLiveSpecification.attributeName")
		} else {
			found.length(len(*s.AttributeName), *s.AttributeName, "timeToLiveSpecification.attributeName", 1, 255)
		}
		if s.Enabled == nil {
			found.missing("timeToLiveSpecification.enabled")
		}
	}
	if p := found.problem(); p != nil {
		return p
	}
	t, err := c.tableOf(in.TableName)
	if err != nil {
		return err
	}
	name, enabled := *in.TimeToLiveSpecification.AttributeName, *in.TimeToLiveSpecification.Enabled
	switch {
	case enabled && t.TTL == name:
		return invalid("TimeToLive is already enabled")
	case enabled && t.TTL != "" || !enabled && t.TTL != "" && t.TTL != name:
		return invalid("TimeToLive is active on a different AttributeName: current AttributeName is %s", t.TTL)
	case !enabled && t.TTL == "":
		return invalid("TimeToLive is already disabled")
	}
	if err := c.account.setTTL(t, name, enabled); err != nil {
		return err
	}
	return c.describe("TimeToLiveSpecification", map[string]any{"AttributeName": name, "Enabled": enabled})
}

// setTTL enables or disables the expiry of a table's items.
func (a *Account) setTTL(t *table, name string, enabled bool) error {
	d := t.definition
	d.TTL = ""
	b := a.engine.NewBatch()
	defer b.Discard()
	space := a.space.Data()
	lower, upper := space.Range(keyExpiries, t.Short)
	if err := b.DeleteRange(lower, upper); err != nil {
		return err
	}
	if enabled {
		d.TTL = name
		next := newTable(d, t)
		items := t.keysOf(space, nil)
		err := a.engine.Each(items, engine.End(nil, items), items, func(_, stored []byte) (bool, error) {
			item, err := value.Stored(stored)
			if err != nil {
				return false, err
			}
			key, _ := keyIn(t.schema, item)
			if at, does := next.expires(item); does {
				return true, b.Set(next.expiryKey(space, at, key), nil)
			}
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	_, err := a.store(b, d, t)
	return err
}

func describeTimeToLive(c *call) error {
	t, err := c.named()
	if err != nil {
		return err
	}
	description := map[string]string{"TimeToLiveStatus": "DISABLED"}
	if t.TTL != "" {
		description = map[string]string{"TimeToLiveStatus": "ENABLED", "AttributeName": t.TTL}
	}
	return c.describe("TimeToLiveDescription", description)
}
