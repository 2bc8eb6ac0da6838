// Package wiretest helps tests of package wire and of its protocols.
package wiretest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// Exchange is a request as it is on the wire, and a store's answer.
type Exchange struct {
	Protocol wire.Protocol
	Method   string
	Target   string // path and query as sent
	Host     string // 127.0.0.1:10002 if empty
	Header   map[string]string
	Body     string

	Status       int // 200 if 0
	AnswerHeader map[string]string
	Answer       string
}

// Record runs an exchange through a recorder of its own and gives its call, without times.
func (e Exchange) Record(t *testing.T) wire.Call {
	t.Helper()
	rec := wire.NewRecorder()
	e.Through(t, rec)
	calls := rec.Calls()
	if len(calls) != 1 {
		t.Fatalf("%d calls, want 1", len(calls))
	}
	call := calls[0]
	call.Start, call.Duration = time.Time{}, 0
	return call
}

// Through runs an exchange through a recorder.
func (e Exchange) Through(t *testing.T, rec *wire.Recorder) {
	t.Helper()
	req := httptest.NewRequest(e.Method, e.Target, strings.NewReader(e.Body))
	req.Host = e.Host
	if e.Host == "" {
		req.Host = "127.0.0.1:10002"
	}
	for name, value := range e.Header {
		req.Header.Set(name, value)
	}
	rec.Handler(e.Protocol, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err != nil || string(body) != e.Body {
			t.Errorf("the store read %q, %v", body, err)
		}
		w.Header().Set("Content-Type", "application/json;odata=minimalmetadata")
		for name, value := range e.AnswerHeader {
			w.Header().Set(name, value)
		}
		if e.Status != 0 {
			w.WriteHeader(e.Status)
		}
		_, _ = io.WriteString(w, e.Answer)
	})).ServeHTTP(httptest.NewRecorder(), req)
}
