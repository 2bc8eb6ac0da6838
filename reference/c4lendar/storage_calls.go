package c4lendar

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// get returns a value; nil: there is none.
func (s *store) get(ctx context.Context, key string) ([]byte, error) {
	body, found, err := s.do(ctx, operation{what: "reading a key", method: http.MethodGet, path: valuePath(key)})
	if err != nil || !found {
		return nil, err
	}
	return append([]byte{}, body...), nil // never nil: an empty value exists
}

// put writes a value, which lives for ttl; 0: for ever. Errors: errTooLarge without a call.
func (s *store) put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if len(key) > maxKey || len(value) > maxValue {
		return fmt.Errorf("writing a key: %w", errTooLarge)
	}
	o := operation{what: "writing a key", method: http.MethodPut, path: valuePath(key), body: value,
		kind: "application/octet-stream"}
	if ttl > 0 {
		o.query = url.Values{"expiration_ttl": {strconv.Itoa(int(ttl / time.Second))}}
	}
	return s.done(ctx, o)
}

// putJSON is put of a value in JSON.
func (s *store) putJSON(ctx context.Context, key string, value any, ttl time.Duration) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encoding a value: %w", err)
	}
	return s.put(ctx, key, data, ttl)
}

// remove deletes a key, which need not exist.
func (s *store) remove(ctx context.Context, key string) error {
	return s.done(ctx, operation{what: "deleting a key", method: http.MethodDelete, path: valuePath(key)})
}

// done makes a call whose answer says nothing else.
func (s *store) done(ctx context.Context, o operation) error {
	_, found, err := s.do(ctx, o)
	if err == nil && !found {
		err = fmt.Errorf("%s: %w: the key was not found", o.what, errUnavailable)
	}
	return err
}

func valuePath(key string) string { return "/values/" + url.PathEscape(key) }

// page returns up to limit keys with a prefix, in the order of their bytes, and the cursor of the next page; "": there
// is none.
func (s *store) page(ctx context.Context, prefix, cursor string, limit int) (keys []string, next string, err error) {
	query := url.Values{"prefix": {prefix}, "limit": {strconv.Itoa(limit)}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	body, _, err := s.do(ctx, operation{what: "listing keys", method: http.MethodGet, path: "/keys", query: query})
	if err != nil {
		return nil, "", err
	}
	var listed struct {
		Result []struct {
			Name string `json:"name"`
		} `json:"result"`
		Info struct {
			Cursor string `json:"cursor"`
		} `json:"result_info"`
	}
	if err := json.Unmarshal(body, &listed); err != nil {
		return nil, "", fmt.Errorf("listing keys: %w: the answer is not a list", errUnavailable)
	}
	for _, one := range listed.Result {
		keys = append(keys, one.Name)
	}
	return keys, listed.Info.Cursor, nil
}

// list returns all keys with a prefix: one call for each page.
func (s *store) list(ctx context.Context, prefix string) (keys []string, err error) {
	for cursor := ""; ; {
		page, next, err := s.page(ctx, prefix, cursor, maxPage)
		if err != nil {
			return nil, err
		}
		keys = append(keys, page...)
		if cursor = next; cursor == "" {
			return keys, nil
		}
	}
}

// all returns the values of keys, in their order; nil for one that is missing. Up to maxTogether keys are read one by
// one, in parallel; more are read together, lest they exceed what an invocation may do.
func (s *store) all(ctx context.Context, keys []string) ([][]byte, error) {
	if len(keys) > maxTogether {
		return s.together(ctx, keys)
	}
	values := make([][]byte, len(keys))
	return values, inParallel(len(keys), func(i int) (err error) {
		values[i], err = s.get(ctx, keys[i])
		return err
	})
}

// together reads keys in as few calls as possible.
func (s *store) together(ctx context.Context, keys []string) ([][]byte, error) {
	values := make([][]byte, len(keys))
	calls := (len(keys) + maxTogether - 1) / maxTogether
	return values, inParallel(calls, func(i int) error {
		from := i * maxTogether
		some := keys[from:min(from+maxTogether, len(keys))]
		asked, err := json.Marshal(map[string]any{"keys": some})
		if err != nil {
			return fmt.Errorf("reading keys: %w", err)
		}
		body, _, err := s.do(ctx, operation{what: "reading keys", method: http.MethodPost, path: "/bulk/get",
			body: asked, kind: "application/json"})
		if err != nil {
			return err
		}
		var found struct {
			Result struct {
				Values map[string]*string `json:"values"`
			} `json:"result"`
		}
		if err := json.Unmarshal(body, &found); err != nil {
			return fmt.Errorf("reading keys: %w: the answer is not a list of values", errUnavailable)
		}
		for j, key := range some {
			if value := found.Result.Values[key]; value != nil {
				values[from+j] = []byte(*value)
			}
		}
		return nil
	})
}

// removeAll deletes keys: up to maxTogether one by one, in parallel; more of them together.
func (s *store) removeAll(ctx context.Context, keys []string) error {
	if len(keys) <= maxTogether {
		return inParallel(len(keys), func(i int) error { return s.remove(ctx, keys[i]) })
	}
	for len(keys) > 0 {
		n := min(len(keys), maxDeleted)
		if err := s.removeTogether(ctx, keys[:n]); err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}

func (s *store) removeTogether(ctx context.Context, keys []string) error {
	asked, err := json.Marshal(keys)
	if err != nil {
		return fmt.Errorf("deleting keys: %w", err)
	}
	body, _, err := s.do(ctx, operation{what: "deleting keys", method: http.MethodPost, path: "/bulk/delete",
		body: asked, kind: "application/json"})
	if err != nil {
		return err
	}
	var answered struct {
		Result struct {
			Failed []string `json:"unsuccessful_keys"`
		} `json:"result"`
	}
	if json.Unmarshal(body, &answered) == nil && len(answered.Result.Failed) > 0 {
		return fmt.Errorf("deleting keys: %w", errThrottled)
	}
	return nil
}

// maxParallel is how many calls one request has in flight: Cloudflare lets a Worker have six open connections.
const maxParallel = 6

// inParallel calls do for 0 to n-1, at most maxParallel at once, and joins their errors.
func inParallel(n int, do func(i int) error) error {
	errs := make([]error, n)
	var taken atomic.Int64
	work := func() {
		for i := int(taken.Add(1)) - 1; i < n; i = int(taken.Add(1)) - 1 {
			errs[i] = do(i)
		}
	}
	var all sync.WaitGroup
	for range min(n, maxParallel) - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
	return errors.Join(errs...)
}
