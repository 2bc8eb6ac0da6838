package actions

import (
	"context"

	"github.com/storespec/storespec/reference/account"
)

// turns makes the requests of this process for one key run one after the other: forty at once would take turns at the
// store anyway, but lose some eight hundred conditional writes on the way. No rule depends on it: other processes write
// too. Each turn is shared by many keys, and its channel holds one token while the turn is free.
type turns [256]chan struct{}

func newTurns() turns {
	var t turns
	for i := range t {
		t[i] = make(chan struct{}, 1)
		t[i] <- struct{}{}
	}
	return t
}

// take waits for the turn of a key; done passes it on. Errors: account.ErrUnavailable when ctx ends first.
func (t *turns) take(ctx context.Context, k key) (done func(), err error) {
	turn := t[fingerprint(k)[0]]
	select {
	case <-turn:
		return func() { turn <- struct{}{} }, nil
	case <-ctx.Done():
		return nil, account.Failed("waiting for other requests", ctx.Err())
	}
}
