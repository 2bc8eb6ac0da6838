package account

import (
	"errors"
	"sync"
	"sync/atomic"
)

// maxParallel bounds the reads one request has in flight: enough to hide the latency of the store, few enough that one
// large group does not crowd out other requests.
const maxParallel = 16

// InParallel calls do for 0 to n-1, at most maxParallel at once, and joins their errors. The caller's goroutine takes
// part, and each goroutine takes the next index. Go SDK: its calls are nested so deeply that a new goroutine has to
// grow its stack for its first one, which costs as much as a small read.
func InParallel(n int, do func(i int) error) error {
	errs := make([]error, n)
	var taken atomic.Int64
	work := func() {
		for i := int(taken.Add(1)) - 1; i < n; i = int(taken.Add(1)) - 1 {
			errs[i] = do(i)
		}
	}
	var all sync.WaitGroup
	for range min(n, maxParallel) - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
	return errors.Join(errs...)
}
