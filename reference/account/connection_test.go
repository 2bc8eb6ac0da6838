package account

import (
	"testing"
	"time"

	"github.com/storespec/storespec/reference/environment"
)

// The SDK takes 0 retries for its default.
func TestNoRetriesAreNone(t *testing.T) {
	for retries, want := range map[int]int32{0: -1, 1: 1, 10: 10} {
		options, client := Connect(environment.Patience{MaxRetries: retries, RetryDelay: time.Millisecond,
			TryTimeout: time.Second}, nil)
		client.CloseIdleConnections()
		if options.Retry.MaxRetries != want {
			t.Errorf("%d retries: the SDK gets %d, want %d", retries, options.Retry.MaxRetries, want)
		}
	}
}
