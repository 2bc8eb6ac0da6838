package lovehunt_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/store/storetest"
	"github.com/storespec/storespec/reference/lovehunt"
)

// account is a store in memory, for servers and tools in any phase.
type account struct {
	env     map[string]string
	storage http.RoundTripper
}

func lease(tb testing.TB) account {
	tb.Helper()
	leased := storetest.Lease(tb)
	return account{map[string]string{
		"AZURE_STORAGE_CONNECTION_STRING": leased.Direct()["connection"], "STORAGE_RETRY_DELAY": "1ms",
	}, leased.Transport()}
}

func (a account) config(tb testing.TB, phase string) lovehunt.Config {
	tb.Helper()
	env := maps.Clone(a.env)
	env["MIGRATION_PHASE"] = phase
	config, err := lovehunt.FromEnv(func(name string) string { return env[name] })
	if err != nil {
		tb.Fatal(err)
	}
	config.Storage = a.storage
	return config
}

var silent = slog.New(slog.DiscardHandler)

// tools opens the tools on an account whose calls go through a transport; nil: the account's own.
func (a account) tools(tb testing.TB, phase string, through http.RoundTripper) *lovehunt.Tools {
	tb.Helper()
	config := a.config(tb, phase)
	if through != nil {
		config.Storage = through
	}
	tools, err := lovehunt.NewTools(config, time.Now, silent)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(tools.Close)
	return tools
}

// server is a server on loopback.
type server struct {
	tb     testing.TB
	url    string
	client *http.Client
}

func (a account) start(tb testing.TB, phase string) *server {
	tb.Helper()
	handler, err := lovehunt.New(a.config(tb, phase), time.Now, silent)
	if err != nil {
		tb.Fatal(err)
	}
	listening := httptest.NewServer(handler)
	tb.Cleanup(func() {
		listening.Close()
		if err := handler.Close(); err != nil {
			tb.Error(err)
		}
	})
	return &server{tb, listening.URL, listening.Client()}
}

// ask sends a request and returns the answer's data; the test fails if the status is not the one expected.
func (s *server) ask(method, path, body string, status int) json.RawMessage {
	s.tb.Helper()
	request, err := http.NewRequestWithContext(s.tb.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.tb.Fatal(err)
	}
	if method == http.MethodPut && path != "/api/v2/app" { // whose first write replaces nothing
		request.Header.Set("If-Match", "*")
	}
	answer, err := s.client.Do(request)
	if err != nil {
		s.tb.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.tb.Fatal(err)
	}
	if answer.StatusCode != status {
		s.tb.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	var whole struct{ Data json.RawMessage }
	if len(text) > 0 {
		if err := json.Unmarshal(text, &whole); err != nil {
			s.tb.Fatal(err)
		}
	}
	return whole.Data
}

// fill stores organizations of blobs, each with hunts of one day on dates that begin at an offset.
func (a account) fill(tb testing.TB, organizations, hunts, days int) {
	tb.Helper()
	s := a.start(tb, "blob-only")
	first := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range organizations {
		s.ask(http.MethodPost, "/api/v2/organizations",
			fmt.Sprintf(`{"slug":"org-%03d","orgName":"Lions %d"}`, i, i), 201)
		for j := range hunts {
			date := first.AddDate(0, 0, (i+j)%days).Format(time.DateOnly)
			s.ask(http.MethodPost, fmt.Sprintf("/api/v2/hunts/org-%03d", i), fmt.Sprintf(
				`{"huntId":"hunt-%03d","huntName":"Hunt %d","startDate":%q,"endDate":%q}`, j, j, date, date), 201)
		}
	}
}

// dying lets some calls through and breaks all others, as if the process had been killed.
type dying struct {
	calls chan struct{} // one for each call that is let through
	next  http.RoundTripper
}

func dieAfter(calls int, next http.RoundTripper) *dying {
	d := &dying{make(chan struct{}, calls), next}
	for range calls {
		d.calls <- struct{}{}
	}
	return d
}

func (d *dying) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-d.calls:
		return d.next.RoundTrip(r)
	default:
		return nil, io.ErrUnexpectedEOF
	}
}

// counting counts writes.
type counting struct {
	next   http.RoundTripper
	writes chan string
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/Tables") && r.URL.Query().Get("restype") == "" {
		c.writes <- r.Method + " " + r.URL.Path
	}
	return c.next.RoundTrip(r)
}
