package c4lendar

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// The storage files (storage.go, storage_calls.go) are the only ones that know Cloudflare's REST API.

// The possible outcomes of a storage call, besides success and unexpected errors.
var (
	// errUnavailable: KV did not answer, did not answer in time, or refused for a reason that no request causes.
	errUnavailable = errors.New("storage unavailable")
	// errThrottled is an errUnavailable: KV answered 429 to every attempt. A key takes one write a second.
	errThrottled = fmt.Errorf("%w: too many requests", errUnavailable)
	// errTooLarge: the key or the value is larger than KV takes.
	errTooLarge = errors.New("too large for the storage")
)

// The limits of Workers KV (Cloudflare, "KV limits").
const (
	maxKey        = 512      // bytes
	maxValue      = 25 << 20 // bytes
	maxPage       = 1000     // keys of a list
	maxTogether   = 100      // keys of a bulk get
	maxDeleted    = 10_000   // keys of a bulk delete
	maxOperations = 1000     // calls of one invocation
)

const (
	maxIdleConns  = 64              // kept open between requests
	maxRetryDelay = 2 * time.Second // a store that asks for a longer delay is reported as 503 with Retry-After
	maxRefusal    = 64 << 10        // of an answer that is an error
	codeNoKey     = 10009           // the REST API's "key not found"
)

// store is a namespace.
type store struct {
	http      *http.Client
	namespace string // its URL
	token     string
	patience  Patience
}

func openStore(c Config) (*store, error) {
	if base, err := url.Parse(c.API); err != nil || base.Host == "" {
		return nil, errors.New("CLOUDFLARE_API_BASE_URL is not a URL")
	}
	client := &http.Client{Transport: c.Storage}
	if c.Storage == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = maxIdleConns
		client.Transport = transport
	}
	return &store{http: client, token: c.APIToken, patience: c.Patience,
		namespace: fmt.Sprintf("%s/accounts/%s/storage/kv/namespaces/%s", strings.TrimSuffix(c.API, "/"),
			url.PathEscape(c.Account), url.PathEscape(c.Namespace))}, nil
}

func (s *store) close() { s.http.CloseIdleConnections() }

type operationsKey struct{}

// counting returns a context in which the calls are counted, and their number so far. Cloudflare ends a Worker's
// invocation that makes more than maxOperations.
func counting(ctx context.Context) (context.Context, *atomic.Int64) {
	made := &atomic.Int64{}
	return context.WithValue(ctx, operationsKey{}, made), made
}

// spend counts a call. Errors: errUnavailable for one too many.
func spend(ctx context.Context) error {
	made, ok := ctx.Value(operationsKey{}).(*atomic.Int64)
	if ok && made.Add(1) > maxOperations {
		return fmt.Errorf("%w: one invocation makes %d operations at most", errUnavailable, maxOperations)
	}
	return nil
}

// operation is a call that may be attempted several times: every one of them is idempotent.
type operation struct {
	what   string // for errors; it names no key
	method string
	path   string // below the namespace, escaped
	query  url.Values
	body   []byte
	kind   string // the body's content type
}

// do makes a call, and again after 429, 5xx and no answer, with a growing delay. found is false when there is no such
// key. Errors: errUnavailable, errThrottled, errTooLarge.
func (s *store) do(ctx context.Context, o operation) (body []byte, found bool, err error) {
	delay := s.patience.RetryDelay
	for attempt := 0; ; attempt++ {
		if err := spend(ctx); err != nil {
			return nil, false, fmt.Errorf("%s: %w", o.what, err)
		}
		a := s.try(ctx, o)
		if !a.passing() {
			return a.result(o.what)
		}
		pause := max(delay, a.after)
		if attempt >= s.patience.MaxRetries || pause > maxRetryDelay || ctx.Err() != nil {
			return a.result(o.what)
		}
		delay = min(2*delay, maxRetryDelay)
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return a.result(o.what)
		}
	}
}

// answer is how KV answered one attempt.
type answer struct {
	status int // 0: not at all
	code   int // of a refusal
	body   []byte
	after  time.Duration // Retry-After
	err    error         // why there is none
}

func (s *store) try(ctx context.Context, o operation) answer {
	ctx, stop := context.WithTimeout(ctx, s.patience.TryTimeout)
	defer stop()
	address := s.namespace + o.path
	if len(o.query) > 0 {
		address += "?" + o.query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, o.method, address, bytes.NewReader(o.body))
	if err != nil {
		return answer{err: err}
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	if o.kind != "" {
		request.Header.Set("Content-Type", o.kind)
	}
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

// refused reads the code of an error and when to try again.
func (a *answer) refused(response *http.Response) {
	var envelope struct {
		Errors []struct {
			Code int `json:"code"`
		} `json:"errors"`
	}
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // one that cannot be read has no code
	if json.Unmarshal(text, &envelope) == nil && len(envelope.Errors) > 0 {
		a.code = envelope.Errors[0].Code
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		a.after = time.Duration(seconds) * time.Second
	}
}

// passing reports whether another attempt may do better.
func (a answer) passing() bool {
	return a.status == 0 || a.status == http.StatusTooManyRequests || a.status >= http.StatusInternalServerError
}

func (a answer) result(what string) (body []byte, found bool, err error) {
	switch {
	case a.status == 0:
		return nil, false, fmt.Errorf("%s: %w: %s", what, errUnavailable, web.WithoutURL(a.err))
	case a.status < http.StatusMultipleChoices:
		return a.body, true, nil
	case a.status == http.StatusNotFound && a.code == codeNoKey:
		return nil, false, nil
	case a.status == http.StatusTooManyRequests:
		return nil, false, fmt.Errorf("%s: %w", what, errThrottled)
	case a.status == http.StatusRequestEntityTooLarge, a.status == http.StatusRequestURITooLong:
		return nil, false, fmt.Errorf("%s: %w: %d %d", what, errTooLarge, a.status, a.code)
	case a.status == http.StatusBadRequest:
		return nil, false, fmt.Errorf("%s: the store refused: %d %d", what, a.status, a.code)
	}
	return nil, false, fmt.Errorf("%s: %w: %d %d", what, errUnavailable, a.status, a.code)
}
