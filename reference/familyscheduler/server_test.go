package familyscheduler

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storespec/storespec/reference/environment"
)

// fakeAccount answers the few calls these tests need from a table of answers. What a store really does is for the
// features.
type fakeAccount struct {
	mu      sync.Mutex
	blobs   map[string]string // name → content
	rows    map[string]string // path of a point read → entity
	down    bool
	full    bool     // refuses every row for its size
	calls   []string // without provisioning
	created int
	headers []http.Header
}

func (a *fakeAccount) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.headers = append(a.headers, r.Header.Clone())
	if a.down {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	path := strings.TrimPrefix(r.URL.Path, "/acc/")
	if path == "Tables" || r.URL.Query().Get("restype") == "container" {
		a.created++
		w.WriteHeader(http.StatusCreated)
		return
	}
	a.calls = append(a.calls, r.Method+" "+path)
	if a.full && r.Method != http.MethodGet {
		w.Header().Set("x-ms-error-code", "EntityTooLarge")
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if blob, ok := a.blobs[strings.TrimPrefix(path, "state/")]; ok {
		w.Header().Set("ETag", `"1"`)
		_, _ = io.WriteString(w, blob)
		return
	}
	if row, ok := a.rows[path]; ok {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, row)
		return
	}
	w.Header().Set("x-ms-error-code", "ResourceNotFound")
	w.WriteHeader(http.StatusNotFound)
}

func (a *fakeAccount) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	calls := a.calls
	a.calls = nil
	return calls
}

const testSession = "session-of-ana-1"

