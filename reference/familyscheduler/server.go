package familyscheduler

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
	// maxAttempts bounds every read-and-write loop on one row or blob. Each lost round means that another request won
	// it, so a person's double click needs two; ten is a crowd, after which the caller is told.
	maxAttempts = 10
	retryAfter  = time.Second
)

// Server answers the HTTP contract. It keeps nothing in memory but connections and the fact that the tables exist.
type Server struct {
	config Config
	store  *store
	openAI *http.Client
	pages  *pages
	now    func() time.Time
	newID  func() string
	routes http.Handler
}

// New is a server on a store that need not answer yet: tables are created at the first use.
// Clock and ids come from outside; newID must return 22 or more random characters of [A-Za-z0-9_-].
func New(config Config, now func() time.Time, newID func() string, log *slog.Logger) (*Server, error) {
	storage, err := openStore(config)
	if err != nil {
		return nil, err
	}
	views, err := loadPages()
	if err != nil {
		return nil, err
	}
	if config.MagicLinkOutbox == "" {
		log.Warn("MAGIC_LINK_OUTBOX is not set: sign-in links are not delivered")
	}
	s := &Server{config: config, store: storage, openAI: newOpenAIClient(), pages: views, now: now, newID: newID}
	s.routes = web.NewRouter(s.table(), nil, log)
	return s, nil
}

