package lovehunt

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/storespec/storespec/reference/account"
)

// breakerOpens is after how many failures in a row the tables are left alone.
const breakerOpens = 5

// breaker is the circuit breaker around the tables. Closed, it lets all calls through; after breakerOpens failures in
// a row it opens, and calls fail without reaching the store. When reset has passed since the last failure it is half
// open: calls are let through again, and the first answer closes or opens it. A nil breaker lets everything through: in
// tables-only nothing else can answer.
type breaker struct {
	reset time.Duration
	now   func() time.Time

	mu       sync.Mutex
	failures int       // in a row
	failed   time.Time // when the last call failed
}

var errOpen = fmt.Errorf("%w: the circuit breaker is open", account.ErrUnavailable)

// run makes a call. Errors: the call's; account.ErrUnavailable without a call when the breaker is open. Only a store
// that does not answer counts as a failure: a row that has changed is an answer.
func (b *breaker) run(call func() error) error {
	if b == nil {
		return call()
	}
	if b.state() == "open" {
		return errOpen
	}
	err := call()
	b.settle(errors.Is(err, account.ErrUnavailable))
	return err
}

func (b *breaker) settle(failed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !failed {
		b.failures = 0
		return
	}
	b.failures++
	b.failed = b.now()
}

// state is closed, open or half-open.
func (b *breaker) state() string {
	if b == nil {
		return "closed"
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.failures < breakerOpens:
		return "closed"
	case b.now().Sub(b.failed) < b.reset:
		return "open"
	}
	return "half-open"
}
