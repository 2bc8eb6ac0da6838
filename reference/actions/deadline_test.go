package actions

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// emptyTable is a store that has no row, and answers what is written with a status.
type emptyTable struct {
	alone, together int // of a row, and of a transaction
	writes          *int
}

func (e emptyTable) RoundTrip(r *http.Request) (*http.Response, error) {
	status := http.StatusNoContent
	switch {
	case r.Method == http.MethodGet:
		status = http.StatusNotFound
	case strings.HasSuffix(r.URL.Path, "/actions"):
		status = e.alone
		*e.writes++
	case strings.HasSuffix(r.URL.Path, "$batch"):
		status = e.together
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Header: http.Header{}, Request: r}, r.Context().Err()
}

// serverOn is a server on a store that needs no connection, for tests of time.
func serverOn(t *testing.T, storage http.RoundTripper) *Server {
	t.Helper()
	config := Config{TableConnection: "AccountName=a;AccountKey=YQ==;TableEndpoint=http://127.0.0.1:1/a",
		Table: "actions", Storage: storage}
	config.Patience.TryTimeout = time.Second
	server, err := New(config, time.Now, func() string { return strings.Repeat("a", 22) },
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// slowBody is a body whose sender takes a while.
type slowBody struct {
	io.Reader
	takes time.Duration
}

func (b *slowBody) Read(p []byte) (int, error) {
	time.Sleep(b.takes)
	b.takes = 0
	return b.Reader.Read(p)
}

// ways are a record on its own and in a batch.
var ways = map[string]string{
	"/api/ActionsUpsert":       `{"owner":"o","name":"n"}`,
	"/api/ActionsUpsert/batch": `{"records":[{"owner":"o","name":"n"}]}`,
}

func TestTheTimeABodyTakesIsNotTheStores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := serverOn(t, emptyTable{http.StatusNoContent, http.StatusConflict, new(int)})
		for path, body := range ways {
			answer := httptest.NewRecorder()
			server.ServeHTTP(answer,
				httptest.NewRequest("POST", path, &slowBody{strings.NewReader(body), storageDeadline + time.Second}))
			if answer.Code >= 300 || !strings.Contains(answer.Body.String(), `"created":true`) {
				t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
			}
		}
	})
}

// TestWhoAlwaysLosesIsToldToTryAgain: others change the record between each read and write, without end.
func TestWhoAlwaysLosesIsToldToTryAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for path, body := range ways {
			writes := 0
			server, answer := serverOn(t, emptyTable{http.StatusConflict, http.StatusConflict, &writes}),
				httptest.NewRecorder()
			server.ServeHTTP(answer, httptest.NewRequest("POST", path, strings.NewReader(body)))
			if !strings.Contains(answer.Body.String(), `"errorCode":"CONFLICT"`) || writes != maxAttempts {
				t.Errorf("%s: %d %s after %d writes", path, answer.Code, answer.Body, writes)
			}
			if answer.Code == http.StatusConflict && answer.Header().Get("Retry-After") != "1" {
				t.Errorf("%s: %v", path, answer.Header())
			}
		}
	})
}
