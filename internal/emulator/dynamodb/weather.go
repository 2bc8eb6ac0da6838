package dynamodb

import (
	"math"
	"sync/atomic"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// weather is what a test can ask an account for, and what DynamoDB does anyway: global secondary indexes that are
// behind, batches that are done in part, requests that are throttled.
type weather struct {
	throttle atomic.Int64
	leave    atomic.Int64       // keys of the next batch
	lag      engine.Lag[[]byte] // of indexes; nil: a key had nothing
}

// Lag lets the next calls reads of global secondary indexes after a write miss it, as eventually consistent ones may.
// 0: each read sees all.
func (a *Account) Lag(calls int) { a.weather.lag.Set(calls) }

// Leave lets the next BatchGetItem or BatchWriteItem leave the last n of its keys, at most all but one, in
// UnprocessedKeys or UnprocessedItems. 0: nothing is left.
func (a *Account) Leave(n int) { a.weather.leave.Store(int64(n)) }

// Throttle lets the next n requests that read or write items fail with ProvisionedThroughputExceededException.
func (a *Account) Throttle(n int) { a.weather.throttle.Store(int64(n)) }

func (w *weather) calm() {
	w.throttle.Store(0)
	w.leave.Store(0)
	w.lag.Set(0)
}

// admit refuses a request that a test wants throttled.
func (w *weather) admit() error {
	if w.throttle.Load() > 0 && w.throttle.Add(-1) >= 0 {
		return throttled()
	}
	return nil
}

// take returns how many of a batch's keys are to be done.
func (w *weather) take(keys int) int {
	if leave := int(w.leave.Swap(0)); leave > 0 {
		return max(1, keys-leave)
	}
	return keys
}

// never is the time of what does not happen.
const never = math.MaxInt64
