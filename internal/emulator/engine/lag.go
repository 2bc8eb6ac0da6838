package engine

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Lag lets reads miss the last writes, as those of a copy that is behind do. A test asks for it. T is what a key had
// before a write. The zero value lets every read see all.
type Lag[T any] struct {
	on atomic.Bool

	mu           sync.Mutex
	calls, reads int         // how many reads miss a write, and how many there were
	formers      []former[T] // oldest first; only those that some read still sees
}

type former[T any] struct {
	key   string
	was   T
	until int // reads up to this one miss the write
}

// Set lets the next reads after a write miss it. 0: each read sees all.
func (l *Lag[T]) Set(calls int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls, l.formers = calls, nil
	l.on.Store(calls > 0)
}

// On says whether some reads miss writes.
func (l *Lag[T]) On() bool { return l.on.Load() }

// Forget lets reads see all writes so far.
func (l *Lag[T]) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.formers = nil
}

// Wrote notes what a key had before a write that is about to be made.
func (l *Lag[T]) Wrote(key string, was T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.formers = append(l.formers, former[T]{key, was, l.reads + l.calls})
}

// Read begins a read, and returns what the keys had whose writes it misses; nil: it sees all.
func (l *Lag[T]) Read() map[string]T {
	if !l.On() {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	l.formers = slices.DeleteFunc(l.formers, func(f former[T]) bool { return f.until < l.reads })
	if len(l.formers) == 0 {
		return nil
	}
	then := map[string]T{}
	for _, f := range l.formers {
		if _, older := then[f.key]; !older {
			then[f.key] = f.was
		}
	}
	return then
}
