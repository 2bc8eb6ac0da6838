package familyscheduler

import (
	"errors"
	"sync"
)

// maxParallel bounds the reads one request has under way: enough to hide the way to the store, few enough that one
// large group does not crowd out other requests.
const maxParallel = 16

// inParallel calls do for 0 to n-1, at most maxParallel at once, and joins their errors.
func inParallel(n int, do func(i int) error) error {
	errs := make([]error, n)
	slots := make(chan struct{}, maxParallel)
	var all sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			errs[i] = do(i)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
