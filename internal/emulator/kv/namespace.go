package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// Entry is a value with its metadata.
type Entry struct {
	Value    []byte
	Metadata []byte    // JSON; nil: none
	Expires  time.Time // in whole seconds; zero: never
}

// Listed is a key as a list has it.
type Listed struct {
	Key      string
	Metadata []byte
	Expires  time.Time
}

// Namespace is a set of keys that is isolated from all others. It is safe for concurrent use.
type Namespace struct {
	engine  *engine.Engine
	account *engine.Account
	clock   func() time.Time
	ahead   atomic.Int64 // nanoseconds that its clock is ahead
	weather weather
}

func newNamespace(e *engine.Engine, name string, clock func() time.Time) *Namespace {
	return &Namespace{engine: e, account: e.Account(name), clock: clock}
}

// Now is the namespace's time.
func (n *Namespace) Now() time.Time { return n.clock().Add(time.Duration(n.ahead.Load())) }

// Advance moves the namespace's clock, on which expiry depends.
func (n *Namespace) Advance(by time.Duration) { n.ahead.Add(int64(by)) }

// Reset deletes all keys, and ends what a test has asked for: a clock that is ahead, stale reads, a write rate.
func (n *Namespace) Reset() error {
	n.ahead.Store(0)
	n.weather.calm()
	return n.account.Reset()
}

// Snapshot captures all keys; see engine.Account.
func (n *Namespace) Snapshot() (*engine.Snapshot, error) { return n.account.Snapshot() }

// ErrTooOften says that a key was written less than a second ago (Cloudflare's document "KV limits": one write a second
// for each key). It is only ever returned when the write rate is limited.
var ErrTooOften = errors.New("a key takes one write a second")

// Get returns the entry of a key; nil: there is none. The error is the engine's.
func (n *Namespace) Get(key string) (*Entry, error) {
	if stale, is := n.weather.lag.Read()[key]; is {
		return n.live(stale), nil
	}
	return n.Peek(key)
}

// live returns an entry unless it has expired.
func (n *Namespace) live(e *Entry) *Entry {
	if e == nil || !e.Expires.IsZero() && !e.Expires.After(n.Now()) {
		return nil
	}
	return e
}

// Peek is Get, but sees every write, and does not count as a call: it is for inspection from outside.
func (n *Namespace) Peek(key string) (*Entry, error) {
	stored, err := n.stored(n.account.Data(), key)
	return n.live(stored), err
}

// Keys returns all keys, in the order of their bytes, as Peek sees them.
func (n *Namespace) Keys() (all []string, err error) {
	space := n.account.Data()
	lower, upper := space.Range()
	err = n.engine.Each(lower, upper, lower, func(raw, value []byte) (bool, error) {
		parts, err := space.Parts(raw)
		if err != nil {
			return false, err
		}
		e, err := decodeEntry(value)
		if n.live(e) != nil {
			all = append(all, parts[0])
		}
		return true, err
	})
	return all, err
}

// Lay is Put, but no call: it may come at any time, and every read sees it.
func (n *Namespace) Lay(key string, e Entry) error {
	at := n.account.Data().Key(nil, key)
	defer n.account.Lock(at)()
	return n.engine.Set(at, e.encode())
}

// Remove is Delete, but no call.
func (n *Namespace) Remove(key string) error {
	at := n.account.Data().Key(nil, key)
	defer n.account.Lock(at)()
	return n.engine.Delete(at)
}

func (n *Namespace) stored(space engine.Space, key string) (*Entry, error) {
	raw, found, err := n.engine.Get(space.Key(nil, key), nil)
	if err != nil || !found {
		return nil, err
	}
	e, value, err := decode(raw)
	e.Value = value // raw has no other owner
	return &e, err
}

// Put replaces what a key holds. The error is ErrTooOften or the engine's.
func (n *Namespace) Put(key string, e Entry) error {
	return n.write(key, func(at []byte) error { return n.engine.Set(at, e.encode()) })
}

// Delete removes a key, which need not exist. The error is ErrTooOften or the engine's.
func (n *Namespace) Delete(key string) error {
	return n.write(key, n.engine.Delete)
}

func (n *Namespace) write(key string, apply func(at []byte) error) error {
	space := n.account.Data()
	at := space.Key(nil, key)
	defer n.account.Lock(at)()
	if !n.weather.mayWrite(key) {
		return ErrTooOften
	}
	if err := n.remember(space, key); err != nil {
		return err
	}
	return apply(at)
}

