package familyscheduler_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/storetest"
	"github.com/storespec/storespec/reference"
)

// host is the whole server on loopback, on a store in memory.
type host struct {
	url, outbox string
	client      *http.Client
}

func startHost(tb testing.TB) *host { return startHostOver(tb, (*store.Lease).Transport) }

// startHostOverSockets reaches the store as one on another machine is reached.
func startHostOverSockets(tb testing.TB) *host {
	return startHostOver(tb, func(*store.Lease) http.RoundTripper { return nil })
}

func startHostOver(tb testing.TB, transport func(*store.Lease) http.RoundTripper) *host {
	tb.Helper()
	lease := storetest.Lease(tb)
	h := &host{outbox: tb.TempDir(), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	env := map[string]string{
		"AZURE_TABLES_CONNECTION_STRING": lease.Direct()["connection"],
		"AzureWebJobsStorage":            lease.Direct()["connection"],
		"MAGIC_LINK_SECRET":              "a-secret-that-nobody-guesses", "MAGIC_LINK_OUTBOX": h.outbox,
	}
	server, err := reference.Open("familyscheduler", func(name string) string { return env[name] }, transport(lease),
		slog.New(slog.NewJSONHandler(io.Discard, nil)))
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

// post sends JSON and gives the answer, which must be 200.
func (h *host) post(tb testing.TB, session, path string, body map[string]any) map[string]any {
	tb.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		tb.Fatal(err)
	}
	request, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, h.url+path, bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	request.Header.Set("x-session-id", session)
	answer, err := h.client.Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	defer answer.Body.Close()
	var decoded map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&decoded); err != nil || answer.StatusCode != http.StatusOK {
		tb.Fatalf("%s: %d %v %v", path, answer.StatusCode, decoded, err)
	}
	return decoded
}

// signIn is the session of somebody who signs in by link.
func (h *host) signIn(tb testing.TB, email string) string {
	tb.Helper()
	h.post(tb, "", "/api/auth/request-link", map[string]any{"email": email})
	link, err := url.Parse(h.linkFor(tb, email))
	if err != nil {
		tb.Fatal(err)
	}
	opened := h.post(tb, "", "/api/auth/consume-link", map[string]any{"token": link.Query().Get("token")})
	return opened["sessionId"].(string)
}

func (h *host) createGroup(tb testing.TB, session, name string) string {
	tb.Helper()
	return h.post(tb, session, "/api/group/create", map[string]any{"groupName": name})["groupId"].(string)
}

// linkFor is the address of the sign-in link in the outbox.
func (h *host) linkFor(tb testing.TB, email string) string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(h.outbox, "*.json"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		var link struct{ Email, Link string }
		if err := json.Unmarshal(data, &link); err == nil && link.Email == email {
			if err := os.Remove(file); err != nil {
				tb.Fatal(err)
			}
			return h.url + link.Link
		}
	}
	tb.Fatalf("the outbox holds no link, among %d", len(files))
	return ""
}
