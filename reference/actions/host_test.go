package actions_test

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/store/storetest"
	"github.com/storespec/storespec/reference/actions"
)

// host is the whole server on loopback, on a store in memory.
type host struct {
	url    string
	client *http.Client
	config actions.Config
	newID  func() string
}

// lease is a store in memory, and the configuration of a server on it. env is what else the server is given.
func lease(tb testing.TB, env map[string]string) actions.Config {
	tb.Helper()
	leased := storetest.Lease(tb)
	all := map[string]string{"ACTIONS_TABLE_CONNECTION": leased.Direct()["connection"], "STORAGE_RETRY_DELAY": "1ms"}
	maps.Copy(all, env)
	config, err := actions.FromEnv(func(name string) string { return all[name] })
	if err != nil {
		tb.Fatal(err)
	}
	config.Storage = leased.Transport()
	return config
}

func startHost(tb testing.TB, env map[string]string) *host {
	tb.Helper()
	return startOn(tb, lease(tb, env))
}

// startOn starts another server on a store.
func startOn(tb testing.TB, config actions.Config) *host {
	tb.Helper()
	return startAt(tb, config, time.Now)
}

// startAt starts a server with a clock of its own.
func startAt(tb testing.TB, config actions.Config, now func() time.Time) *host {
	tb.Helper()
	h := &host{config: config, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
		newID: rand.Text}
	server, err := actions.New(config, now, h.newID, slog.New(slog.NewJSONHandler(io.Discard, nil)))
	if err != nil {
		tb.Fatal(err)
	}
	listening := httptest.NewServer(server)
	h.url = listening.URL
	tb.Cleanup(func() {
		h.client.CloseIdleConnections()
		listening.Close()
		if err := server.Close(); err != nil {
			tb.Error(err)
		}
	})
	return h
}

// answer is what the server answered.
type answer struct {
	status int
	header http.Header
	body   string
}

// field is a field of the answer's object.
func (a answer) field(name string) any {
	var fields map[string]any
	if err := json.Unmarshal([]byte(a.body), &fields); err != nil {
		return err
	}
	return fields[name]
}

// try sends a request. Its error is for tests that ask from many goroutines.
func (h *host) try(method, path, body string) (answer, error) {
	request, err := http.NewRequest(method, h.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	response, err := h.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(data)}, err
}

func (h *host) ask(tb testing.TB, method, path, body string) answer {
	tb.Helper()
	a, err := h.try(method, path, body)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}
