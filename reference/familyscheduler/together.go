package familyscheduler

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/storespec/storespec/reference/account"
)

// increment is what one operation adds to a counter row.
type increment struct {
	op   string
	add  func(row any)
	done chan error // from another request that has taken it: nil when it is written
}

// together collects increments that have lost a round against another writer of their row: the next of their requests
// to try again writes all of them in one update. So a crowd of requests on one row, such as those of a day in
// DailyMetrics, needs few rounds, and none waits for a request that has not lost anything. The zero value is ready to
// use.
type together struct {
	mu      sync.Mutex
	waiting map[string][]*increment // by row
}

// write adds an increment to a row. attempt reads the row, adds increments to it and writes it, if it has not changed;
// account.ErrChanged if it has. Errors: attempt's; account.ErrChanged after too many rounds.
func (t *together) write(ctx context.Context, row string, mine *increment,
	attempt func(batch []*increment) error) error {
	mine.done = make(chan error, 1)
	batch := []*increment{mine}
	for lost := range maxCounts {
		began := time.Now()
		err := attempt(batch)
		if !errors.Is(err, account.ErrChanged) {
			release(batch, mine, err)
			return err
		}
		t.wait(row, batch)
		err = account.PauseAfter(ctx, lost, time.Since(began))
		batch = t.take(row, mine)
		if err != nil {
			release(batch, mine, err)
			return err
		}
		if batch != nil {
			continue
		}
		select { // another request has taken it
		case err = <-mine.done:
			if err == nil {
				return nil
			}
			batch = []*increment{mine}
		case <-ctx.Done():
			return account.Failed("waiting for another request's count", ctx.Err())
		}
	}
	release(batch, mine, account.ErrChanged)
	return account.ErrChanged
}

func (t *together) wait(row string, batch []*increment) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[string][]*increment{}
	}
	t.waiting[row] = append(t.waiting[row], batch...)
}

// take returns everything that waits for a row; nil if mine is not among it, because another request has taken it. What
// is more than a row remembers goes on by itself.
func (t *together) take(row string, mine *increment) []*increment {
	t.mu.Lock()
	defer t.mu.Unlock()
	batch := t.waiting[row]
	i := slices.Index(batch, mine)
	if i < 0 {
		return nil
	}
	delete(t.waiting, row)
	batch[0], batch[i] = batch[i], batch[0]
	if len(batch) > maxRecentOps {
		release(batch[maxRecentOps:], mine, account.ErrChanged)
		batch = batch[:maxRecentOps]
	}
	return batch
}

// release reports to the requests of other increments what became of theirs; after an error each goes on by itself.
func release(batch []*increment, mine *increment, err error) {
	for _, other := range batch {
		if other != mine {
			other.done <- err
		}
	}
}
