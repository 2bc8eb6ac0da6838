package blobs

import (
	"encoding/binary"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// change is a batch of writes that also maintains the counts of chunks. Always discard it, because it may hold locks.
type change struct {
	shelf  *shelf
	batch  *engine.Batch
	delta  map[string]int // chunk → change of its count
	fresh  map[string]bool
	locked bool  // the shelf's lock has been held since lock was called
	until  ticks // when the first of what it soft-deletes goes for good
	err    error // the first one, returned by commit
}

func (s *shelf) change() *change {
	return &change{shelf: s, batch: s.engine.NewBatch(), until: noExpiry}
}

func (c *change) discard() {
	c.batch.Discard()
	if c.locked {
		c.locked = false
		c.shelf.mu.Unlock()
	}
}

func (c *change) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *change) set(key, value []byte) { c.fail(c.batch.Set(key, value)) }

func (c *change) delete(key []byte) { c.fail(c.batch.Delete(key)) }

func (c *change) deleteRange(lower, upper []byte) { c.fail(c.batch.DeleteRange(lower, upper)) }

// use counts one more row that names a chunk, and drop one fewer. A chunk that no row names is removed.
func (c *change) use(chunk string) { c.count(chunk, 1) }

func (c *change) drop(chunk string) { c.count(chunk, -1) }

func (c *change) count(chunk string, by int) {
	if c.delta == nil {
		c.delta = map[string]int{}
	}
	c.delta[chunk] += by
}

// add makes a body a chunk; the caller then uses it. A small body becomes a row; a large one stays in its file.
func (c *change) add(b *body) (chunk string) {
	chunk = b.chunk()
	if c.fresh == nil {
		c.fresh = map[string]bool{}
	}
	c.fresh[chunk] = true
	key := c.shelf.space.Key(nil, chunkRows, chunk)
	if isFile(chunk) {
		c.set(key, nil)
	} else {
		c.set(key, b.data)
	}
	return chunk
}

// commit writes everything, then removes files that no row names. The error is the engine's.
func (c *change) commit() error {
	if c.err != nil {
		return c.err
	}
	if c.delta != nil && !c.locked {
		c.lock()
	}
	var dead []string
	for chunk, by := range c.delta {
		gone, err := c.apply(chunk, by)
		if err != nil {
			return err
		}
		if gone && isFile(chunk) {
			dead = append(dead, chunk)
		}
	}
	if err := c.batch.Commit(); err != nil {
		return err
	}
	c.shelf.expireAt(c.until) // not before: a purge would forget what it does not see
	for _, chunk := range dead {
		c.shelf.remove(chunk)
	}
	return nil
}

// apply changes one count in the batch.
func (c *change) apply(chunk string, by int) (gone bool, err error) {
	if by == 0 && !c.fresh[chunk] {
		return false, nil
	}
	key := c.shelf.space.Key(nil, countRows, chunk)
	count := 1
	if c.fresh[chunk] {
		count = 0
	} else {
		var buffer [binary.MaxVarintLen64]byte
		value, found, err := c.shelf.engine.Get(key, buffer[:0])
		if err != nil {
			return false, err
		}
		if found {
			n, _ := binary.Uvarint(value)
			count = int(n)
		}
	}
	switch now := count + by; {
	case now <= 0:
		c.delete(c.shelf.space.Key(nil, chunkRows, chunk))
		c.delete(key)
		gone = true
	case now == 1 && count <= 1: // nothing to write
	case now == 1:
		c.delete(key)
	default:
		c.set(key, binary.AppendUvarint(nil, uint64(now)))
	}
	return gone, c.err
}

// lock takes the shelf's lock now, for reading what must not disappear before commit; discard releases it.
func (c *change) lock() {
	c.shelf.mu.Lock()
	c.locked = true
}
