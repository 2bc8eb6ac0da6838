package kv

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// weather is what a test can ask a namespace for, and what Workers KV does anyway: reads that do not see the last
// writes yet, and keys that take one write a second.
type weather struct {
	mu      sync.Mutex
	lag     int // how many calls do not see a write
	calls   int
	writes  []former // oldest first; only those that some call does not see yet
	limited bool
	written map[string]time.Time
}

// former is what a key held before a write.
type former struct {
	key   string
	entry *Entry // nil: nothing
	until int    // calls up to this one do not see the write
}

func (w *weather) calm() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lag, w.writes, w.limited, w.written = 0, nil, false, nil
}

// Lag lets the next calls reads after a write not see it, keys that are missing included. 0: each read sees all.
func (n *Namespace) Lag(calls int) {
	n.weather.mu.Lock()
	defer n.weather.mu.Unlock()
	n.weather.lag = calls
	n.weather.writes = nil
}

// LimitWrites lets each key take one write a second.
func (n *Namespace) LimitWrites(limited bool) {
	n.weather.mu.Lock()
	defer n.weather.mu.Unlock()
	n.weather.limited, n.weather.written = limited, map[string]time.Time{}
}

func (w *weather) lags() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lag > 0
}

// wrote notes what a key held before a write that is about to be made.
func (w *weather) wrote(key string, entry *Entry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes = append(w.writes, former{key, entry, w.calls + w.lag})
}

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

// view is what one read does not see.
type view map[string]*Entry

// read begins a read.
func (w *weather) read() view {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	w.writes = slices.DeleteFunc(w.writes, func(f former) bool { return f.until < w.calls })
	if len(w.writes) == 0 {
		return nil
	}
	v := view{}
	for _, f := range w.writes {
		if _, older := v[f.key]; !older {
			v[f.key] = f.entry
		}
	}
	return v
}

// former returns what a key held before the writes that are not seen, if there are any.
func (v view) former(key string) (*Entry, bool) {
	e, is := v[key]
	return e, is
}

// formerly returns the keys that held something then, in order.
func (v view) formerly(prefix, after string) []string {
	var keys []string
	for key, e := range maps.All(v) {
		if e != nil && strings.HasPrefix(key, prefix) && key > after {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}
