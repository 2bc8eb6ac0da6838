package namespace

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
	"time"

	"github.com/storespec/storespec/internal/store"
)

// A store outside this process may be busy for a moment: such a call is made again a few times.
const (
	attempts   = 4
	retryDelay = 200 * time.Millisecond // doubled each time
	callWithin = 30 * time.Second
	// pageSize is the most that a list returns, and what is deleted at once.
	pageSize = 1000
)

// remote is the harness's own access to the keys of a namespace by Cloudflare's REST API. There is one resource,
// whatever it is called.
type remote struct {
	api    string // such as https://api.cloudflare.com/client/v4
	id     identity
	client *http.Client
	keep   string // a key that is the store's own: it is neither listed nor wiped; empty: none
}

// answer is what the REST API says in its envelope.
type answer struct {
	Result json.RawMessage `json:"result"`
	Info   struct {
		Cursor string `json:"cursor"`
	} `json:"result_info"`
	Errors []struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"errors"`
}

// refusedError says that the API refused a call. Its text has no key in it.
type refusedError struct {
	status, code int
	message      string
}

func (e *refusedError) Error() string {
	return fmt.Sprintf("status %d, code %d: %s", e.status, e.code, e.message)
}

// call makes a request below the namespace, and again if the service is busy. It returns the body of an answer of
// status 200. The error is a *refusedError, or wraps store.ErrUnavailable where nothing answers.
func (r *remote) call(ctx context.Context, method, path string, query url.Values, body []byte) ([]byte, error) {
	return r.callWith(ctx, method, path, query, body, "application/octet-stream")
}

// callWith is call with a body of another type.
func (r *remote) callWith(ctx context.Context, method, path string, query url.Values, body []byte, kind string) (
	[]byte, error) {
	address := r.api + "/accounts/" + url.PathEscape(r.id.account) + "/storage/kv/namespaces/" +
		url.PathEscape(r.id.namespace) + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	for attempt, delay := 1, retryDelay; ; attempt, delay = attempt+1, 2*delay {
		content, err := r.once(ctx, method, address, body, kind)
		refused, is := errors.AsType[*refusedError](err)
		if err == nil || attempt == attempts || is && refused.status != http.StatusTooManyRequests &&
			refused.status < http.StatusInternalServerError {
			return content, err
		}
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return nil, errors.Join(err, ctx.Err())
		}
	}
}

func (r *remote) once(ctx context.Context, method, address string, body []byte, kind string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+r.id.token)
	if body != nil {
		request.Header.Set("Content-Type", kind)
	}
	response, err := r.client.Do(request)
	if failed, is := errors.AsType[*url.Error](err); is {
		err = failed.Err // without the address, which has a key in it
	}
	if err != nil {
		return nil, fmt.Errorf("%w: no answer from %s: %w", store.ErrUnavailable, request.URL.Host, err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("%w: no answer from %s: %w", store.ErrUnavailable, request.URL.Host, err)
	}
	if response.StatusCode == http.StatusOK {
		return content, nil
	}
	refused := &refusedError{status: response.StatusCode, message: http.StatusText(response.StatusCode)}
	var said answer
	if json.Unmarshal(content, &said) == nil && len(said.Errors) > 0 {
		refused.code, refused.message = said.Errors[0].Code, said.Errors[0].Message
	}
	return nil, refused
}

// codeNoKey is the code of a key that does not exist.
const codeNoKey = 10009

func isMissing(err error) bool {
	refused, is := errors.AsType[*refusedError](err)
	return is && refused.status == http.StatusNotFound && refused.code == codeNoKey
}

func at(key string) string { return "/values/" + url.PathEscape(key) }

// Get reads a value; nil if there is none.
func (r *remote) Get(ctx context.Context, _, key string) ([]byte, error) {
	content, err := r.call(ctx, http.MethodGet, at(key), nil, nil)
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get a key: %w", err)
	}
	return append([]byte{}, content...), nil // never nil: an empty value exists
}

// listed is a key in a list.
type listed struct {
	Name       string `json:"name"`
	Expiration int64  `json:"expiration"`
}

// page returns a page of the keys with a prefix, and the cursor of the next; "" after the last.
func (r *remote) page(ctx context.Context, prefix, cursor string, limit int) (keys []listed, next string, err error) {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	for name, value := range map[string]string{"prefix": prefix, "cursor": cursor} {
		if value != "" {
			query.Set(name, value)
		}
	}
	content, err := r.call(ctx, http.MethodGet, "/keys", query, nil)
	if err != nil {
		return nil, "", fmt.Errorf("list keys: %w", err)
	}
	var said answer
	if err := json.Unmarshal(content, &said); err != nil {
		return nil, "", fmt.Errorf("list keys: %w", err)
	}
	if err := json.Unmarshal(said.Result, &keys); err != nil {
		return nil, "", fmt.Errorf("list keys: %w", err)
	}
	return keys, said.Info.Cursor, nil
}

// List returns all keys.
func (r *remote) List(ctx context.Context, _ string) (names []string, err error) {
	for cursor := ""; ; {
		keys, next, err := r.page(ctx, "", cursor, pageSize)
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if key.Name != r.keep || r.keep == "" {
				names = append(names, key.Name)
			}
		}
		if cursor = next; cursor == "" {
			return names, nil
		}
	}
}

// Expires returns when a key expires, by this machine's clock; zero: never.
func (r *remote) Expires(ctx context.Context, _, key string) (at, now time.Time, err error) {
	// A key comes before all others that begin with it; the API lists ten at least.
	keys, _, err := r.page(ctx, key, "", 10)
	if err != nil {
		return time.Time{}, time.Time{}, err
	}
	if len(keys) == 0 || keys[0].Name != key {
		return time.Time{}, time.Time{}, fmt.Errorf("there is no key %s", key)
	}
	if keys[0].Expiration != 0 {
		at = time.Unix(keys[0].Expiration, 0)
	}
	return at, time.Now(), nil
}

// Put writes a value that never expires.
func (r *remote) Put(ctx context.Context, _, key string, content []byte) error {
	if _, err := r.call(ctx, http.MethodPut, at(key), nil, append([]byte{}, content...)); err != nil {
		return fmt.Errorf("put a key: %w", err)
	}
	return nil
}

// Delete deletes a key.
func (r *remote) Delete(ctx context.Context, _, key string) error {
	if _, err := r.call(ctx, http.MethodDelete, at(key), nil, nil); err != nil {
		return fmt.Errorf("delete a key: %w", err)
	}
	return nil
}

// wipe deletes all keys but keep.
func (r *remote) wipe(ctx context.Context) error {
	names, err := r.List(ctx, "")
	if err != nil {
		return err
	}
	for len(names) > 0 {
		some := names[:min(len(names), pageSize)]
		names = names[len(some):]
		body, err := json.Marshal(some)
		if err != nil {
			return err
		}
		if _, err := r.call(ctx, http.MethodPost, "/bulk/delete", nil, body); err != nil {
			return fmt.Errorf("delete all keys: %w", err)
		}
	}
	return nil
}
