package engine

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
)

// The first byte of every key. None is 0xFF, so that every space has an end.
const (
	metaKeys      = 0x01 // account → epochs
	catalogueKeys = 0x02 // account, then a tuple
	dataKeys      = 0x03 // account, epoch, then a tuple
)

// dropEvery is how many dead epochs are dropped with one range deletion. Each deletion slows down later reads slightly
// while it is in the memtable; each epoch not yet dropped takes up space.
const dropEvery = 8

// Account is a namespace of an engine: a catalogue, which lists the tables and containers, and data. It costs nothing
// until something is written.
type Account struct {
	engine *Engine
	name   string

	mu    sync.Mutex // held while the epoch changes
	epoch epochs
	data  atomic.Pointer[Space]
	drops atomic.Uint64
}

// epochs records which epoch of the data is current and below which all were dropped.
type epochs struct{ current, dropped uint64 }

func (p epochs) encode() []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, p.current), p.dropped)
}

func decodeEpochs(b []byte) (epochs, error) {
	current, n := binary.Uvarint(b)
	if n <= 0 {
		return epochs{}, errors.New("engine: malformed epoch")
	}
	dropped, m := binary.Uvarint(b[n:])
	if m <= 0 || n+m != len(b) || dropped > current {
		return epochs{}, errors.New("engine: malformed epoch")
	}
	return epochs{current, dropped}, nil
}

func newAccount(e *Engine, name string, p epochs) *Account {
	a := &Account{engine: e, name: name, epoch: p}
	space := a.dataSpace(p.current)
	a.data.Store(&space)
	return a
}

// dataSpace returns the data of one epoch. Epochs are 7 bytes and a last one that is never 0xFF, so that every space
// has an end.
func (a *Account) dataSpace(epoch uint64) Space {
	return Space{
		prefix: string(a.epochKey(epoch)),
		name:   hex.EncodeToString([]byte(a.name)) + "-" + strconv.FormatUint(epoch, 10),
	}
}

func (a *Account) epochKey(epoch uint64) []byte {
	key := AppendPart([]byte{dataKeys}, a.name)
	key = binary.BigEndian.AppendUint64(key, epoch)
	return append(key, 0)
}

// Catalogue returns the key space that a reset does not change.
func (a *Account) Catalogue() Space {
	return Space{string(AppendPart([]byte{catalogueKeys}, a.name)), hex.EncodeToString([]byte(a.name))}
}

// Data returns the key space of the current epoch. Get it once per request: a request that runs during a reset then
// belongs to the epoch in which it began.
func (a *Account) Data() Space { return *a.data.Load() }

// Reset starts a new epoch: the data is empty, the catalogue unchanged. It costs one small write, however much data
// there is; old epochs are dropped some resets later. The error is that of Engine.Set, and then nothing has changed.
func (a *Account) Reset() error { return a.renew(nil) }

// Drop empties catalogue and data.
func (a *Account) Drop() error {
	defer a.drops.Add(1)
	return a.renew(func(b *Batch, _ Space) error {
		return b.DeleteRange(a.Catalogue().Range())
	})
}

// renew starts the next epoch, for which more may add to the batch.
func (a *Account) renew(more func(b *Batch, next Space) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	next := epochs{a.epoch.current + 1, a.epoch.dropped}
	b := a.engine.NewBatch()
	defer b.Discard()
	// Requests in flight may still read the previous epoch, so it is not dropped yet.
	var err error
	if a.epoch.current-next.dropped >= dropEvery {
		err = b.DeleteRange(a.epochKey(next.dropped), a.epochKey(a.epoch.current))
		next.dropped = a.epoch.current
	}
	space := a.dataSpace(next.current)
	err = errors.Join(err, b.Set(AppendPart([]byte{metaKeys}, a.name), next.encode()))
	if err == nil && more != nil {
		err = more(b, space)
	}
	if err == nil {
		err = b.Commit()
	}
	if err != nil {
		return fmt.Errorf("reset account %s: %w", a.name, err)
	}
	dead := a.epoch
	a.epoch = next
	a.data.Store(&space)
	return a.removeFiles(dead.dropped, next.dropped)
}

// removeFiles removes the files of the epochs from first up to but not including end.
func (a *Account) removeFiles(first, end uint64) error {
	dir, made := a.engine.files.made()
	if !made {
		return nil
	}
	for ; first < end; first++ {
		if err := os.RemoveAll(filepath.Join(dir, a.dataSpace(first).name)); err != nil {
			return fmt.Errorf("reset account %s: %w", a.name, err)
		}
	}
	return nil
}

// Drops counts the calls of Drop, so that what was read from the catalogue can be cached while the count is unchanged.
func (a *Account) Drops() uint64 { return a.drops.Load() }

// Lock waits for and takes one of the engine's locks, chosen by the key, and returns the function that releases it.
// Hold it from the read to the write of a conditional change. Other keys may share the lock, so never take a second one
// while holding one: use LockAll for several keys.
func (a *Account) Lock(key []byte) (unlock func()) {
	mu := &a.engine.locks[a.stripe(key)]
	mu.Lock()
	return mu.Unlock
}

func (a *Account) stripe(key []byte) int { return int(maphash.Bytes(a.engine.seed, key) % lockStripes) }

// LockAll is Lock for several keys at once.
func (a *Account) LockAll(keys [][]byte) (unlock func()) {
	stripes := make([]int, len(keys))
	for i, key := range keys {
		stripes[i] = a.stripe(key)
	}
	slices.Sort(stripes) // one order for all callers, so that they cannot deadlock
	stripes = slices.Compact(stripes)
	for _, i := range stripes {
		a.engine.locks[i].Lock()
	}
	return func() {
		for _, i := range stripes {
			a.engine.locks[i].Unlock()
		}
	}
}
