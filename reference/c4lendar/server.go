package c4lendar

import (
	"context"
	"crypto/subtle"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/web"
)

const (
	// storageDeadline leaves time to answer 503 within 15 s when KV or Google hangs, whatever is being retried.
	storageDeadline = 12 * time.Second
	retryAfter      = time.Second
)

// Server answers the HTTP contract. It keeps nothing in memory between requests.
type Server struct {
	config  Config
	store   *store
	vault   *vault
	google  *google
	emails  *arrays[string] // chats, by e-mail
	recents *arrays[recent] // recent events, by chat
	now     func() time.Time
	newID   func() string
	routes  http.Handler

	consents    consents
	bot         bot
	connections connections
	events      events
	upkeep      upkeep
}

// What answers the routes of each resource. All of them work with what the server has.
type (
	consents    struct{ *Server } // oauth.go: users allow the bot to use a calendar of Google's
	bot         struct{ *Server } // webhook.go, cal.go, alt.go, del.go, telegram.go: the commands of a chat
	connections struct{ *Server } // connections.go, accounts.go, emails.go
	events      struct{ *Server } // events.go, recent.go: which event of the bot is which event of Google's
	upkeep      struct{ *Server } // admin.go, migrate.go, cleanup.go, repair.go
)

// New returns a server; it makes no call. The clock is passed in, and newID, which returns unguessable texts.
// Errors: a key that cannot be used, by the variable's name.
func New(config Config, now func() time.Time, newID func() string, log *slog.Logger) (*Server, error) {
	vault, err := newVault(config.EncryptionKey, config.PreviousKey)
	if err != nil {
		return nil, err
	}
	s := &Server{config: config, now: now, newID: newID, vault: vault, store: openStore(config),
		google: newGoogle(config)}
	s.emails = &arrays[string]{store: s.store, key: chatsKey, id: func(chat string) string { return chat },
		most: math.MaxInt}
	s.recents = &arrays[recent]{store: s.store, key: recentKey, id: func(one recent) string { return one.BotEventUID },
		most: maxRecent, keeps: true}
	s.consents, s.bot, s.connections, s.events, s.upkeep = consents{s}, bot{s}, connections{s}, events{s}, upkeep{s}
	s.routes = web.NewRouter(s.Routes(), explain, log)
	return s, nil
}

// Routes returns the contract (openapi.yaml), in its order. Each line names the handler of a request.
func (s *Server) Routes() []web.Route {
	return []web.Route{
		web.On("GET /", s.welcome),
		web.On("GET /oauth/start", s.open(s.consents.startOAuth), "CB-OAUTH-1"),
		web.On("GET /oauth/callback", s.open(s.consents.endOAuth), "CB-OAUTH-1", "CB-ENC-3"),
		web.On("POST /telegram-webhook", s.open(s.bot.webhook), "CB-HOOK-1", "CB-GOO-1", "CB-EVT-7"),
		web.On("GET /api/chats/{chat}/connections", s.admin(s.connections.getConnections), "CB-CONN-3", "CB-CONN-4",
			"CB-CONN-5"),
		web.On("GET /api/chats/{chat}/connections/{sub}", s.admin(s.connections.getConnection), "CB-CONN-4"),
		web.On("PUT /api/chats/{chat}/connections/{sub}", s.admin(withBody(s.connections.putConnection)), "CB-CONN-1",
			"CB-CONN-2", "CB-ENC-1", "CB-LIM-1"),
		web.On("DELETE /api/chats/{chat}/connections/{sub}", s.admin(s.connections.deleteConnection), "CB-CONN-2"),
		web.On("POST /api/chats/{chat}/connections/{sub}/revoke", s.admin(s.connections.revokeConnection), "CB-CONN-4"),
		web.On("GET /api/emails/{email}/chats", s.admin(s.connections.getChats), "CB-CONN-2"),
		web.On("DELETE /api/chats/{chat}/events", s.admin(s.events.deleteOfAccount), "CB-EVT-6"),
		web.On("GET /api/chats/{chat}/events/recent", s.admin(s.events.getRecent), "CB-EVT-2"),
		web.On("GET /api/chats/{chat}/events/resolve", s.admin(s.events.getResolved), "CB-EVT-3", "CB-EVT-4"),
		web.On("PATCH /api/chats/{chat}/events/{uid}", s.admin(withBody(s.events.patchEvent)), "CB-EVT-2", "CB-EVT-5"),
		web.On("DELETE /api/chats/{chat}/events/{uid}", s.admin(s.events.deleteEvent), "CB-EVT-5"),
		web.On("GET /api/chats/{chat}/events/{uid}/mappings", s.admin(s.events.getMappings), "CB-EVT-1"),
		web.On("PUT /api/chats/{chat}/events/{uid}/mappings/{sub}", s.admin(withBody(s.events.putMapping)), "CB-EVT-1",
			"CB-EVT-2"),
		web.On("POST /api/admin/migrate", s.admin(s.upkeep.step(s.upkeep.migrate)), "CB-MIG-1", "CB-LIM-2"),
		web.On("POST /api/admin/cleanup", s.admin(s.upkeep.step(s.upkeep.cleanup)), "CB-CLN-1", "CB-LIM-2"),
		web.On("POST /api/admin/repair", s.admin(s.upkeep.step(s.upkeep.repair)), "CB-EVT-2", "CB-EC-1"),
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Close closes idle connections; requests in flight are still answered.
func (s *Server) Close() error {
	s.store.close()
	s.google.close()
	return nil
}

// welcome is GET /: the server is up. It makes no call.
func (s *Server) welcome(*web.Exchange) (web.Reply, error) {
	return ok(map[string]any{"service": "c4lendar", "version": s.config.Version}), nil
}

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

// admin is open for those who know the token.
func (s *Server) admin(handle handler) web.Handler {
	return s.open(func(ctx context.Context, c *call) (web.Reply, error) {
		if !sameText(c.Request.Header.Get("Authorization"), "Bearer "+s.config.AdminToken) {
			return nil, unauthorized()
		}
		return handle(ctx, c)
	})
}

func unauthorized() *web.Error {
	return &web.Error{Status: http.StatusUnauthorized, Code: "unauthorized", Message: "the token is missing or wrong"}
}

// sameText takes the same time wherever two texts differ.
func sameText(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

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

// answerable turns the errors of this package into answers; other errors stay as they are.
func answerable(err error) error {
	var already *web.Error
	switch {
	case errors.As(err, &already):
		return err
	case errors.Is(err, errUnavailable):
		return &web.Error{Status: http.StatusServiceUnavailable, Code: "storage_unavailable",
			Message: "the storage does not answer; try again", RetryAfter: retryAfter, Cause: err}
	case errors.Is(err, errPassing):
		return &web.Error{Status: http.StatusBadGateway, Code: "google_unavailable",
			Message: "Google does not answer; try again", RetryAfter: retryAfter, Cause: err}
	}
	return err
}

// explain formats an error as this contract requires.
func explain(_ *web.Exchange, failure *web.Error) web.Reply {
	return web.JSON{Status: failure.Status, Value: map[string]any{"error": failure.Code, "message": failure.Message}}
}
