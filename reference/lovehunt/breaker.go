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
// a row it opens, and calls fail without reaching the store; after reset it is half open: one call is let through,
// which closes or opens it again. A nil breaker lets everything through: in tables-only nothing else can answer.
type breaker struct {
	reset time.Duration
	now   func() time.Time

	mu       sync.Mutex
	failures int       // in a row
	opened   time.Time // when it opened last
	trying   bool      // the one call of a half-open breaker is under way
}

var errOpen = fmt.Errorf("%w: the circuit breaker is open", account.ErrUnavailable)

// run makes a call. Errors: the call's; account.ErrUnavailable without a call when the breaker is open. Only a store
// that does not answer counts as a failure: a row that has changed is an answer.
func (b *breaker) run(call func() error) error {
	if b == nil {
		return call()
	}
	if !b.admit() {
		return errOpen
	}
	err := call()
	b.settle(errors.Is(err, account.ErrUnavailable))
	return err
}

func (b *breaker) admit() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch b.stateLocked() {
	case "closed":
		return true
	case "half-open":
		b.trying = true
		return true
	}
	return false
}

func (b *breaker) settle(failed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
	if !failed {
		b.failures = 0
		return
	}
	if b.failures++; b.failures >= breakerOpens {
		b.opened = b.now()
	}
}

// state is closed, open or half-open.
func (b *breaker) state() string {
	if b == nil {
		return "closed"
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stateLocked()
}

func (b *breaker) stateLocked() string {
	switch {
	case b.failures < breakerOpens:
		return "closed"
	case b.trying || b.now().Sub(b.opened) < b.reset:
		return "open"
	}
	return "half-open"
}
