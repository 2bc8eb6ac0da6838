package c4lendar

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// get returns a value; nil: there is none.
func (s *store) get(ctx context.Context, key string) ([]byte, error) {
	return s.do(ctx, operation{method: http.MethodGet, path: valuePath(key)})
}

// put writes a value, which lives for ttl; 0: forever.
func (s *store) put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	path := valuePath(key)
	if ttl > 0 {
		path += "?expiration_ttl=" + strconv.Itoa(int(ttl.Seconds()))
	}
	_, err := s.do(ctx, operation{method: http.MethodPut, path: path, body: value})
	return err
}

// putJSON is put of a value in JSON.
func (s *store) putJSON(ctx context.Context, key string, value any, ttl time.Duration) error {
	return s.put(ctx, key, marshalled(value), ttl)
}

// remove deletes a key, which need not exist.
func (s *store) remove(ctx context.Context, key string) error {
	_, err := s.do(ctx, operation{method: http.MethodDelete, path: valuePath(key)})
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
	body, err := s.do(ctx, operation{method: http.MethodGet,
		path: "/keys?" + query.Encode()})
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
func (s *store) together(ctx context.Context, keys []string) (values [][]byte, _ error) {
	for some := range slices.Chunk(keys, maxTogether) {
		body, err := s.do(ctx, operation{method: http.MethodPost, path: "/bulk/get",
			body: marshalled(map[string]any{"keys": some})})
		if err != nil {
			return nil, err
		}
		var found struct {
			Result struct {
				Values map[string]*string `json:"values"`
			} `json:"result"`
		}
		if err := json.Unmarshal(body, &found); err != nil {
			return nil, fmt.Errorf("reading keys: %w: the answer is not a list of values", errUnavailable)
		}
		for _, key := range some {
			value := found.Result.Values[key]
			if value == nil {
				values = append(values, nil)
				continue
			}
			values = append(values, []byte(*value))
		}
	}
	return values, nil
}

// removeAll deletes keys: up to maxTogether one by one, in parallel; more of them together.
func (s *store) removeAll(ctx context.Context, keys []string) error {
	if len(keys) <= maxTogether {
		return inParallel(len(keys), func(i int) error { return s.remove(ctx, keys[i]) })
	}
	for some := range slices.Chunk(keys, maxTogether) {
		if err := s.removeTogether(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) removeTogether(ctx context.Context, keys []string) error {
	body, err := s.do(ctx, operation{method: http.MethodPost, path: "/bulk/delete",
		body: marshalled(keys)})
	if err != nil {
		return err
	}
	var answered struct {
		Result struct {
			Failed []string `json:"unsuccessful_keys"`
		} `json:"result"`
	}
	if json.Unmarshal(body, &answered) != nil || len(answered.Result.Failed) > 0 {
		return fmt.Errorf("deleting keys: %w", errThrottled)
	}
	return nil
}

// maxParallel is how many calls one request has in flight: Cloudflare lets a Worker have six open connections.
const maxParallel = 6

// inParallel calls do for 0 to n-1, at most maxParallel at once, and returns the first error. All calls are made.
func inParallel(n int, do func(i int) error) error {
	var all errgroup.Group
	all.SetLimit(maxParallel)
	for i := range n {
		all.Go(func() error { return do(i) })
	}
	return all.Wait()
}
