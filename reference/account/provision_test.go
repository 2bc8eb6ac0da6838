package account

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Requests that come while tables are being created wait for that one attempt; one that failed is made again.
func TestProvision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Provision
		failure := errors.New("no tables")
		attempts := 0
		create := func(context.Context) error {
			time.Sleep(time.Second)
			if attempts++; attempts == 1 {
				return failure
			}
			return nil
		}
		for round, want := range []error{failure, nil, nil} {
			var waiting sync.WaitGroup
			for range 5 {
				waiting.Go(func() {
					if err := p.Once(t.Context(), create); !errors.Is(err, want) {
						t.Errorf("round %d: %v, want %v", round, err, want)
					}
				})
			}
			waiting.Wait()
		}
		if attempts != 2 {
			t.Errorf("%d attempts, want 2: one that failed and one for everybody", attempts)
		}
	})
}

// A request that is given up does not take the attempt of the others with it, and an attempt does not last for ever.
func TestProvisionOutlivesARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Provision
		create := func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		hurried, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		var other sync.WaitGroup
		other.Go(func() {
			synctest.Wait()
			if err := p.Once(t.Context(), create); !errors.Is(err, context.DeadlineExceeded) ||
				time.Since(began) != provisionTimeout {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
		})
		if err := p.Once(hurried, create); !errors.Is(err, ErrUnavailable) || time.Since(began) != time.Second {
			t.Errorf("the request that is given up: %v after %v", err, time.Since(began))
		}
		other.Wait()
	})
}
