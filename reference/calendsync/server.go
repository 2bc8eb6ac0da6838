package calendsync

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/web"
)

const (
	// storageDeadline leaves time to answer 503 within 15 s when DynamoDB hangs, whatever is being retried.
	storageDeadline = 12 * time.Second
	retryAfter      = time.Second
)

// Server answers the HTTP contract. It keeps nothing in memory between requests.
type Server struct {
	store  *store
	now    func() time.Time
	newID  func() string // random texts, too long to guess
	routes http.Handler
}

// New returns a server; it makes no call. The clock is passed in, and newID, which returns random texts.
func New(config Config, now func() time.Time, newID func() string, log *slog.Logger) *Server {
	s := &Server{store: openStore(config), now: now, newID: newID}
	s.routes = web.NewRouter(s.Routes(), explain, log)
	return s
}

// Routes returns the contract, in its order. Each line names the handler of a request.
func (s *Server) Routes() []web.Route {
	return []web.Route{
		web.On("GET /readyz", ready, "CS-GATE-1"),
		web.On("POST /api/users", s.open(withBody(s.postUser)), "CS-USR-1", "CS-SCH-1", "CS-IDEM-1"),
		web.On("GET /api/users", s.signedIn(s.findUser), "CS-AP-7", "CS-AP-8", "CS-ROLE-4", "CS-GSI-1"),
		web.On("GET /api/users/{user}", s.signedIn(s.getUser), "CS-AP-1", "CS-ROLE-4"),
		web.On("PUT /api/users/{user}", s.signedIn(withBody(s.putUser)), "CS-USR-2", "CS-VER-1"),
		web.On("POST /api/calendars",
			s.signedIn(withBody(s.postCalendar)), "CS-CAL-1", "CS-SCH-2", "CS-SCH-3", "CS-IDEM-1"),
		web.On("GET /api/calendars", s.signedIn(s.getCalendars), "CS-AP-5"),
		web.On("GET /api/calendars/me", s.signedIn(s.getMemberships), "CS-AP-5"),
		web.On("GET /api/calendars/{calendar}", s.signedIn(s.getCalendar), "CS-AP-2", "CS-ROLE-1"),
		web.On("PUT /api/calendars/{calendar}",
			s.signedIn(withBody(s.putCalendar)), "CS-CAL-1", "CS-VER-1", "CS-ROLE-2"),
		web.On("DELETE /api/calendars/{calendar}", s.signedIn(s.deleteCalendar), "CS-CAL-2", "CS-BUD-3"),
		web.On("GET /api/calendars/{calendar}/members", s.signedIn(s.getMembers), "CS-AP-4"),
		web.On("POST /api/calendars/{calendar}/members",
			s.signedIn(withBody(s.postMember)), "CS-ROLE-6", "CS-SCH-3", "CS-IDEM-1", "CS-GSI-1"),
		web.On("PUT /api/calendars/{calendar}/members/{user}",
			s.signedIn(withBody(s.putMember)), "CS-ROLE-6", "CS-OWN-1"),
		web.On("DELETE /api/calendars/{calendar}/members/{user}",
			s.signedIn(s.deleteMember), "CS-ROLE-5", "CS-OWN-1"),
		web.On("GET /api/calendars/{calendar}/entries", s.signedIn(s.getEntries), "CS-AP-6", "CS-END-1", "CS-SPAN-1"),
		web.On("POST /api/entries",
			s.signedIn(withBody(s.postEntry)), "CS-ENT-1", "CS-SCH-4", "CS-LIM-1", "CS-IDEM-1"),
		web.On("GET /api/entries/{entry}", s.signedIn(s.getEntry), "CS-AP-3", "CS-ENT-1"),
		web.On("PUT /api/entries/{entry}", s.signedIn(withBody(s.putEntry)), "CS-ENT-1", "CS-ROLE-3", "CS-VER-1"),
		web.On("DELETE /api/entries/{entry}", s.signedIn(s.deleteEntry), "CS-ENT-1", "CS-ROLE-2"),
		web.On("PATCH /api/entries/{entry}/toggle", s.signedIn(s.toggleEntry), "CS-ENT-2", "CS-FLT-2"),
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Close closes idle connections; requests in flight are still answered.
func (s *Server) Close() error {
	s.store.close()
	return nil
}

// ready is GET /readyz: the server is up. It makes no call.
func ready(*web.Exchange) (web.Reply, error) { return web.Plain{"ok": true}, nil }

type handler func(context.Context, *call) (web.Reply, error)

// open bounds the time of a request's storage calls, and turns their errors into answers.
func (s *Server) open(handle handler) web.Handler {
	return func(x *web.Exchange) (web.Reply, error) {
		ctx, stop := context.WithTimeout(x.Request.Context(), storageDeadline)
		defer stop()
		reply, err := handle(ctx, &call{Exchange: x})
		return reply, answerable(err)
	}
}

// signedIn is open for those who have a session.
func (s *Server) signedIn(handle handler) web.Handler {
	return s.open(func(ctx context.Context, c *call) (web.Reply, error) {
		var err error
		if c.caller, err = s.identify(ctx, c); err != nil {
			return nil, err
		}
		return handle(ctx, c)
	})
}

// withBody reads the body of a request first: one JSON object.
func withBody(handle handler) handler {
	return func(ctx context.Context, c *call) (web.Reply, error) {
		body, err := web.ReadObject(c.Request, maxBody)
		if err != nil {
			return nil, err
		}
		c.body = body
		return handle(ctx, c)
	}
}

// answerable turns the errors of storage into answers; other errors stay as they are.
func answerable(err error) error {
	switch {
	case errors.Is(err, errTooLarge):
		return web.TooLarge("an item may have at most 400 KiB")
	case errors.Is(err, errUnavailable):
		return &web.Error{Status: http.StatusServiceUnavailable, Code: "storage_unavailable",
			Message: "the storage does not answer; try again", RetryAfter: retryAfter, Cause: err}
	}
	return err
}

// explain formats an error as RFC 9457 requires, with its code.
func explain(_ *web.Exchange, failure *web.Error) web.Reply {
	problem := map[string]any{"title": http.StatusText(failure.Status), "status": failure.Status,
		"code": failure.Code, "detail": failure.Message}
	var stale staleVersion
	if errors.As(failure.Cause, &stale) {
		problem["version"] = stale.current
	}
	return web.Problem{Status: failure.Status, Value: problem}
}

// The errors that several routes have.

func unauthorized() *web.Error {
	return &web.Error{Status: http.StatusUnauthorized, Code: "unauthorized", Message: "a valid session is required"}
}

func forbidden() *web.Error {
	return &web.Error{Status: http.StatusForbidden, Code: "forbidden", Message: "your role does not allow it"}
}

// notFound is also the answer to those who must not know whether it exists.
func notFound() *web.Error {
	return &web.Error{Status: http.StatusNotFound, Code: "not_found",
		Message: "it does not exist, or you may not see it"}
}

func conflict(message string) *web.Error {
	return &web.Error{Status: http.StatusConflict, Code: "conflict", Message: message}
}

// staleVersion is the cause of a 409: another request changed the item first.
type staleVersion struct{ current int64 }

func (staleVersion) Error() string { return "the version is not the current one" }

func stale(current int64) *web.Error {
	failure := conflict("somebody else changed it first")
	failure.Cause = staleVersion{current}
	return failure
}
