package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// Batch collects writes that happen atomically. It is for one goroutine.
type Batch struct {
	engine *Engine
	batch  *pebble.Batch
}

// NewBatch returns an empty batch. Always discard it; after Commit that does nothing.
func (e *Engine) NewBatch() *Batch { return &Batch{engine: e, batch: e.db.NewBatch()} }

// Set stores a value. Key and value are copied.
func (b *Batch) Set(key, value []byte) error { return b.batch.Set(key, value, nil) }

// Delete removes a key, which need not exist.
func (b *Batch) Delete(key []byte) error { return b.batch.Delete(key, nil) }

// DeleteRange removes the keys from lower up to but not including upper.
func (b *Batch) DeleteRange(lower, upper []byte) error { return b.batch.DeleteRange(lower, upper, nil) }

// Commit applies the batch, and with a directory waits until it is on disk. The error wraps ErrFailed; reads may then
// see the batch, but it was not acknowledged.
func (b *Batch) Commit() error {
	return b.engine.acknowledge("commit", func() error { return b.batch.Commit(b.engine.write) })
}

// acknowledge runs a write that may be acknowledged only if the disk still accepts writes after it.
func (e *Engine) acknowledge(what string, write func() error) error {
	if err := e.failed(); err != nil {
		return err
	}
	if err := write(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrFailed, what, err)
	}
	return e.failed()
}

// Discard frees the batch.
func (b *Batch) Discard() {
	if b.batch != nil {
		_ = b.batch.Close() // it only fails if already closed
		b.batch = nil
	}
}

// Set stores one value; it is a batch of one.
func (e *Engine) Set(key, value []byte) error {
	return e.acknowledge("set", func() error { return e.db.Set(key, value, e.write) })
}

// Delete removes one key, which need not exist; it is a batch of one.
func (e *Engine) Delete(key []byte) error {
	return e.acknowledge("delete", func() error { return e.db.Delete(key, e.write) })
}

// Get appends the value of a key to into. found reports whether the key exists; if not, into is returned unchanged.
func (e *Engine) Get(key, into []byte) (value []byte, found bool, err error) {
	v, closer, err := e.db.Get(key)
	// errors.Is here would cost a tenth of a get.
	if err == pebble.ErrNotFound { //nolint:errorlint // documented to be returned as is
		return into, false, nil
	}
	if err != nil {
		return into, false, fmt.Errorf("get: %w", err)
	}
	into = append(into, v...)
	if err := closer.Close(); err != nil {
		return into, false, fmt.Errorf("get: %w", err)
	}
	return into, true, nil
}

// Iter iterates over the keys of a range in either order, as of its creation. Key and Value are valid until it moves.
type Iter struct {
	*pebble.Iterator
	engine *Engine
}

// Iter returns an iterator over the keys from lower up to but not including upper, positioned before the first. The
// bounds must not change while it is in use.
func (e *Engine) Iter(lower, upper []byte) (*Iter, error) {
	it, err := e.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, fmt.Errorf("iterate: %w", err)
	}
	return &Iter{it, e}, nil
}

// Value returns the current value. Close also returns a read error.
func (i *Iter) Value() ([]byte, error) { return i.ValueAndErr() }

// Each calls do with the keys of a range and their values, in order, until do returns false or an error. from, if not
// nil, is where in the range to start. Both slices are valid until do returns. The error is that of do or of the reads.
func (e *Engine) Each(lower, upper, from []byte, do func(key, value []byte) (more bool, err error)) error {
	it, err := e.Iter(lower, upper)
	if err != nil {
		return err
	}
	more := true
	for ok := it.SeekGE(from); ok && more; ok = it.Next() {
		value, err := it.Value()
		if err == nil {
			more, err = do(it.Key(), value)
		}
		if err != nil {
			return errors.Join(err, it.Close())
		}
	}
	return it.Close()
}

// Close frees the iterator and returns the error that ended it, if any.
func (i *Iter) Close() error {
	stats := i.Stats()
	i.engine.skipped(stats.ForwardStepCount[pebble.InternalIterCall] - stats.ForwardStepCount[pebble.InterfaceCall])
	if err := i.Iterator.Close(); err != nil {
		return fmt.Errorf("iterate: %w", err)
	}
	return nil
}

const (
	// manyVersions is how many old versions of keys an iterator may skip before it is worth dropping them.
	manyVersions = 100
	// flushEvery is the shortest time between two flushes for this reason.
	flushEvery = 50 * time.Millisecond
)

// skipped flushes the memtable if an iterator had to skip many old versions of keys. A flush drops overwritten values,
// which otherwise stay in memory: lists of keys that are written over and over would become slow.
func (e *Engine) skipped(versions int) {
	if versions < manyVersions {
		return
	}
	now, before := time.Now().UnixNano(), e.flushed.Load()
	if now-before > int64(flushEvery) && e.flushed.CompareAndSwap(before, now) {
		_, _ = e.db.AsyncFlush() // what fails is tried again
	}
}
