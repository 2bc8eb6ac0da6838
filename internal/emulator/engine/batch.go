package engine

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Batch collects writes that happen together or not at all. It is for one goroutine.
type Batch struct {
	engine *Engine
	batch  *pebble.Batch
}

// NewBatch begins a batch. Discard it in every case; after Commit that does nothing.
func (e *Engine) NewBatch() *Batch {
	return &Batch{engine: e, batch: e.db.NewBatch()}
}

// Set puts a value. Key and value are copied.
func (b *Batch) Set(key, value []byte) error { return b.batch.Set(key, value, nil) }

// Delete removes a key, which need not be there.
func (b *Batch) Delete(key []byte) error { return b.batch.Delete(key, nil) }

// DeleteRange removes the keys from lower up to and without upper.
func (b *Batch) DeleteRange(lower, upper []byte) error {
	return b.batch.DeleteRange(lower, upper, nil)
}

// Commit applies the batch, and with a directory waits until it is on disk. The error wraps
// ErrFailed; it may then be seen by reads but was not acknowledged.
func (b *Batch) Commit() error {
	if err := b.engine.failed(); err != nil {
		return err
	}
	if err := b.batch.Commit(b.engine.write); err != nil {
		return fmt.Errorf("%w: commit: %w", ErrFailed, err)
	}
	return b.engine.failed()
}

// Discard frees the batch.
func (b *Batch) Discard() {
	if b.batch != nil {
		_ = b.batch.Close() // its only error is to have been closed
		b.batch = nil
	}
}

// Set puts one value; it is a batch of one.
func (e *Engine) Set(key, value []byte) error {
	if err := e.failed(); err != nil {
		return err
	}
	if err := e.db.Set(key, value, e.write); err != nil {
		return fmt.Errorf("%w: set: %w", ErrFailed, err)
	}
	return e.failed()
}

// Delete removes one key, which need not be there; it is a batch of one.
func (e *Engine) Delete(key []byte) error {
	if err := e.failed(); err != nil {
		return err
	}
	if err := e.db.Delete(key, e.write); err != nil {
		return fmt.Errorf("%w: delete: %w", ErrFailed, err)
	}
	return e.failed()
}

// Get appends the value of a key to into. found says whether the key is there; into is returned as
// it was when not.
func (e *Engine) Get(key, into []byte) (value []byte, found bool, err error) {
	v, closer, err := e.db.Get(key)
	if err == pebble.ErrNotFound { //nolint:errorlint // documented to be returned as is; errors.Is here costs a tenth of a get
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

// Iter reads the keys of a range in order, as they were when it was made.
type Iter struct{ it *pebble.Iterator }

// Iter makes an iterator over the keys from lower up to and without upper; it stands before the
// first. The bounds must not change while it lives.
func (e *Engine) Iter(lower, upper []byte) (*Iter, error) {
	it, err := e.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, fmt.Errorf("iterate: %w", err)
	}
	return &Iter{it}, nil
}

// First moves to the first key and reports whether there is one.
func (i *Iter) First() bool { return i.it.First() }

// SeekGE moves to the first key that is not below key and reports whether there is one.
func (i *Iter) SeekGE(key []byte) bool { return i.it.SeekGE(key) }

// Next moves to the next key and reports whether there is one.
func (i *Iter) Next() bool { return i.it.Next() }

// Valid reports whether the iterator stands at a key.
func (i *Iter) Valid() bool { return i.it.Valid() }

// Key is the key at which the iterator stands, until it moves.
func (i *Iter) Key() []byte { return i.it.Key() }

// Value is the value at which the iterator stands, until it moves. An error of the read is also
// that of Close.
func (i *Iter) Value() ([]byte, error) { return i.it.ValueAndErr() }

// Close frees the iterator and returns the error that ended it, if one did.
func (i *Iter) Close() error {
	if err := i.it.Close(); err != nil {
		return fmt.Errorf("iterate: %w", err)
	}
	return nil
}
