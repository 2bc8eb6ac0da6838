package account

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

// provisionTimeout is below the 15 s within which every request is answered.
const provisionTimeout = 10 * time.Second

// Provision remembers, in memory, that tables and containers exist. The zero value is ready to use.
type Provision struct {
	done     atomic.Bool
	attempts singleflight.Group // one attempt is in flight, shared by all requests that wait for it
}

// Once runs create at the first use of the store. Requests that arrive meanwhile share the one attempt; after a failed
// attempt, the next request starts another. Errors: create's; ErrUnavailable when ctx ends first.
func (p *Provision) Once(ctx context.Context, create func(context.Context) error) error {
	if p.done.Load() {
		return nil
	}
	attempt := p.attempts.DoChan("", func() (any, error) {
		if p.done.Load() { // by an attempt that has just ended
			return nil, nil
		}
		// All requests share the attempt: a client that disconnects does not end it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), provisionTimeout)
		defer cancel()
		err := create(ctx)
		p.done.Store(err == nil)
		return nil, err
	})
	select {
	case ended := <-attempt:
		return ended.Err
	case <-ctx.Done():
		return Failed("waiting for the tables", ctx.Err())
	}
}
