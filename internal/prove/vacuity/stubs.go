package vacuity

import (
	"io"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/verify"
)

// server is a stub that runs as a server.
type server struct {
	name, description string
	handler           http.Handler
	begins            func(verify.Place) // called for each scenario; nil: not called
}

// servers returns the stubs. The path ready answers 200 on each of them, so that it counts as started.
func servers(ready string, tape *tape) []server {
	refusal := func(code string) string {
		return `{"ok":false,"error":"` + code + `","errorCode":"` + code +
			`","message":"a stub refuses","traceId":"stub","correlationId":"stub"}`
	}
	always := func(status int, body string) server {
		name := strconv.Itoa(status)
		return server{name, "answers " + name + " to everything", constant{ready, status, body}, nil}
	}
	return []server{
		always(http.StatusOK, `{"ok":true,"traceId":"stub"}`),
		always(http.StatusForbidden, refusal("not_allowed")),
		always(http.StatusNotFound, refusal("not_found")),
		{name: "recording", description: "answers what the reference answered before, and never touches the store",
			handler: tape, begins: tape.begins},
	}
}

// constant gives the same answer to everything except its health route.
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
	_, _ = io.WriteString(w, c.body) // a client that has gone needs no answer
}

// opener turns a handler into a server that needs no environment.
func opener(handler http.Handler) target.Opener {
	return func(func(string) string, http.RoundTripper, io.Writer) (target.Handler, error) {
		return closing{handler, func() error { return nil }}, nil
	}
}

// closing adds Close to a handler.
type closing struct {
	http.Handler
	close func() error
}

func (c closing) Close() error { return c.close() }
