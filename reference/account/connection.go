package account

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/storespec/storespec/reference/web"
)

const (
	maxIdleConns  = 64              // kept open between requests; a busy server needs more only for a moment
	maxRetryDelay = 2 * time.Second // a store that asks for a longer delay is reported as 503 with Retry-After
)

// Patience is how long and how often a storage call is attempted. PatienceFromEnv reads it.
type Patience struct {
	MaxRetries int           // STORAGE_MAX_RETRIES, default 3
	RetryDelay time.Duration // STORAGE_RETRY_DELAY, default 100ms; doubles with each retry
	TryTimeout time.Duration // STORAGE_TRY_TIMEOUT, default 3s, for each attempt
}

// PatienceFromEnv reads a Patience; getenv returns "" for unset variables. Errors name the malformed variable, never
// its value.
func PatienceFromEnv(getenv func(string) string) (Patience, error) {
	retries, tooMany := strconv.Atoi(cmp.Or(getenv("STORAGE_MAX_RETRIES"), "3"))
	if tooMany != nil || retries < 0 || retries > 10 {
		tooMany = errors.New("STORAGE_MAX_RETRIES must be a number from 0 to 10")
	}
	delay, noDelay := Duration(getenv, "STORAGE_RETRY_DELAY", "100ms")
	timeout, noTimeout := Duration(getenv, "STORAGE_TRY_TIMEOUT", "3s")
	return Patience{MaxRetries: retries, RetryDelay: delay, TryTimeout: timeout},
		errors.Join(tooMany, noDelay, noTimeout)
}

// Duration reads a variable that must be a duration above 0; otherwise is its value when it is unset. Errors name it,
// never its value.
func Duration(getenv func(string) string, name, otherwise string) (time.Duration, error) {
	d, err := time.ParseDuration(cmp.Or(getenv(name), otherwise))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%s must be a duration above 0, such as %s", name, otherwise)
	}
	return d, nil
}

// Connect returns the options for the clients of an account's services: they use connections of their own, which
// CloseIdleConnections of the second result closes, or storage if it is not nil.
func Connect(p Patience, storage http.RoundTripper) (azcore.ClientOptions, *http.Client) {
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
