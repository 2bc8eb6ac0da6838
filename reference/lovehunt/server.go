package lovehunt

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

const (
	// maxBody is the largest request: a record of 1 MiB, written less densely than it is stored.
	maxBody = 4 << 20
	// storageDeadline leaves time to answer 503 within 15 s when the store hangs, whatever is being retried.
	storageDeadline = 12 * time.Second
	retryAfter      = time.Second
)

// Server answers the HTTP contract. It keeps in memory: connections, the fact that the tables exist, the circuit
// breaker, which organizations are migrated, and the metrics.
type Server struct {
	*records
	routes http.Handler

	stop    context.CancelFunc // ends the cleaning
	stopped chan struct{}
}

// records reads and writes what is stored, in the stores that the phase names: reading.go and listing.go, change.go and
// blobs.go, and index.go, which keeps HuntIndex.
type records struct {
	config  Config
	store   *store
	now     func() time.Time
	metrics *measures

	done    sync.Map    // slug → true: its organization is migrated
	allDone atomic.Bool // all are
}

// New returns a server on a store that need not be up yet: tables are created at the first use. The clock is passed in.
// With RETENTION_DAYS it begins at once to remove old hunts, until Close.
func New(config Config, now func() time.Time, log *slog.Logger) (*Server, error) {
	s, err := newServer(config, now, log)
	if err != nil {
		return nil, err
	}
	s.routes = web.NewRouter(s.Routes(), explain(now), log)
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	go s.clean(ctx, log)
	return s, nil
}

// newServer returns a server that answers no requests and cleans nothing.
func newServer(config Config, now func() time.Time, log *slog.Logger) (*Server, error) {
	s := &Server{records: &records{config: config, now: now, metrics: newMeasures()}, stopped: make(chan struct{})}
	if config.Audit == nil {
		s.config.Audit = log
	}
	var b *breaker
	if config.Phase.fallsBack() && !config.tools {
		b = &breaker{reset: config.BreakerReset, now: now}
	}
	var err error
	s.store, err = openStore(config, b, log)
	return s, err
}

func (s *records) phase() phase { return s.config.Phase }

