package c4lendar_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
	"github.com/storespec/storespec/reference/c4lendar"
)

// host is a server with a namespace in memory, and Google and Telegram.
type host struct {
	tb      testing.TB
	lease   *store.Lease
	storage *wires
	google  *outside
	server  http.Handler
	logged  *bytes.Buffer
	env     map[string]string
}

func newHost(tb testing.TB) *host {
	tb.Helper()
	opened, err := stores.OpenFirst(tb.Context(), "kv", store.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = opened.Close(context.WithoutCancel(tb.Context())) })
	lease, err := opened.Lease(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(lease.Release)
	h := &host{tb: tb, lease: lease, storage: &wires{next: lease.Transport()}, google: newOutside(tb),
		logged: &bytes.Buffer{}}
	at := lease.Direct()
	h.env = map[string]string{
		"CLOUDFLARE_API_BASE_URL": at["kv-api"], "CLOUDFLARE_ACCOUNT_ID": at["kv-account"],
		"KV_NAMESPACE_ID": at["kv-namespace"], "CLOUDFLARE_API_TOKEN": at["kv-token"], "ADMIN_TOKEN": "admin",
		"ENCRYPTION_KEY": "0123456789abcdef0123456789abcdef", "TELEGRAM_BOT_TOKEN": "4711:bot",
		"TELEGRAM_WEBHOOK_SECRET": "hook", "TELEGRAM_BASE_URL": h.google.url, "GOOGLE_CLIENT_ID": "id",
		"GOOGLE_CLIENT_SECRET": "secret", "GOOGLE_BASE_URL": h.google.url, "PUBLIC_URL": "https://bot.example",
		"STORAGE_RETRY_DELAY": "1ms", "STORAGE_MAX_RETRIES": "0",
	}
	h.open()
	return h
}

// open starts the server, also with another environment.
func (h *host) open() {
	h.tb.Helper()
	config, err := c4lendar.FromEnv(func(name string) string { return h.env[name] })
	if err != nil {
		h.tb.Fatal(err)
	}
	config.Storage = h.storage
	ids := 0
	newID := func() string { ids++; return fmt.Sprintf("state-%d", ids) }
	server, err := c4lendar.New(config, time.Now, newID, slog.New(slog.NewTextHandler(h.logged, nil)))
	if err != nil {
		h.tb.Fatal(err)
	}
	h.tb.Cleanup(func() { _ = server.Close() })
	h.server = server
}

// ask sends a request, which may be "METHOD path", with a body.
func (h *host) ask(request, body string) *httptest.ResponseRecorder {
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer admin")
	r.Header.Set("X-Telegram-Bot-Api-Secret-Token", "hook")
	w := httptest.NewRecorder()
	h.storage.begin()
	h.server.ServeHTTP(w, r)
	return w
}

// must is ask for a request that must be answered so. It returns the answer.
func (h *host) must(status int, request, body string) map[string]any {
	h.tb.Helper()
	w := h.ask(request, body)
	if w.Code != status {
		h.tb.Fatalf("%s: %d %s", request, w.Code, w.Body)
	}
	answer := map[string]any{}
	_ = json.Unmarshal(w.Body.Bytes(), &answer) // an empty one is none
	return answer
}

func (h *host) connect(chat, sub, email string) {
	h.tb.Helper()
	h.must(200, "PUT /api/chats/"+chat+"/connections/"+sub,
		`{"google_email":"`+email+`","refresh_token":"1//`+sub+`","connected_by_telegram_user_id":5}`)
}

// send delivers an update with a text.
func (h *host) send(status, update int, text string) {
	h.tb.Helper()
	h.must(status, "POST /telegram-webhook", message(update, text))
}

func message(update int, text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"update_id":%d,"message":{"date":%d,"chat":{"id":-100},"from":{"id":5},"text":%s}}`, update,
		1767606600+10*update, quoted)
}

// keys are all keys with their values, without what differs each time.
func (h *host) keys() map[string]string {
	h.tb.Helper()
	names, err := h.lease.Objects().List(h.tb.Context(), "KV")
	if err != nil {
		h.tb.Fatal(err)
	}
	found := map[string]string{}
	for _, name := range names {
		value, err := h.lease.Objects().Get(h.tb.Context(), "KV", name)
		if err != nil {
			h.tb.Fatal(err)
		}
		found[name] = differing.ReplaceAllString(string(value), `"$1":""`)
	}
	return found
}

var differing = regexp.MustCompile(`"(updated_at|created_at|refresh_token_encrypted)":"[^"]+"`)

func (h *host) put(key, value string) {
	h.tb.Helper()
	if err := h.lease.Objects().Put(h.tb.Context(), "KV", key, []byte(value)); err != nil {
		h.tb.Fatal(err)
	}
}

// wires carries storage calls, counts those of a request, and breaks one.
type wires struct {
	next http.RoundTripper

	mu    sync.Mutex
	calls []string
	fail  int  // which call of the request fails; 0: none
	lose  bool // it is made, but its answer is lost
}

func (w *wires) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls = nil
}

func (w *wires) breaking(call int, lose bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail, w.lose = call, lose
}

func (w *wires) made() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.calls)
}

func (w *wires) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	_, what, _ := strings.Cut(r.URL.Path, "/namespaces/")
	w.calls = append(w.calls, r.Method+" "+what)
	breaks, lose := len(w.calls) == w.fail, w.lose
	w.mu.Unlock()
	if breaks && !lose {
		return nil, io.ErrUnexpectedEOF
	}
	answer, err := w.next.RoundTrip(r)
	if breaks {
		return nil, io.ErrUnexpectedEOF
	}
	return answer, err
}

// outside is Google and Telegram.
type outside struct {
	url string

	mu      sync.Mutex
	answers map[string]func(body string) (status int, answer string) // by method and the beginning of the path
	asked   []string
}

func newOutside(tb testing.TB) *outside {
	o := &outside{answers: map[string]func(string) (int, string){}}
	server := httptest.NewServer(o)
	tb.Cleanup(server.Close)
	o.url = server.URL
	o.always("POST /token", 200, `{"access_token":"access","refresh_token":"1//fresh","scope":"calendar"}`)
	o.always("GET /oauth2/v2/userinfo", 200, `{"id":"77","email":"Ana@Example.com"}`)
	o.always("POST /calendar", 200, `{}`)
	o.always("PATCH /calendar", 200, `{}`)
	o.always("DELETE /calendar", 204, ``)
	o.always("POST /bot", 200, `{"ok":true}`)
	return o
}

func (o *outside) always(request string, status int, answer string) {
	o.scripted(request, func(string) (int, string) { return status, answer })
}

func (o *outside) scripted(request string, answer func(body string) (int, string)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answers[request] = answer
}

func (o *outside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	o.mu.Lock()
	defer o.mu.Unlock()
	request := r.Method + " " + r.URL.Path
	o.asked = append(o.asked, request+"\n"+r.Header.Get("Authorization")+"\n"+string(body))
	for start, answer := range o.answers {
		if strings.HasPrefix(request, start) {
			status, text := answer(string(body))
			w.WriteHeader(status)
			_, _ = io.WriteString(w, text)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

// sent returns the requests so far that begin so, and forgets all.
func (o *outside) sent(start string) (found []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, one := range o.asked {
		if strings.HasPrefix(one, start) {
			found = append(found, one)
		}
	}
	o.asked = nil
	return found
}

// anonymous sends a request without tokens.
func (h *host) anonymous(method, path string) (status int) {
	w := httptest.NewRecorder()
	h.storage.begin()
	h.server.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader("{}")))
	return w.Code
}
