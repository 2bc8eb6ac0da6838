package vacuity

import (
	"io"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/target"
)

// server is a stub as a server.
type server struct {
	name, description string
	handler           http.Handler
	begins            func(rule string, line int) // told of each scenario; nil: not
}

// servers are the stubs. The path ready answers 200 on each of them, so that it counts as started.
func servers(ready string, tape *tape) []server {
	refusal := func(code string) string {
		return `{"ok":false,"error":"` + code + `","errorCode":"` + code + `","message":"a stub refuses","traceId":"stub","correlationId":"stub"}`
	}
	always := func(status int, body string) server {
		return server{
			name: strconv.Itoa(status), description: "answers " + strconv.Itoa(status) + " to everything",
			handler: constant{ready, status, body},
		}
	}
	return []server{
		always(http.StatusOK, `{"ok":true,"traceId":"stub"}`),
		always(http.StatusForbidden, refusal("not_allowed")),
		always(http.StatusNotFound, refusal("not_found")),
		{name: "recording", description: "answers what the reference answered before, and never touches the store", handler: tape, begins: tape.begins},
	}
}

// constant gives one answer to everything but its health route.
type constant struct {
	ready  string
	status int
	body   string
}

func (c constant) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path != c.ready {
		w.WriteHeader(c.status)
	}
	_, _ = io.WriteString(w, c.body) // a client that is gone needs no answer
}

// opener makes a handler a server that nothing has to be told.
func opener(handler http.Handler) target.Opener {
	return func(func(string) string, http.RoundTripper, io.Writer) (target.Handler, error) {
		return closing{handler, func() error { return nil }}, nil
	}
}

// closing is a handler that can be closed.
type closing struct {
	http.Handler
	close func() error
}

func (c closing) Close() error { return c.close() }
