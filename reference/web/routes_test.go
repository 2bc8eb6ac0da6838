package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestRouterAnswersInOneShape(t *testing.T) {
	var logged bytes.Buffer
	router := NewRouter([]Route{
		{Method: "GET", Path: "/ok", Handle: func(*Exchange) (Reply, error) { return OK{"a": 1}, nil }},
		{Method: "POST", Path: "/ok", Handle: func(*Exchange) (Reply, error) { return OK{}, nil }},
		{Method: "GET", Path: "/plain", Handle: func(*Exchange) (Reply, error) { return Plain{"a": 1}, nil }},
		{Method: "GET", Path: "/panic", Handle: func(*Exchange) (Reply, error) { panic("secret of ana@x.com") }},
		{Method: "GET", Path: "/unexpected",
			Handle: func(*Exchange) (Reply, error) { return nil, errors.New("inner") }},
		{Method: "GET", Path: "/down", Handle: func(*Exchange) (Reply, error) {
			return nil, &Error{Status: 503, Code: "down", Message: "m", RetryAfter: time.Millisecond}
		}},
	}, Standard, slog.New(slog.NewJSONHandler(&logged, nil)))
	for name, c := range map[string]struct {
		method, path string
		status       int
		code         string
	}{
		"success":            {"GET", "/ok", 200, ""},
		"without a trace id": {"GET", "/plain", 200, ""},
		"unknown path":       {"GET", "/nope", 404, "not_found"},
		"the root":           {"GET", "/", 404, "not_found"},
		"a slash too many":   {"GET", "/ok/", 404, "not_found"},
		"an empty part":      {"GET", "//ok", 404, "not_found"},
		"a dot for a part":   {"GET", "/./ok", 404, "not_found"},
		"unknown method":     {"DELETE", "/ok", 405, "method_not_allowed"},
		"panic":              {"GET", "/panic", 500, "internal_error"},
		"unexpected error":   {"GET", "/unexpected", 500, "internal_error"},
		"an error of ours":   {"GET", "/down", 503, "down"},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			router.ServeHTTP(w, httptest.NewRequest(c.method, c.path+"?q=hidden", nil))
			var body struct {
				OK      bool
				Error   string
				Message string
				TraceID string
			}
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
				t.Fatal(err)
			}
			if w.Code != c.status || body.Error != c.code || body.OK != (c.status == 200 && c.path == "/ok") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			traced := regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(body.TraceID)
			if traced == (c.path == "/plain") {
				t.Errorf("trace id %q", body.TraceID)
			}
			if allow := w.Header().Get("Allow"); c.status == 405 && allow != "GET, HEAD, POST" {
				t.Errorf("Allow: %q", allow)
			}
			if retry := w.Header().Get("Retry-After"); c.status == 503 && retry != "1" {
				t.Errorf("Retry-After: %q", retry)
			}
		})
	}
	if text := logged.String(); strings.Contains(text, "ana@x.com") || strings.Contains(text, "hidden") {
		t.Errorf("the log holds parts of a request: %s", text)
	}
}

func TestTraceparentNamesTheRequest(t *testing.T) {
	const header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	var passedOn, traceID string
	router := NewRouter([]Route{{Method: "GET", Path: "/", Handle: func(x *Exchange) (Reply, error) {
		passedOn, traceID = Traceparent(x.Request.Context()), x.TraceID
		return OK{}, nil
	}}}, Standard, slog.New(slog.DiscardHandler))
	ask := func(value string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("traceparent", value)
		router.ServeHTTP(httptest.NewRecorder(), r)
	}
	if ask(header); passedOn != header || traceID != "0af7651916cd43dd8448eb211c80319c" {
		t.Errorf("%q, %q", passedOn, traceID)
	}
	if ask("00-zz-1-01"); passedOn != "" || len(traceID) != 32 {
		t.Errorf("a malformed header: %q, %q", passedOn, traceID)
	}
}
