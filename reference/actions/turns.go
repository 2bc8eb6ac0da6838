package actions

import (
	"context"
	"sync"

	"github.com/storespec/storespec/reference/account"
)

// turns makes the requests of this process for one key run one after the other: forty at once would take turns at the
// store anyway, but lose some eight hundred conditional writes on the way. No rule depends on it: other processes write
// too. The zero value is ready to use.
type turns struct {
	mu    sync.Mutex
	taken map[key]*turn
}

type turn struct {
	free    chan struct{} // holds one token while nobody has the turn
	waiting int           // including the holder
}

// take waits for the turn of a key; done passes it on. Errors: account.ErrUnavailable when ctx ends first.
func (t *turns) take(ctx context.Context, k key) (done func(), err error) {
	t.mu.Lock()
	if t.taken == nil {
		t.taken = map[key]*turn{}
	}
	mine := t.taken[k]
	if mine == nil {
		mine = &turn{free: make(chan struct{}, 1)}
		mine.free <- struct{}{}
		t.taken[k] = mine
	}
	mine.waiting++
	t.mu.Unlock()
	select {
	case <-mine.free:
		return func() { mine.free <- struct{}{}; t.leave(k, mine) }, nil
	case <-ctx.Done():
		t.leave(k, mine)
		return nil, account.Failed("waiting for other requests", ctx.Err())
	}
}

func (t *turns) leave(k key, mine *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if mine.waiting--; mine.waiting == 0 {
		delete(t.taken, k)
	}
}
