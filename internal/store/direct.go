package store

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
)

// The SDK's own retries (azcore's policy.RetryOptions) are for a service far away that is busy now and then: over a
// store that has died they wait for ten seconds, and for one that hangs they wait forever.
const (
	retries    = 3
	retryDelay = 100 * time.Millisecond // doubled each time
	tryWithin  = 15 * time.Second
)

// DirectOptions are an SDK client's options for the harness's own way to a store: over transport, or over the network
// when it is nil. An error of such a client wraps ErrUnavailable when the store gave no answer, and then names the
// store's address but neither key nor blob.
func DirectOptions(transport http.RoundTripper) azcore.ClientOptions {
	options := azcore.ClientOptions{
		Telemetry:        policy.TelemetryOptions{Disabled: true},
		Retry:            policy.RetryOptions{MaxRetries: retries, RetryDelay: retryDelay, TryTimeout: tryWithin},
		PerRetryPolicies: []policy.Policy{answered{}},
	}
	if transport != nil {
		options.Transport = &http.Client{Transport: transport}
	}
	return options
}

// answered tells a store that gave no answer from one that refused, and from a caller that did not wait for it.
type answered struct{}

func (answered) Do(request *policy.Request) (*http.Response, error) {
	answer, err := request.Next()
	if err == nil || errors.Is(request.Raw().Context().Err(), context.Canceled) {
		return answer, err
	}
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	return answer, &unansweredError{address: request.Raw().URL.Host, cause: err}
}

type unansweredError struct {
	address string
	cause   error
}

func (e *unansweredError) Error() string {
	return "no answer from " + e.address + ": " + e.cause.Error()
}
func (e *unansweredError) Unwrap() error        { return e.cause }
func (e *unansweredError) Is(target error) bool { return target == ErrUnavailable }
