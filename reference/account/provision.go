package account

import (
	"context"
	"sync"
	"time"
)

// provisionTimeout is below the 15 s in which every request is answered.
const provisionTimeout = 10 * time.Second

// Provision remembers, in memory, that tables and containers exist. The zero value has not begun.
type Provision struct {
	mu      sync.Mutex
	done    bool
	attempt *attempt // under way, shared by all requests that wait for it
}

type attempt struct {
	finished chan struct{}
	err      error
}

// Once runs create at the first use of the store. Requests that come meanwhile share the one attempt; after one that
// failed, the next request begins another. Errors: create's; ErrUnavailable when ctx ends first.
func (p *Provision) Once(ctx context.Context, create func(context.Context) error) error {
	p.mu.Lock()
	if p.done {
		p.mu.Unlock()
		return nil
	}
	current := p.attempt
	if current == nil {
		current = &attempt{finished: make(chan struct{})}
		p.attempt = current
		// The attempt is everybody's: a client that goes away does not end it.
		go p.try(context.WithoutCancel(ctx), current, create)
	}
	p.mu.Unlock()
	select {
	case <-current.finished:
		return current.err
	case <-ctx.Done():
		return Failed("waiting for the tables", ctx.Err())
	}
}

func (p *Provision) try(ctx context.Context, a *attempt, create func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, provisionTimeout)
	defer cancel()
	a.err = create(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = a.err == nil
	p.attempt = nil
	close(a.finished)
}
