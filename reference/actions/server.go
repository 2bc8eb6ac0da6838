package actions

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

const (
	// maxBody is the largest request: more is answered 413.
	maxBody = 10 << 20
	// storageDeadline leaves time to answer 503 within 15 s when the store hangs, whatever is being retried.
	storageDeadline = 12 * time.Second
	// maxAttempts bounds the rounds of reading and writing on one row. Each lost round means that another request won
	// it, so forty writers need forty at most.
	maxAttempts = 64
	retryAfter  = time.Second
)

// Server answers the HTTP contract. It keeps nothing in memory but connections and the fact that the table exists.
type Server struct {
	config Config
	store  *store
	cache  *cache // nil: there is none
	turns  turns
	now    func() time.Time
	newID  func() string
	routes http.Handler
}

// New is a server on a store that need not answer yet: the table is created at the first use.
// Clock and ids come from outside; newID must return 22 or more random characters of [A-Za-z0-9_-].
func New(config Config, now func() time.Time, newID func() string, log *slog.Logger) (*Server, error) {
	storage, err := openStore(config)
	if err != nil {
		return nil, err
	}
	s := &Server{config: config, store: storage, now: now, newID: newID}
	if s.cache, err = openCache(config, now, newID, log); err != nil {
		return nil, err
	}
	s.routes = web.NewRouter(s.table(), explain, log)
	return s, nil
}

// table is the contract, in its order.
func (s *Server) table() []web.Route {
	return []web.Route{
		{Method: "GET", Path: "/api/health", Handle: s.health},
		{Method: "POST", Path: "/api/ActionsUpsert", Handle: withBody(s.upsert)},
		{Method: "POST", Path: "/api/ActionsUpsert/batch", Handle: withBody(s.batch)},
		{Method: "GET", Path: "/api/actions/{owner}/{name}", Handle: withDeadline(s.get)},
		{Method: "GET", Path: "/api/actions/list", Handle: withDeadline(s.list)},
		{Method: "GET", Path: "/api/actions/stats", Handle: withDeadline(s.stats)},
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Close closes idle connections; requests under way are answered.
func (s *Server) Close() error {
	s.store.close()
	return s.cache.close()
}

// health touches no storage, so that it answers while storage is down.
func (s *Server) health(*web.Exchange) (web.Reply, error) {
	return web.Plain{"ok": true, "time": timestamp(s.now()), "version": s.config.Version}, nil
}

// withDeadline bounds the time a request's storage calls have, and makes what they ran into answerable.
func withDeadline(handle func(context.Context, *web.Exchange) (web.Reply, error)) web.Handler {
	return func(x *web.Exchange) (web.Reply, error) {
		ctx, cancel := context.WithTimeout(x.Request.Context(), storageDeadline)
		defer cancel()
		reply, err := handle(ctx, x)
		return reply, answerable(err)
	}
}

// withBody reads a request's body first: how long a client takes to send it is not the store's time.
func withBody(handle func(context.Context, []byte) (web.Reply, error)) web.Handler {
	return func(x *web.Exchange) (web.Reply, error) {
		body, err := web.ReadBody(x.Request, maxBody)
		if err != nil {
			return nil, err
		}
		return withDeadline(func(ctx context.Context, _ *web.Exchange) (web.Reply, error) { return handle(ctx, body) })(x)
	}
}

// answerable turns what storage ran into into answers; other errors stay as they are.
func answerable(err error) error {
	var ready *web.Error
	switch {
	case err == nil, errors.As(err, &ready):
		return err
	case errors.Is(err, account.ErrUnavailable):
		return &web.Error{
			Status: http.StatusServiceUnavailable, Message: "the storage does not answer; try again", RetryAfter: retryAfter, Cause: err,
		}
	case errors.Is(err, account.ErrTooLarge):
		return web.TooLarge("the record is too large to be stored")
	case errors.Is(err, account.ErrChanged):
		return &web.Error{Status: http.StatusConflict, Message: "others keep changing this record; try again", RetryAfter: retryAfter}
	}
	return err
}

// explain says an error as this contract has it. A record that is not there has its own, shorter form.
func explain(x *web.Exchange, failure *web.Error) web.Reply {
	if failure.Status == http.StatusNotFound {
		return web.JSON{Status: failure.Status, Value: map[string]any{"error": failure.Message}}
	}
	return web.JSON{Status: failure.Status, Value: map[string]any{
		"errorCode": errorCode(failure.Status), "message": failure.Message, "correlationId": x.TraceID,
	}}
}

// errorCode is the word that a program acts on: each status of this contract has one.
func errorCode(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "VALIDATION_FAILED"
	case http.StatusMethodNotAllowed:
		return "METHOD_NOT_ALLOWED"
	case http.StatusConflict:
		return "CONFLICT"
	case http.StatusRequestEntityTooLarge:
		return "PAYLOAD_TOO_LARGE"
	}
	return "PERSISTENCE_FAILED"
}