// Routes returns the contract (openapi.yaml), in its order. Each line names the handler of a request.
func (s *Server) Routes() []web.Route {
	return []web.Route{
		web.On("GET /api/v2/app", s.on("app.get", s.getApp), "LH-APP-1"),
		web.On("PUT /api/v2/app", s.on("app.put", s.withBody(s.putApp)), "LH-APP-1"),
		web.On("GET /api/v2/organizations", s.on("organizations.list", s.listOrgs), "LH-ORG-2", "LH-ORG-3"),
		web.On("POST /api/v2/organizations", s.on("organizations.create", s.withBody(s.createOrg)), "LH-ORG-1",
			"LH-SCH-2", "LH-ERR-2"),
		web.On("GET /api/v2/organizations/{slug}", s.on("organizations.get", s.getOrg), "LH-ORG-1"),
		web.On("PUT /api/v2/organizations/{slug}", s.on("organizations.put", s.withBody(s.putOrg)), "LH-ORG-1",
			"LH-CON-2"),
		web.On("GET /api/v2/hunts/{slug}", s.on("hunts.list", s.listHunts), "LH-HUNT-1"),
		web.On("POST /api/v2/hunts/{slug}", s.on("hunts.create", s.withBody(s.createHunt)), "LH-HUNT-1",
			"LH-SCH-3", "LH-SCH-4"),
		web.On("GET /api/v2/hunts/{slug}/{huntId}", s.on("hunts.get", s.getHunt), "LH-HUNT-1", "LH-CON-3"),
		web.On("PUT /api/v2/hunts/{slug}/{huntId}", s.on("hunts.put", s.withBody(s.putHunt)), "LH-IDX-2", "LH-IDX-3",
			"LH-CON-1"),
		web.On("DELETE /api/v2/hunts/{slug}/{huntId}", s.on("hunts.delete", s.deleteHunt), "LH-IDX-4"),
		web.On("GET /api/v2/events", s.on("events.today", s.today), "LH-IDX-1"),
		web.On("GET /api/v2/events/all", s.on("events.all", s.allEvents), "LH-ADM-1"),
		web.On("GET /api/v2/health", s.health, "LH-MON-2"),
		web.On("GET /metrics", s.showMetrics, "LH-MON-1"),
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Close ends the cleaning and closes idle connections; requests in flight are still answered.
func (s *Server) Close() error {
	s.stop()
	<-s.stopped
	s.store.close()
	return nil
}

// call is a request in progress. The deadline of its storage calls is in the context passed with it.
type call struct {
	*web.Exchange
	body web.Object
}

type handler func(context.Context, *call) (web.Reply, error)

// on bounds the time for a request's storage calls, turns their errors into answers, and measures the operation.
func (s *Server) on(operation string, handle handler) web.Handler {
	return func(x *web.Exchange) (web.Reply, error) {
		began := time.Now()
		ctx, stop := context.WithTimeout(x.Request.Context(), storageDeadline)
		defer stop()
		reply, err := handle(ctx, &call{Exchange: x})
		err = answerable(x, err)
		s.metrics.observe(operation, time.Since(began), failed(err))
		return reply, err
	}
}

// withBody reads the body of a request first: one JSON object.
func (s *Server) withBody(handle handler) handler {
	return func(ctx context.Context, c *call) (web.Reply, error) {
		body, err := web.ReadObject(c.Request, maxBody)
		if err != nil {
			return nil, err
		}
		c.body = body
		return handle(ctx, c)
	}
}

// failed reports whether an answer counts as an error of the server.
func failed(err error) bool {
	var answer *web.Error
	return err != nil && (!errors.As(err, &answer) || answer.Status >= http.StatusInternalServerError)
}

// answerable turns the errors of this package into answers; other errors stay as they are.
func answerable(x *web.Exchange, err error) error {
	var old *stale
	switch {
	case errors.As(err, &old):
		if old.etag != "" {
			x.Header.Set("ETag", old.etag)
		}
		return &web.Error{Status: http.StatusPreconditionFailed, Code: "precondition_failed",
			Message: "somebody has changed this since you read it"}
	case errors.Is(err, errSchema):
		return &web.Error{Status: http.StatusUnprocessableEntity, Code: "schema_invalid",
			Message: "what is stored here does not match the schema"}
	case errors.Is(err, account.ErrUnavailable):
		return &web.Error{Status: http.StatusServiceUnavailable, Code: "storage_unavailable",
			Message: "the storage does not answer; try again", RetryAfter: retryAfter, Cause: err}
	case errors.Is(err, account.ErrTooLarge):
		return web.TooLarge("this is too large to be stored")
	case errors.Is(err, account.ErrChanged):
		return conflict("others keep changing this; try again")
	}
	return err
}

func conflict(message string) *web.Error {
	return &web.Error{Status: http.StatusConflict, Code: "conflict", Message: message}
}

func notFound(message string) *web.Error {
	return &web.Error{Status: http.StatusNotFound, Code: "not_found", Message: message}
}

// timestamp returns an instant as it is in answers and columns.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// success is an answer with data.
func (s *Server) success(status int, data any) web.Reply {
	return web.JSON{Status: status, Value: map[string]any{"success": true, "data": data,
		"timestamp": timestamp(s.now())}}
}

// one is an answer with one record, and its ETag.
func (s *Server) one(c *call, status int, r *record) web.Reply {
	c.Header.Set("ETag", r.etag())
	return s.success(status, r.data)
}

// from sets the headers that say that an answer is not from where the phase reads first.
func (c *call) from(served served) {
	if served.blob {
		c.Header.Set("X-Served-From", "blob")
	}
	if served.stale {
		c.Header.Set("X-Data-Stale", "true")
	}
}

// explain formats an error as this contract requires.
func explain(now func() time.Time) web.Explain {
	return func(_ *web.Exchange, failure *web.Error) web.Reply {
		return web.JSON{Status: failure.Status, Value: map[string]any{"success": false, "error": failure.Code,
			"message": failure.Message, "timestamp": timestamp(now())}}
	}
}
