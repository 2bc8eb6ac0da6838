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

// emptyTable is a store that has no row, and takes each but no transaction.
type emptyTable struct{}

func (emptyTable) RoundTrip(r *http.Request) (*http.Response, error) {
	status := http.StatusNoContent
	switch {
	case r.Method == http.MethodGet:
		status = http.StatusNotFound
	case strings.HasSuffix(r.URL.Path, "$batch"):
		status = http.StatusConflict
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Header: http.Header{}, Request: r}, r.Context().Err()
}

func TestTheTimeABodyTakesIsNotTheStores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := Config{
			TableConnection: "AccountName=a;AccountKey=YQ==;TableEndpoint=http://127.0.0.1:1/a", Table: "actions", Storage: emptyTable{},
		}
		config.Patience.TryTimeout = time.Second
		server, err := New(config, time.Now, func() string { return strings.Repeat("a", 22) }, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for path, body := range map[string]string{
			"/api/ActionsUpsert":       `{"owner":"o","name":"n"}`,
			"/api/ActionsUpsert/batch": `{"records":[{"owner":"o","name":"n"}]}`,
		} {
			answer := httptest.NewRecorder()
			server.ServeHTTP(answer, httptest.NewRequest("POST", path, &slowBody{strings.NewReader(body), storageDeadline + time.Second}))
			if answer.Code >= 300 {
				t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
			}
		}
	})
}
