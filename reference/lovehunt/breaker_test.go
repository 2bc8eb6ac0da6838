package lovehunt

import (
	"errors"
	"testing"
	"time"

	"github.com/storespec/storespec/reference/account"
)

// While one call tries whether the tables answer again, all others fail without reaching them.
func TestAHalfOpenBreakerLetsOneCallThrough(t *testing.T) {
	now := time.Unix(0, 0)
	b := &breaker{reset: time.Second, now: func() time.Time { return now }}
	down := func() error { return account.ErrUnavailable }
	for range breakerOpens {
		_ = b.run(down)
	}
	if err := b.run(func() error { return nil }); !errors.Is(err, errOpen) {
		t.Fatalf("an open one answers %v", err)
	}
	now = now.Add(time.Second)
	err := b.run(func() error {
		if err := b.run(func() error { return nil }); !errors.Is(err, errOpen) {
			t.Errorf("a second call while one tries: %v", err)
		}
		return account.ErrUnavailable
	})
	if !errors.Is(err, account.ErrUnavailable) || b.state() != "open" {
		t.Errorf("after a trial that failed: %v, %s", err, b.state())
	}
	now = now.Add(time.Second)
	if err := b.run(func() error { return nil }); err != nil || b.state() != "closed" {
		t.Errorf("after a trial that succeeded: %v, %s", err, b.state())
	}
}