// listing is a list that is being put together.
type listing struct {
	limit   int
	found   []Listed
	more    bool
	expired []string
}

// take adds a key with its entry, or notes that it has expired: then live is nil, and without an entry nothing was
// there. It reports whether the list goes on.
func (l *listing) take(key string, e, live *Entry) bool {
	switch {
	case live == nil && e != nil:
		l.expired = append(l.expired, key)
	case live == nil:
	case len(l.found) == l.limit:
		l.more = true
		return false
	default:
		l.found = append(l.found, Listed{key, live.Metadata, live.Expires})
	}
	return true
}

// List returns up to limit keys that begin with prefix and are greater than after, in the order of their bytes, and
// whether there are more.
func (n *Namespace) List(prefix, after string, limit int) (found []Listed, more bool, err error) {
	missed := n.weather.lag.Read()
	space := n.account.Data()
	_, end := space.Range()
	from := space.Key(nil, max(prefix, after))
	missing := formerly(missed, prefix, after)
	list := listing{limit: limit, found: make([]Listed, 0, min(limit, usualList))}
	going := true
	var name []byte
	var head Entry // of the key that is looked at; one for all, since a list has many
	err = n.engine.Each(from, end, from, func(raw, value []byte) (bool, error) {
		var err error
		part, _ := space.Trim(raw)
		if name, _, err = engine.NextPart(name[:0], part); err != nil {
			return false, err
		}
		key := string(name)
		for len(missing) > 0 && missing[0] <= key && going {
			if missing[0] < key { // one that was deleted, and is still seen
				e := missed[missing[0]]
				going = list.take(missing[0], e, n.live(e))
			}
			missing = missing[1:]
		}
		if !going || !strings.HasPrefix(key, prefix) {
			return false, nil
		}
		if key == after {
			return true, nil
		}
		if head, _, err = decode(value); err != nil {
			return false, err
		}
		e := &head
		if stale, is := missed[key]; is {
			e = stale
		}
		going = list.take(key, e, n.live(e))
		return going, nil
	})
	for ; going && len(missing) > 0; missing = missing[1:] {
		e := missed[missing[0]]
		going = list.take(missing[0], e, n.live(e))
	}
	if err == nil && len(missed) == 0 {
		err = n.bury(space, list.expired)
	}
	return list.found, list.more, err
}

// usualList is how many keys a list has room for at once.
const usualList = 128

// bury deletes keys that have expired and were not written since.
func (n *Namespace) bury(space engine.Space, keys []string) error {
	for _, key := range keys {
		if err := n.buryOne(space, key); err != nil {
			return err
		}
	}
	return nil
}

func (n *Namespace) buryOne(space engine.Space, key string) error {
	at := space.Key(nil, key)
	defer n.account.Lock(at)()
	e, err := n.stored(space, key)
	if err != nil || e == nil || n.live(e) != nil {
		return err
	}
	return n.engine.Delete(at)
}

// encode writes expiry in seconds, the metadata's length plus 1, the metadata, the value.
func (e Entry) encode() []byte {
	raw := make([]byte, 0, 16+len(e.Metadata)+len(e.Value))
	expires := int64(0)
	if !e.Expires.IsZero() {
		expires = e.Expires.Unix()
	}
	raw = binary.AppendVarint(raw, expires)
	if e.Metadata == nil {
		raw = binary.AppendUvarint(raw, 0)
	} else {
		raw = append(binary.AppendUvarint(raw, uint64(len(e.Metadata))+1), e.Metadata...)
	}
	return append(raw, e.Value...)
}

func decodeEntry(raw []byte) (*Entry, error) {
	e, value, err := decode(raw)
	e.Value = append([]byte{}, value...)
	return &e, err
}

// decode returns an entry without its value, and the value, which is part of raw.
func decode(raw []byte) (e Entry, value []byte, _ error) {
	expires, size := binary.Varint(raw)
	if size <= 0 {
		return e, nil, fmt.Errorf("an entry of %d bytes cannot be read", len(raw))
	}
	raw = raw[size:]
	metadata, size := binary.Uvarint(raw)
	if size <= 0 || metadata > uint64(len(raw)-size)+1 {
		return e, nil, fmt.Errorf("an entry of %d bytes cannot be read", len(raw))
	}
	raw = raw[size:]
	if expires != 0 {
		e.Expires = time.Unix(expires, 0)
	}
	if metadata > 0 {
		e.Metadata = append([]byte{}, raw[:metadata-1]...)
		raw = raw[metadata-1:]
	}
	return e, raw, nil
}
