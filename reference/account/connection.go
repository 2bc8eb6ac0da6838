package account

import (
	"cmp"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/storespec/storespec/reference/environment"
	"github.com/storespec/storespec/reference/web"
)

const (
	maxIdleConns  = 64              // kept open between requests; a busy server needs more only for a moment
	maxRetryDelay = 2 * time.Second // a store that asks for a longer delay is reported as 503 with Retry-After
)

// Connect returns the options for the clients of an account's services: they use connections of their own, which
// CloseIdleConnections of the second result closes, or storage if it is not nil.
func Connect(p environment.Patience, storage http.RoundTripper) (azcore.ClientOptions, *http.Client) {
	client := &http.Client{Transport: storage}
	if storage == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = maxIdleConns
		client.Transport = transport
	}
	return azcore.ClientOptions{
		Transport: client,
		Retry: policy.RetryOptions{
			MaxRetries:    cmp.Or(int32(p.MaxRetries), -1), // Go SDK: it reads 0 as its default, and -1 as no retries
			RetryDelay:    p.RetryDelay,
			MaxRetryDelay: maxRetryDelay,
			TryTimeout:    p.TryTimeout,
		},
		// All attempts of a call share one ID, so that an observer can tell a retry from a second call. Go SDK: it
		// sends no ID by default.
		PerCallPolicies: []policy.Policy{runtime.NewRequestIDPolicy(), passTraceparent{}},
	}, client
}

// passTraceparent adds the trace of the current request to its storage calls. Go SDK: it sends no such header itself,
// and passes the context of the call to a policy.
type passTraceparent struct{}

func (passTraceparent) Do(req *policy.Request) (*http.Response, error) {
	if header := web.Traceparent(req.Raw().Context()); header != "" {
		req.Raw().Header.Set("traceparent", header)
	}
	return req.Next()
}
