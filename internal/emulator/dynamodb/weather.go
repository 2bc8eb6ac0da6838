package dynamodb

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// weather is what a test can ask an account for, and what DynamoDB does anyway: global secondary indexes that are
// behind, batches that are done in part, requests that are throttled.
type weather struct {
	throttle atomic.Int64
	lagging  atomic.Bool

	mu      sync.Mutex
	lag     int // how many reads of indexes do not see a write
	reads   int
	formers []former // oldest first; only those that some read does not see yet
	leave   int      // keys of the next batch
}

// former is what an index had before a write.
type former struct {
	at    string // the key in the engine
	raw   []byte // nil: nothing
	until int    // reads up to this one do not see the write
}

// Lag lets the next calls reads of global secondary indexes after a write not see it, as eventually consistent ones may
// not. 0: each read sees all.
func (a *Account) Lag(calls int) {
	w := &a.weather
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lag, w.formers = calls, nil
	w.lagging.Store(calls > 0)
}

// Leave lets the next BatchGetItem or BatchWriteItem leave the last n of its keys, at most all but one, in
// UnprocessedKeys or UnprocessedItems. 0: nothing is left.
func (a *Account) Leave(n int) {
	a.weather.mu.Lock()
	defer a.weather.mu.Unlock()
	a.weather.leave = n
}

// Throttle lets the next n requests that read or write items fail with ProvisionedThroughputExceededException.
func (a *Account) Throttle(n int) { a.weather.throttle.Store(int64(n)) }

func (w *weather) calm() {
	w.throttle.Store(0)
	w.calmIndexes()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lag, w.leave = 0, 0
	w.lagging.Store(false)
}

// calmIndexes lets indexes show what they have.
func (w *weather) calmIndexes() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.formers = nil
}

// admit refuses a request that a test wants throttled.
func (w *weather) admit() error {
	if w.throttle.Load() > 0 && w.throttle.Add(-1) >= 0 {
		return throttled()
	}
	return nil
}

func (w *weather) lags() bool { return w.lagging.Load() }

// wrote notes what indexes had before a write that is about to be made.
func (w *weather) wrote(formers []former) {
	if len(formers) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range formers {
		f.until = w.reads + w.lag
		w.formers = append(w.formers, f)
	}
}

// readIndex begins a read of a global secondary index, and returns what it has had at the keys whose writes the read
// does not see.
func (w *weather) readIndex() map[string][]byte {
	if !w.lagging.Load() {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reads++
	w.formers = slices.DeleteFunc(w.formers, func(f former) bool { return f.until < w.reads })
	if len(w.formers) == 0 {
		return nil
	}
	then := map[string][]byte{}
	for _, f := range w.formers {
		if _, older := then[f.at]; !older {
			then[f.at] = f.raw
		}
	}
	return then
}

// take returns how many of a batch's keys are to be done.
func (w *weather) take(keys int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.leave == 0 {
		return keys
	}
	done := max(1, keys-w.leave)
	w.leave = 0
	return done
}

// never is the time of what does not happen.
const never = math.MaxInt64