// table is the contract, in its order. inGroup names who passes the gate.
func (s *Server) table() []web.Route {
	return []web.Route{
		{Method: "GET", Path: "/api/health", Handle: s.health},
		{Method: "GET", Path: "/", Handle: s.anybody(s.home), Explain: s.explain},
		{Method: "POST", Path: "/sign-in", Handle: s.form(s.askForLink), Explain: s.explain},
		{Method: "POST", Path: "/sign-in/confirm", Handle: s.form(s.signInByLink), Explain: s.explain},
		{Method: "POST", Path: "/sign-out", Handle: s.ownForm(s.signOut), Explain: s.explain},
		{Method: "POST", Path: "/join", Handle: s.ownForm(s.joinFromPage), Explain: s.explain},
		{Method: "POST", Path: "/api/auth/request-link", Handle: s.anybody(s.requestLink)},
		{Method: "POST", Path: "/api/auth/consume-link", Handle: s.anybody(s.consumeLink)},
		{Method: "GET", Path: "/api/me/groups", Handle: s.signedIn(s.myGroups)},
		{Method: "GET", Path: "/api/user/profile", Handle: s.signedIn(s.getProfile)},
		{Method: "PUT", Path: "/api/user/profile", Handle: s.signedIn(s.putProfile)},
		{Method: "POST", Path: "/api/group/create", Handle: s.signedIn(s.createGroup)},
		{Method: "GET", Path: "/api/group/meta", Handle: s.inGroup(membersAndGuests, s.groupMeta)},
		{Method: "GET", Path: "/api/group/members", Handle: s.inGroup(membersAndGuests, s.listMembers)},
		{Method: "POST", Path: "/api/group/rename", Handle: s.inGroup(members, s.renameGroup)},
		{Method: "POST", Path: "/api/group/delete", Handle: s.inGroup(membersOfDeleted, s.deleteGroup)},
		{Method: "POST", Path: "/api/group/restore", Handle: s.inGroup(membersOfDeleted, s.restoreGroup)},
		{Method: "POST", Path: "/api/group/join-link", Handle: s.inGroup(members, s.invite)},
		{Method: "POST", Path: "/api/group/join", Handle: s.inGroup(membersAndInvited, s.join)},
		{Method: "POST", Path: "/api/group/decline", Handle: s.inGroup(everyRow, s.decline)},
		{Method: "POST", Path: "/api/group/remove-member", Handle: s.inGroup(membersAndRemoved, s.removeMember)},
		{Method: "POST", Path: "/api/direct", Handle: s.inGroup(membersAndGuests, s.direct)},
		{Method: "POST", Path: "/api/chat", Handle: s.inGroup(membersAndGuests, s.chat)},
		{Method: "GET", Path: "/api/usage", Handle: s.signedIn(s.usage)},
		{Method: "POST", Path: "/api/appointment/scan", Handle: s.inGroup(members, s.putScan)},
		{Method: "GET", Path: "/api/appointment/scan", Handle: s.inGroup(members, s.getScan)},
		{Method: "POST", Path: "/api/ignite/start", Handle: s.inGroup(membersAndGuests, s.startIgnite)},
		{Method: "POST", Path: "/api/ignite/close", Handle: s.inGroup(membersAndGuests, s.closeIgnite)},
		{Method: "GET", Path: "/api/ignite/meta", Handle: s.inGroup(membersAndGuests, s.igniteMeta)},
		{Method: "POST", Path: "/api/ignite/meta", Handle: s.inGroup(membersAndGuests, s.igniteMeta)},
		{Method: "POST", Path: "/api/ignite/join", Handle: s.guestOr(s.joinAsGuest, s.inGroup(everybodyInvited, s.joinIgnite))},
		{Method: "POST", Path: "/api/ignite/photo", Handle: s.inGroup(membersAndGuests, s.putPhoto)},
		{Method: "GET", Path: "/api/ignite/photo", Handle: s.inGroup(membersAndGuests, s.getPhoto)},
		{Method: "POST", Path: "/api/ignite/spinoff", Handle: s.inGroup(membersToSpinOff, s.spinOff)},
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Close closes idle connections; requests under way are answered.
func (s *Server) Close() error {
	s.store.close()
	s.openAI.CloseIdleConnections()
	return nil
}

// health touches no storage, so that it answers while storage is down.
func (s *Server) health(*web.Exchange) (web.Reply, error) {
	return web.Plain{"ok": true, "time": timestamp(s.now()), "version": s.config.Version}, nil
}

// call is a request, who sends it, and the time its storage calls have.
type call struct {
	*web.Exchange
	ctx  context.Context
	stop context.CancelFunc // of ctx
	who  identity
	body web.Object // of a GET in a group, its query
	op   string     // the operation's id; "" without a session
}

type handler func(*call) (web.Reply, error)

// withDeadline bounds the time a request's storage calls have, and makes what they ran into answerable.
func (s *Server) withDeadline(handle handler) web.Handler {
	return func(x *web.Exchange) (web.Reply, error) {
		c := &call{Exchange: x}
		c.ctx, c.stop = context.WithTimeout(x.Request.Context(), storageDeadline)
		defer func() { c.stop() }()
		reply, err := handle(c)
		return reply, answerable(err)
	}
}

// reading runs what reads from the client: how long that takes to send is not the store's time.
func (c *call) reading(read func() (web.Object, error)) error {
	deadline, _ := c.ctx.Deadline()
	began := time.Now()
	body, err := read()
	c.stop()
	c.ctx, c.stop = context.WithDeadline(c.Request.Context(), deadline.Add(time.Since(began)))
	c.body = body
	return err
}

// anybody reads the body and asks for no session.
func (s *Server) anybody(handle handler) web.Handler {
	return s.withDeadline(func(c *call) (web.Reply, error) {
		if err := c.readBody(); err != nil {
			return nil, err
		}
		return handle(c)
	})
}

// signedIn asks for a session first (401), then reads the body and the operation's key (413, 400).
func (s *Server) signedIn(handle handler) web.Handler {
	return s.withDeadline(func(c *call) (web.Reply, error) {
		if err := s.authenticate(c); err != nil {
			return nil, err
		}
		if err := c.readBody(); err != nil {
			return nil, err
		}
		var err error
		if c.op, err = s.operationOf(c); err != nil {
			return nil, err
		}
		return handle(c)
	})
}

// inGroup is signedIn, then the gate: what handle gets is a caller the gate let through.
func (s *Server) inGroup(may admission, handle func(*call, *access) (web.Reply, error)) web.Handler {
	return s.signedIn(func(c *call) (web.Reply, error) {
		if err := c.readQuery(); err != nil {
			return nil, err
		}
		groupID, err := c.id(may.groupField())
		if err != nil {
			return nil, err
		}
		in, err := s.gate(c, groupID, may)
		if err != nil {
			return nil, err
		}
		return handle(c, in)
	})
}

// guestOr takes a request without a session header for a guest's. An invalid header is a 401, never a guest.
func (s *Server) guestOr(guest handler, other web.Handler) web.Handler {
	asGuest := s.anybody(guest)
	return func(x *web.Exchange) (web.Reply, error) {
		if len(x.Request.Header.Values("x-session-id")) == 0 {
			return asGuest(x)
		}
		return other(x)
	}
}

func (c *call) readBody() error {
	if c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead {
		return nil
	}
	return c.reading(func() (web.Object, error) { return web.ReadObject(c.Request, maxBody) })
}

// readQuery takes the query of a GET as if it were its body.
func (c *call) readQuery() (err error) {
	if c.body == nil {
		c.body, err = web.QueryObject(c.Request)
	}
	return err
}

// id is a field that must be an id.
func (c *call) id(field string) (string, error) { return idField(c.body, field) }

// answerable turns what storage ran into into answers; other errors stay as they are. account.ErrTooLarge is one of them:
// values.go bounds what clients send, so that a row outgrows the store only by columns of others, for which 413
// would blame the request.
func answerable(err error) error {
	var ready *web.Error
	switch {
	case err == nil, errors.As(err, &ready):
		return err
	case errors.Is(err, account.ErrUnavailable):
		return &web.Error{
			Status: http.StatusServiceUnavailable, Code: "storage_unavailable",
			Message: "the storage does not answer; try again", RetryAfter: retryAfter, Cause: err,
		}
	case errors.Is(err, account.ErrChanged):
		return conflict()
	}
	return err
}

// conflict: another request won, nothing of this one was written.
func conflict() error {
	return &web.Error{Status: http.StatusConflict, Code: "conflict", Message: "somebody else changed this at the same time"}
}
