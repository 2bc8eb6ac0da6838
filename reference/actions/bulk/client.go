package bulk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// requestWithin is how long a batch may take: a hundred transactions on a slow store.
	requestWithin = 2 * time.Minute
	// maxAnswer limits how much of an answer is read: a hundred results are about 20 KB.
	maxAnswer = 4 << 20
)

// client implements the contract of the system actions.
type client struct {
	url    string // without a trailing slash
	header http.Header
	http   *http.Client
	now    func() time.Time
}

func newClient(url string, header http.Header, parallel int, now func() time.Time) *client {
	transport := &http.Transport{MaxIdleConnsPerHost: parallel, MaxConnsPerHost: parallel,
		Proxy: http.ProxyFromEnvironment}
	return &client{strings.TrimRight(url, "/"), header, &http.Client{
		Transport: transport,
		Timeout:   requestWithin,
		// a POST does not survive a redirect
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, now}
}

func (c *client) close() { c.http.CloseIdleConnections() }

// verdict is the server's result for one record.
type verdict struct {
	Status  int    `json:"status"`
	Updated bool   `json:"updated"`
	Created bool   `json:"created"`
	Code    string `json:"errorCode"`
}

// refusal is a request that was not answered as a whole.
type refusal struct {
	status int // 0: no answer
	code   string
	after  time.Duration // Retry-After; 0: none
	err    error
}

func (r *refusal) Error() string {
	if r.err != nil {
		return r.err.Error()
	}
	return strings.TrimSpace(fmt.Sprintf("answered %d %s", r.status, r.code))
}

func (r *refusal) Unwrap() error { return r.err }

// reachable requests the server's health; any answer will do.
func (c *client) reachable(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/api/health", nil)
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// batch sends records to the batch route, and returns a verdict for each. Errors: *refusal.
func (c *client) batch(ctx context.Context, records []record) ([]verdict, error) {
	readers, length := make([]io.Reader, 0, 2*len(records)+1), int64(0)
	add := func(text []byte) { readers, length = append(readers, bytes.NewReader(text)), length+int64(len(text)) }
	before := []byte(`{"records":[`)
	for _, r := range records {
		add(before)
		add(r.text)
		before = []byte(",")
	}
	add([]byte("]}"))
	var answer struct{ Results []verdict }
	if _, err := c.post(ctx, "/api/ActionsUpsert/batch", io.MultiReader(readers...), length, &answer); err != nil {
		return nil, err
	}
	if len(answer.Results) != len(records) {
		return nil, &refusal{status: http.StatusOK,
			err: fmt.Errorf("answered a batch of %d with %d results", len(records), len(answer.Results))}
	}
	for _, v := range answer.Results {
		if v.Status == 0 {
			return nil, &refusal{status: http.StatusOK,
				err: errors.New("answered a batch with a result that has no status")}
		}
	}
	return answer.Results, nil
}

// single sends one record to the single-record route. Errors: *refusal.
func (c *client) single(ctx context.Context, r record) (verdict, error) {
	var v verdict
	status, err := c.post(ctx, "/api/ActionsUpsert", bytes.NewReader(r.text), int64(len(r.text)), &v)
	v.Status = status
	return v, err
}

// post sends a body and decodes the answer into into if it succeeds.
func (c *client) post(ctx context.Context, route string, body io.Reader, length int64, into any) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+route, body)
	if err != nil {
		return 0, &refusal{err: err}
	}
	request.Header = c.header.Clone()
	if request.Header == nil {
		request.Header = http.Header{}
	}
	request.Header.Set("Content-Type", "application/json")
	request.ContentLength = length
	response, err := c.http.Do(request)
	if err != nil {
		return 0, &refusal{err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return 0, &refusal{err: fmt.Errorf("read the answer: %w", err)}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		var problem struct{ ErrorCode string }
		_ = json.Unmarshal(text, &problem) // the status says enough
		return response.StatusCode, &refusal{status: response.StatusCode, code: word(problem.ErrorCode),
			after: retryAfter(response.Header, c.now())}
	}
	if err := json.Unmarshal(text, into); err != nil {
		return response.StatusCode, &refusal{status: response.StatusCode,
			err: fmt.Errorf("answered %d without the JSON of its contract", response.StatusCode)}
	}
	return response.StatusCode, nil
}

// word returns a code of the contract unchanged, and nothing for anything else a server might send there.
func word(code string) string {
	if len(code) > 64 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return ""
	}
	return code
}

// retryAfter parses the header (RFC 9110, 10.2.3): seconds or a date.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}
