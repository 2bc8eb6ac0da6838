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

// Server answers the HTTP contract. It keeps nothing in memory except connections and the fact that the table exists.
type Server struct {
	config Config
	store  *store
	cache  *cache // nil: no cache
	turns  turns
	now    func() time.Time
	newID  func() string
	routes http.Handler
}

// New returns a server on a store that need not be up yet: the table is created at the first use. The clock and the ids
// are passed in; newID must return 22 or more random characters of [A-Za-z0-9_-].
func New(config Config, now func() time.Time, newID func() string, log *slog.Logger) (*Server, error) {
	storage, err := openStore(config)
	if err != nil {
		return nil, err
	}
	s := &Server{config: config, store: storage, now: now, newID: newID, turns: newTurns()}
	if s.cache, err = openCache(config, now, newID, log); err != nil {
		return nil, err
	}
	s.routes = web.NewRouter(s.Routes(), explain, log)
	return s, nil
}

// Routes returns the contract (openapi.yaml), in its order. Each line names the handler of a request, and the rules of
// features/ that specify the result.
func (s *Server) Routes() []web.Route {
	return []web.Route{
		web.On("GET /api/health", s.health, "GA-BUD-1"),
		web.On("POST /api/ActionsUpsert", withBody(readRecord, s.upsert), "GA-VAL-1", "GA-VAL-2", "GA-VAL-3",
			"GA-KEY-1", "GA-KEY-2", "GA-CAN-1", "GA-CAN-2", "GA-CAN-3", "GA-CHG-1", "GA-CHG-2", "GA-CHG-3",
			"GA-CON-1", "GA-CON-2", "GA-CON-3", "GA-CON-4", "GA-SIZ-1", "GA-PRV-1", "GA-HIST-1", "GA-LAT-1",
			"GA-LAT-2", "GA-LAT-3"),
		web.On("POST /api/ActionsUpsert/batch", withBody(readBatch, s.batch), "GA-BAT-1", "GA-BAT-2", "GA-BAT-3",
			"GA-BAT-4"),
		web.On("GET /api/actions/{owner}/{name}", withDeadline(s.get), "GA-BUD-1", "GA-KEY-1", "GA-SIZ-1",
			"GA-CACHE-1"),
		web.On("GET /api/actions/list", withDeadline(s.list), "GA-LIST-1"),
		web.On("GET /api/actions/stats", withDeadline(s.stats), "GA-LIST-1"),
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Close closes idle connections; requests in flight are still answered.
func (s *Server) Close() error {
	s.store.close()
	return s.cache.close()
}

// health does not use storage, so it answers while storage is down.
func (s *Server) health(*web.Exchange) (web.Reply, error) {
	return web.Plain{"ok": true, "time": timestamp(s.now()), "version": s.config.Version}, nil
}

// withDeadline bounds the time for a request's storage calls, and turns their errors into answers.
func withDeadline(handle func(context.Context, *web.Exchange) (web.Reply, error)) web.Handler {
	return func(x *web.Exchange) (web.Reply, error) {
		ctx, cancel := context.WithTimeout(x.Request.Context(), storageDeadline)
		defer cancel()
		reply, err := handle(ctx, x)
		return reply, answerable(err)
	}
}

// withBody reads and parses a request's body first, so that the time this takes does not count as storage time.
func withBody[T any](parse func([]byte) (T, error), handle func(context.Context, T) (web.Reply, error)) web.Handler {
	return func(x *web.Exchange) (web.Reply, error) {
		body, err := web.ReadBody(x.Request, maxBody)
		if err != nil {
			return nil, err
		}
		parsed, err := parse(body)
		if err != nil {
			return nil, err
		}
		return withDeadline(func(ctx context.Context, _ *web.Exchange) (web.Reply, error) {
			return handle(ctx, parsed)
		})(x)
	}
}

// answerable turns storage errors into answers; other errors stay as they are.
func answerable(err error) error {
	switch {
	case errors.Is(err, account.ErrUnavailable):
		return &web.Error{
			Status: http.StatusServiceUnavailable, Message: "the storage does not answer; try again",
			RetryAfter: retryAfter, Cause: err,
		}
	case errors.Is(err, account.ErrTooLarge):
		return web.TooLarge("the record is too large to be stored")
	case errors.Is(err, account.ErrChanged):
		return &web.Error{Status: http.StatusConflict, Message: "others keep changing this record; try again",
			RetryAfter: retryAfter}
	}
	return err
}

// explain formats an error as this contract requires. A missing record has its own, shorter form.
func explain(x *web.Exchange, failure *web.Error) web.Reply {
	if failure.Status == http.StatusNotFound {
		return web.JSON{Status: failure.Status, Value: map[string]any{"error": failure.Message}}
	}
	return web.JSON{Status: failure.Status, Value: map[string]any{
		"errorCode": errorCode(failure.Status), "message": failure.Message, "correlationId": x.TraceID,
	}}
}

// errorCode returns the code that programs act on: each status of this contract has one.
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
