package kv

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// weather is what a test can ask a namespace for, and what Workers KV does anyway: reads that miss the last writes, and
// keys that take one write a second.
type weather struct {
	lag engine.Lag[*Entry] // nil: the key had nothing

	mu      sync.Mutex
	limited bool
	written map[string]time.Time
}

func (w *weather) calm() {
	w.lag.Set(0)
	w.limit(false)
}

func (w *weather) limit(limited bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.limited, w.written = limited, map[string]time.Time{}
}

// Lag lets the next calls reads after a write miss it, keys that are missing included. 0: each read sees all.
func (n *Namespace) Lag(calls int) { n.weather.lag.Set(calls) }

// LimitWrites lets each key take one write a second.
func (n *Namespace) LimitWrites(limited bool) { n.weather.limit(limited) }

// mayWrite reports whether a key takes a write now, and notes it.
func (w *weather) mayWrite(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.limited {
		return true
	}
	now := time.Now()
	if now.Sub(w.written[key]) < time.Second {
		return false
	}
	w.written[key] = now
	return true
}

// formerly returns the keys that held something before the writes that a read misses, in order.
func formerly(missed map[string]*Entry, prefix, after string) []string {
	var keys []string
	for key, e := range missed {
		if e != nil && strings.HasPrefix(key, prefix) && key > after {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