func open(t *testing.T, a *fakeAccount, log io.Writer) *Server {
	t.Helper()
	host := httptest.NewServer(a)
	t.Cleanup(host.Close)
	connection := fmt.Sprintf("DefaultEndpointsProtocol=http;AccountName=acc;AccountKey=a2V5;"+
		"TableEndpoint=%[1]s/acc;BlobEndpoint=%[1]s/acc;", host.URL)
	s, err := New(Config{
		TablesConnection: connection, BlobsConnection: connection, Container: "state", MagicLinkSecret: "s",
		Patience: environment.Patience{MaxRetries: 1, RetryDelay: time.Microsecond, TryTimeout: 5 * time.Second},
	}, time.Now, func() string { return "id" }, slog.New(slog.NewJSONHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func ask(s *Server, method, path, session, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if session != "" {
		r.Header.Set("x-session-id", session)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func withSession(kind string) *fakeAccount {
	return &fakeAccount{
		blobs: map[string]string{sessionBlob(testSession): `{"v":1,"kind":"` + kind +
			`","email":"ana@x.com","gsid":"7","scopeGroupId":"mine","expiresAt":"2999-01-01T00:00:00Z"}`},
		rows: map[string]string{},
	}
}

func (a *fakeAccount) row(key entity, table, columns string) {
	path := fmt.Sprintf("%s(PartitionKey='%s',RowKey='%s')", table, key.PartitionKey, key.RowKey)
	a.rows[path] = fmt.Sprintf(`{"PartitionKey":%q,"RowKey":%q,%s}`, key.PartitionKey, key.RowKey, columns)
}

// The order of the checks: 401, 413 and 400 for the body, 403 forbidden, 403 not_allowed, 404, 400 for other fields.
func TestOrderOfChecks(t *testing.T) {
	ana := userKeyOf("ana@x.com")
	for name, c := range map[string]struct {
		kind, path, session, body string
		code                      string
		calls                     int // of the store
	}{
		"no session":                   {kindFull, "/api/chat", "", `{`, "unauthorized", 0},
		"a session that cannot be one": {kindFull, "/api/chat", "short", `{`, "unauthorized", 0},
		"an unknown session":           {kindFull, "/api/chat", "unknown-1", `{`, "unauthorized", 1},
		"no JSON":                      {kindFull, "/api/chat", testSession, `{`, "bad_request", 1},
		"a group that cannot be one":   {kindFull, "/api/chat", testSession, `{"groupId":"a/b"}`, "bad_request", 1},
		"a stranger, other fields wrong": {kindFull, "/api/chat", testSession, `{"groupId":"other","message":1}`,
			"not_allowed", 2},
		"an invited caller": {kindFull, "/api/chat", testSession, `{"groupId":"invited"}`, "not_allowed",
			2},
		"a removed caller": {kindFull, "/api/chat", testSession, `{"groupId":"removed"}`, "not_allowed",
			2},
		"a removed caller removes another": {kindFull, "/api/group/remove-member", testSession,
			`{"groupId":"removed","userKey":"x"}`, "not_allowed", 2},
		"a member of a deleted group": {kindFull, "/api/chat", testSession, `{"groupId":"deleted","message":1}`,
			"group_not_found", 3},
		"a member of an unfinished group": {kindFull, "/api/chat", testSession, `{"groupId":"unfinished"}`,
			"group_not_found", 3},
		"a member, other fields wrong": {kindFull, "/api/chat", testSession, `{"groupId":"mine","message":1}`,
			"bad_request", 3},
		"a guest elsewhere":     {kindGrace, "/api/chat", testSession, `{"groupId":"other"}`, "forbidden", 1},
		"a guest who renames":   {kindGrace, "/api/group/rename", testSession, `{"groupId":"mine"}`, "forbidden", 1},
		"a guest without a row": {kindGrace, "/api/chat", testSession, `{"groupId":"mine"}`, "not_allowed", 2},
	} {
		t.Run(name, func(t *testing.T) {
			a := withSession(c.kind)
			for group, status := range map[string]string{"invited": "invited", "removed": "removed",
				"deleted": "active", "unfinished": "active", "mine": "active"} {
				a.row(memberEntityKey(group, ana), tableGroupMembers,
					fmt.Sprintf(`"userKey":%q,"status":%q`, ana, status))
			}
			a.row(groupKey("deleted"), tableGroups, `"groupId":"deleted","isDeleted":true`)
			a.row(groupKey("mine"), tableGroups, `"groupId":"mine"`)
			w := ask(open(t, a, io.Discard), "POST", c.path, c.session, c.body)
			if !strings.Contains(w.Body.String(), `"error":"`+c.code+`"`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if calls := a.take(); len(calls) != c.calls {
				t.Errorf("storage calls: %q", calls)
			}
		})
	}
}

func TestAnswersDoNotTellWhetherAGroupExists(t *testing.T) {
	a := withSession(kindFull)
	a.row(groupKey("foreign"), tableGroups, `"groupId":"foreign"`)
	s := open(t, a, io.Discard)
	trace := regexp.MustCompile(`[0-9a-f]{32}`)
	foreign := trace.ReplaceAllString(ask(s, "GET", "/api/group/meta?groupId=foreign", testSession, "").Body.String(),
		"")
	unknown := trace.ReplaceAllString(ask(s, "GET", "/api/group/meta?groupId=unknown", testSession, "").Body.String(),
		"")
	if foreign != unknown || !strings.Contains(foreign, "not_allowed") {
		t.Errorf("%s\n%s", foreign, unknown)
	}
}

func TestTablesAreCreatedOnceAndAgainAfterAFailure(t *testing.T) {
	var log bytes.Buffer
	a := withSession(kindFull)
	a.down = true
	s := open(t, a, &log)
	if w := ask(s, "GET", "/api/health", "", ""); w.Code != 200 || len(a.headers) != 0 {
		t.Errorf("health: %d after %d storage calls", w.Code, len(a.headers))
	}
	w := ask(s, "GET", "/api/user/profile", testSession, "")
	if w.Code != 503 || w.Header().Get("Retry-After") != "1" ||
		!strings.Contains(w.Body.String(), "storage_unavailable") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	a.mu.Lock()
	a.down = false
	a.mu.Unlock()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if w := ask(s, "GET", "/api/user/profile", testSession, ""); w.Code != 200 {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	all.Wait()
	if want := len(allTables()) + 1; a.created != want {
		t.Errorf("%d creations, want %d", a.created, want)
	}
	if strings.Contains(log.String(), testSession) || strings.Contains(log.String(), "ana@x.com") {
		t.Errorf("the log names a session or a person: %s", log.String())
	}
}

// What a client sends always fits, so neither it nor a repetition is to blame.
func TestARowThatTheStoreHasNoRoomForIsUnexpected(t *testing.T) {
	a := withSession(kindFull)
	a.full = true
	w := ask(open(t, a, io.Discard), "PUT", "/api/user/profile", testSession, `{"displayName":"Ana"}`)
	if w.Code != 500 || !strings.Contains(w.Body.String(), `"error":"internal_error"`) ||
		w.Header().Get("Retry-After") != "" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if calls := a.take(); len(calls) != 3 {
		t.Errorf("storage calls: %q", calls)
	}
}

func TestCallsCarryIDsAndTheTrace(t *testing.T) {
	const header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	a := withSession(kindFull)
	s := open(t, a, io.Discard)
	r := httptest.NewRequest("GET", "/api/user/profile", nil)
	r.Header.Set("x-session-id", testSession)
	r.Header.Set("traceparent", header)
	s.ServeHTTP(httptest.NewRecorder(), r)
	ids := map[string]bool{}
	for _, h := range a.headers {
		ids[h.Get("x-ms-client-request-id")] = true
		if h.Get("traceparent") != header {
			t.Errorf("traceparent %q", h.Get("traceparent"))
		}
	}
	if len(ids) != len(a.headers) || ids[""] || len(ids) < 13 {
		t.Errorf("%d ids for %d calls", len(ids), len(a.headers))
	}
	a.mu.Lock()
	a.down, a.headers = true, nil
	a.mu.Unlock()
	ask(s, "GET", "/api/user/profile", testSession, "")
	if len(a.headers) != 2 || a.headers[0].Get("x-ms-client-request-id") != a.headers[1].Get("x-ms-client-request-id") {
		t.Errorf("a call and its repetition must have one id: %d attempts", len(a.headers))
	}
}
