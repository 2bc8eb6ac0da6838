package web

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Handler answers one request. An error that is not an *Error becomes a 500 without details.
type Handler func(*Exchange) (Reply, error)

// Route is one line of a server's contract.
type Route struct {
	Method  string
	Path    string // in the syntax of net/http's patterns: /api/groups, /api/actions/{owner}/{name}
	Handle  Handler
	Explain Explain // the format of its errors; nil: the router's
	// Rules lists ids of rules, such as FS-GRP-1, whose scenarios use this route: they test a port of it. A server
	// answers the same without them.
	Rules []string
}

// On returns a route: pattern is its method and path, such as "GET /api/groups".
func On(pattern string, handle Handler, rules ...string) Route {
	method, path, _ := strings.Cut(pattern, " ")
	return Route{Method: method, Path: path, Handle: handle, Rules: rules}
}

// Explain formats an error in a server's own way. The error's headers are set already.
type Explain func(*Exchange, *Error) Reply

// Standard is the format {ok:false,error,message,traceId}.
func Standard(_ *Exchange, failure *Error) Reply { return failure }

// Exchange is one request and its answer in progress.
type Exchange struct {
	Request *http.Request
	// Header is the header of the answer, for what no Reply carries (a cookie).
	Header http.Header
	// TraceID identifies the request in the answer and in the log.
	TraceID string
	Log     *slog.Logger
}

// NewRouter serves the routes of a table. A known path with another method is a 405 with Allow. Any other path is a
// 404, also one that net/http would redirect. Both are formatted by explain, as is every error of a route that has no
// Explain of its own. A HEAD is answered as a GET, of which net/http drops the body.
func NewRouter(routes []Route, explain Explain, log *slog.Logger) http.Handler {
	byPath := map[string]map[string]Route{}
	for _, route := range routes {
		if byPath[route.Path] == nil {
			byPath[route.Path] = map[string]Route{}
		}
		if route.Explain == nil {
			route.Explain = explain
		}
		byPath[route.Path][route.Method] = route
		if route.Method == http.MethodGet {
			byPath[route.Path][http.MethodHead] = route
		}
	}
	mux := http.NewServeMux()
	for at, methods := range byPath {
		pattern := at
		if at == "/" {
			pattern = "/{$}" // the page itself, not everything below it
		}
		mux.Handle(pattern, serve(at, byMethod(methods, explain), log))
	}
	nowhere := Route{Handle: notFound, Explain: explain}
	unknown := serve("unknown", func(string) Route { return nowhere }, log)
	mux.Handle("/", unknown)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// ServeMux would redirect an address with an empty part, or with dots for one, to what it takes it for.
		if address := r.URL.EscapedPath(); path.Clean(address) != address {
			unknown.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func notFound(*Exchange) (Reply, error) {
	return nil, &Error{Status: http.StatusNotFound, Code: "not_found", Message: "there is nothing at this address"}
}

// byMethod picks the route for a request's method.
func byMethod(methods map[string]Route, explain Explain) func(method string) Route {
	allowed := strings.Join(slices.Sorted(maps.Keys(methods)), ", ")
	refused := Route{Explain: explain, Handle: func(x *Exchange) (Reply, error) {
		x.Header.Set("Allow", allowed)
		return nil, &Error{
			Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
			Message: "this address does not answer that method",
		}
	}}
	return func(method string) Route {
		if route, ok := methods[method]; ok {
			return route
		}
		return refused
	}
}

// serve runs a handler and writes its answer: the only place where answers are written and requests are logged.
func serve(path string, pick func(method string) Route, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		parent := validTraceparent(r)
		x := &Exchange{
			Request: r.WithContext(WithTraceparent(r.Context(), parent)),
			Header:  w.Header(),
			TraceID: traceID(parent),
		}
		x.Log = log.With("traceId", x.TraceID, "route", path)
		x.Header.Set("Cache-Control", "no-store")
		x.Header.Set("X-Content-Type-Options", "nosniff")
		route := pick(r.Method)
		reply, err := recovered(route.Handle, x)
		if err != nil {
			failure := x.failure(err)
			failure.announce(x.Header)
			reply = route.Explain(x, failure)
		}
		status := reply.write(w, x.TraceID)
		x.Log.Info("request", "method", r.Method, "status", status, "ms", time.Since(began).Milliseconds())
	})
}

// recovered turns a panic into an error that has its type and the stack, not its text, which may quote a request.
func recovered(handle Handler, x *Exchange) (reply Reply, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %T\n%s", v, debug.Stack())
		}
	}()
	return handle(x)
}

// failure turns an error into an answer; one that is not an *Error is logged and answered without its text.
func (x *Exchange) failure(err error) *Error {
	var failure *Error
	if !errors.As(err, &failure) {
		x.Log.Error("unexpected error", "error", err)
		return &Error{Status: http.StatusInternalServerError, Code: "internal_error",
			Message: "the request could not be answered"}
	}
	if failure.Status >= http.StatusInternalServerError {
		x.Log.Warn("failed", "code", failure.Code, "cause", failure.Cause)
	}
	return failure
}
