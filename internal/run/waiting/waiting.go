// Package waiting knows what a run is waiting for at each moment, so that a user who watches it need not guess why
// nothing happens: a server that starts, an answer that does not come, an SDK that waits before it tries again.
//
// It prints nothing: package terminal does. Open [Board.Begin] first.
package waiting

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Notable is how long a wait must have lasted to be worth a word: no one wonders before that, and a run has thousands
// of shorter ones.
const Notable = 2 * time.Second

// Depth says how much a wait explains: of several at the same time, a deeper one is the reason of the others.
type Depth int

// The depths.
const (
	Scenario Depth = iota // a scenario runs
	Cases                 // a step is run in many cases
	Answer                // a request has no answer yet
	Reason                // why nothing happens
)

// Board holds what a run is waiting for. Its zero value is ready to use; a nil Board forgets everything. It is safe for
// concurrent use.
type Board struct {
	mu      sync.Mutex
	entries []*entry
}

type entry struct {
	depth    Depth
	began    time.Time
	describe func(time.Duration) string

	mu    sync.Mutex // of one entry, so that a slow describe keeps no one else waiting
	ended bool
}

// text describes the entry, unless it has ended.
func (e *entry) text(lasted time.Duration) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return ""
	}
	return e.describe(lasted)
}

// Begin notes that the run waits for something, which describe puts into words by how long it has lasted; "" if there
// is nothing to say at the moment. describe may be called from another goroutine until end returns. A second call of
// end does nothing.
func (b *Board) Begin(depth Depth, describe func(lasted time.Duration) string) (end func()) {
	if b == nil {
		return func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	one := &entry{depth: depth, began: time.Now(), describe: describe}
	b.entries = append(b.entries, one)
	return func() {
		one.mu.Lock()
		one.ended = true
		one.mu.Unlock()
		b.mu.Lock()
		defer b.mu.Unlock()
		b.entries = slices.DeleteFunc(b.entries, func(other *entry) bool { return other == one })
	}
}

// At returns what the run has waited for at a moment, for Notable or longer: the deepest, and of these the one that has
// lasted longest. It is "" if there is nothing of note.
func (b *Board) At(now time.Time) string {
	if b == nil {
		return ""
	}
	b.mu.Lock()
	entries := slices.Clone(b.entries)
	b.mu.Unlock()
	for depth := Reason; depth >= Scenario; depth-- {
		for _, one := range entries { // the oldest first
			if lasted := now.Sub(one.began); one.depth == depth && lasted >= Notable {
				if text := one.text(lasted); text != "" {
					return text
				}
			}
		}
	}
	return ""
}

// Of formats how much of a time has passed, in whole seconds: "12 of 60 s", or "12 s" if there is no limit.
func Of(lasted, limit time.Duration) string {
	if limit <= 0 {
		return fmt.Sprintf("%d s", int(lasted.Seconds()))
	}
	return fmt.Sprintf("%d of %d s", int(lasted.Seconds()), int(limit.Seconds()))
}
