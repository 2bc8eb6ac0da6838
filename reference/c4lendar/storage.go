package c4lendar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/environment"
	"github.com/storespec/storespec/reference/web"
)

// The storage files (storage.go, storage_calls.go) are the only ones that know Cloudflare's REST API.

// The possible outcomes of a storage call, besides success and unexpected errors.
var (
	// errUnavailable: KV did not answer, did not answer in time, or refused for a reason that no request causes.
	errUnavailable = errors.New("storage unavailable")
	// errThrottled is an errUnavailable: KV answered 429 to every attempt. A key takes one write a second.
	errThrottled = fmt.Errorf("%w: too many requests", errUnavailable)
	// errMalformed is an errUnavailable: KV answered 400, which only a cursor that a client sent can cause.
	errMalformed = fmt.Errorf("%w: bad request", errUnavailable)
)

// The limits of Workers KV (Cloudflare, "KV limits").
const (
	maxKey      = 512  // bytes
	maxPage     = 1000 // keys of a list
	maxTogether = 100  // keys of a bulk get
)

// codeNoKey is the REST API's "key not found".
const codeNoKey = 10009

// store is a namespace.
type store struct {
	http      *http.Client
	namespace string // its URL
	token     string
	patience  environment.Patience
}

func openStore(c Config) *store {
	return &store{http: &http.Client{Transport: c.Storage}, token: c.APIToken, patience: c.Patience,
		namespace: fmt.Sprintf("%s/accounts/%s/storage/kv/namespaces/%s", c.API, c.Account, c.Namespace)}
}

func (s *store) close() { s.http.CloseIdleConnections() }

// operation is a call that may be attempted several times: every one of them is idempotent.
type operation struct {
	method string
	path   string // below the namespace, escaped, with its parameters
	body   []byte
}

// do makes a call, and again after 429, 5xx and no answer, with a growing delay. It returns the body of the answer;
// nil: there is no such key. Errors: errUnavailable, errThrottled, errMalformed.
func (s *store) do(ctx context.Context, o operation) ([]byte, error) {
	delay := s.patience.RetryDelay
	for attempt := 0; ; attempt++ {
		a := s.try(ctx, o)
		if !a.passing() || attempt >= s.patience.MaxRetries {
			return a.result(o.method)
		}
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return a.result(o.method)
		}
		delay *= 2
	}
}

// answer is how KV answered one attempt.
type answer struct {
	status int // 0: not at all
	code   int // of a refusal
	body   []byte
	err    error // if there was no answer
}

func (s *store) try(ctx context.Context, o operation) answer {
	ctx, stop := context.WithTimeout(ctx, s.patience.TryTimeout)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, o.method, s.namespace+o.path, bytes.NewReader(o.body))
	if err != nil {
		return answer{err: err}
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	if header := web.Traceparent(ctx); header != "" {
		request.Header.Set("traceparent", header)
	}
	response, err := s.http.Do(request)
	if err != nil {
		return answer{err: err}
	}
	defer func() { _ = response.Body.Close() }()
	a := answer{status: response.StatusCode}
	if a.status >= http.StatusMultipleChoices {
		a.refused(response)
		return a
	}
	if a.body, err = io.ReadAll(response.Body); err != nil {
		return answer{err: err}
	}
	return a
}

// refused reads the code of an error. One that cannot be read has none.
func (a *answer) refused(response *http.Response) {
	var envelope struct {
		Errors [1]struct { // the first of them
			Code int `json:"code"`
		} `json:"errors"`
	}
	_ = json.NewDecoder(response.Body).Decode(&envelope)
	a.code = envelope.Errors[0].Code
}

// passing reports whether another attempt may do better.
func (a answer) passing() bool {
	return a.status == 0 || a.status == http.StatusTooManyRequests || a.status >= http.StatusInternalServerError
}

// result is what a call returns. Its errors name no key.
func (a answer) result(method string) ([]byte, error) {
	switch {
	case a.status == 0:
		return nil, fmt.Errorf("%s: %w: %s", method, errUnavailable, web.WithoutURL(a.err))
	case a.status < http.StatusMultipleChoices:
		return a.body, nil
	case a.status == http.StatusNotFound && a.code == codeNoKey:
		return nil, nil
	case a.status == http.StatusTooManyRequests:
		return nil, fmt.Errorf("%s: %w", method, errThrottled)
	case a.status == http.StatusBadRequest:
		return nil, fmt.Errorf("%s: %w: %d", method, errMalformed, a.code)
	}
	return nil, fmt.Errorf("%s: %w: %d %d", method, errUnavailable, a.status, a.code)
}
