package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"

	"github.com/storespec/storespec/internal/store"
)

// The SDK's own retries (azcore's policy.RetryOptions) are for a remote service that is occasionally busy: with a dead
// store they wait for ten seconds, and with one that hangs they wait forever.
const (
	retries    = 3
	retryDelay = 100 * time.Millisecond // doubled each time
	tryWithin  = 15 * time.Second
)

// DirectOptions returns an SDK client's options for the harness's own access to a store: over transport, or over the
// network if it is nil. If the store gave no answer, such a client's error wraps store.ErrUnavailable and contains the
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

// sdkClients creates the clients of an account's services for a connection string, with DirectOptions. The errors
// contain no key.
func sdkClients(connection string, transport http.RoundTripper) (*aztables.ServiceClient, *azblob.Client, error) {
	options := DirectOptions(transport)
	tables, err := aztables.NewServiceClientFromConnectionString(connection,
		&aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, nil, fmt.Errorf("table client: %w", err)
	}
	blobs, err := azblob.NewClientFromConnectionString(connection, &azblob.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, nil, fmt.Errorf("blob client: %w", err)
	}
	return tables, blobs, nil
}

// answered distinguishes a store that gave no answer from one that refused, and from a caller that stopped waiting.
type answered struct{}

func (answered) Do(request *policy.Request) (*http.Response, error) {
	answer, err := request.Next()
	if err == nil || errors.Is(request.Raw().Context().Err(), context.Canceled) {
		return answer, err
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
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
func (e *unansweredError) Is(target error) bool { return target == store.ErrUnavailable }
