package familyscheduler

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

const (
	// maxBody is the largest request body: a larger one gets a 413.
	maxBody = 10 << 20
	// storageDeadline leaves time to answer 503 within 15 s when the store hangs, whatever is being retried.
	storageDeadline = 12 * time.Second
	// maxAttempts bounds every read-and-write loop on one row or blob. Each lost round means that another request won
	// it, so a person's double click needs two; ten losses mean a crowd, and the caller gets an error.
	maxAttempts = 10
	retryAfter  = time.Second
	// sessionHeader alone identifies the caller, except on the pages, which accept a cookie too.
	sessionHeader = "x-session-id"
)

// Server answers the HTTP contract. It keeps nothing in memory except connections, the fact that the tables exist, how
// many sign-in links were asked for, and counts of requests in progress.
type Server struct {
	config Config
	store  *store
	openAI *http.Client
	pages  *pages
	links  *linkLimits
	counts together
	now    func() time.Time
	newID  func() string
	routes http.Handler

	signIns      signIns
	profiles     profiles
	groups       groups
	people       memberships
	appointments appointments
	assistant    assistant
	gatherings   gatherings
	site         site
}

// What answers the routes of each resource, in the files of the same name. All of them work with what the server has.
type (
	signIns      struct{ *Server } // auth.go: sign-in links, and the sessions that they open
	profiles     struct{ *Server }
	groups       struct{ *Server } // groups.go, and dashboard.go: those of a user
	memberships  struct{ *Server } // members.go, invitations.go, membership.go
	appointments struct{ *Server } // direct.go, appointments.go, participants.go, scan.go
	assistant    struct{ *Server } // chat.go, and usage.go: what it costs
	gatherings   struct{ *Server } // ignite.go, guests.go, photo.go
	site         struct{ *Server } // home.go, pages.go: the same as HTML
)

// New returns a server on a store that need not be up yet: tables are created at the first use. The clock and the ids
// are passed in; newID must return 22 or more random characters of [A-Za-z0-9_-].
func New(config Config, now func() time.Time, newID func() string, log *slog.Logger) (*Server, error) {
	storage, err := openStore(config)
	if err != nil {
		return nil, err
	}
	if config.MagicLinkOutbox == "" {
		log.Warn("MAGIC_LINK_OUTBOX is not set: sign-in links are not delivered")
	}
	s := &Server{config: config, store: storage, openAI: newOpenAIClient(), pages: loadPages(), now: now, newID: newID}
	s.links = &linkLimits{
		perAddress: cmp.Or(config.LinksPerAddress, linksPerAddress),
		perCaller:  cmp.Or(config.LinksPerCaller, linksPerCaller),
	}
	s.signIns, s.profiles, s.groups, s.people = signIns{s}, profiles{s}, groups{s}, memberships{s}
	s.appointments, s.assistant, s.gatherings, s.site = appointments{s}, assistant{s}, gatherings{s}, site{s}
	s.routes = web.NewRouter(s.Routes(), web.Standard, log)
	return s, nil
}

// Routes returns the contract (openapi.yaml), in its order, and the forms of the pages. Each line names the handler of
// a request, and the rules of features/ that specify the result.
//
// What many routes share is in one place: anybody, signedIn and inGroup below define the order of the checks (FS-ID-1,
// FS-SRV-4), and inGroup names who passes the gate (gate.go: FS-GATE-1 to FS-GATE-11, FS-ID-5).
func (s *Server) Routes() []web.Route {
	return []web.Route{
		s.site.page("GET /", s.withDeadline(s.site.home), "FS-PAGE-1", "FS-PAGE-2"),
		s.site.page("POST /sign-in", s.site.form(s.site.askForLink), "FS-PAGE-1"),
		s.site.page("POST /sign-in/confirm", s.site.form(s.site.signInByLink), "FS-PAGE-1"),
		s.site.page("POST /sign-out", s.site.ownForm(s.site.signOut), "FS-PAGE-1"),
		s.site.page("POST /join", s.site.ownForm(s.site.joinFromPage), "FS-PAGE-2"),
		web.On("GET /api/health", s.health, "FS-SRV-3"),

		web.On("POST /api/auth/request-link", s.fromOwnSite(s.signIns.requestLink), "FS-ID-1", "FS-ID-6"),
		web.On("POST /api/auth/consume-link", s.fromOwnSite(s.signIns.consumeLink), "FS-ID-1"),

		web.On("GET /api/me/groups", s.signedIn(s.groups.myGroups), "FS-DASH-1", "FS-DASH-2", "FS-DASH-3"),
		web.On("GET /api/user/profile", s.signedIn(s.profiles.getProfile), "FS-ID-1"),
		web.On("PUT /api/user/profile", s.signedIn(s.profiles.putProfile), "FS-ID-3", "FS-SCH-10", "FS-MET-1"),
		web.On("GET /api/usage", s.signedIn(s.assistant.usage), "FS-USE-1"),

		web.On("POST /api/group/create", s.signedIn(s.groups.createGroup), "FS-GRP-4", "FS-SCH-1", "FS-MET-1"),
		web.On("GET /api/group/meta", s.inGroup(membersAndGuests, s.groups.groupMeta), "FS-GATE-11"),
		web.On("GET /api/group/members", s.inGroup(membersAndGuests, s.people.listMembers), "FS-DASH-4", "FS-MEM-9"),
		web.On("POST /api/group/rename", s.inGroup(members, s.groups.renameGroup), "FS-GRP-1"),
		web.On("POST /api/group/delete", s.inGroup(membersOfDeleted, s.groups.deleteGroup), "FS-GRP-2", "FS-GRP-3"),
		web.On("POST /api/group/restore", s.inGroup(membersOfDeleted, s.groups.restoreGroup), "FS-GRP-2"),

		web.On("POST /api/group/join-link", s.inGroup(members, s.people.invite), "FS-MEM-1", "FS-MEM-4", "FS-MEM-6"),
		web.On("POST /api/group/join", s.inGroup(membersAndInvited, s.people.join), "FS-MEM-2", "FS-MEM-7", "FS-MEM-8"),
		web.On("POST /api/group/decline", s.inGroup(everyRow, s.people.decline), "FS-MEM-3", "FS-MEM-5"),
		web.On("POST /api/group/remove-member", s.inGroup(membersAndRemoved, s.people.removeMember), "FS-MEM-3",
			"FS-MEM-10"),

		web.On("POST /api/direct", s.inGroup(membersAndGuests, s.appointments.direct), "FS-APT-3"), // and direct.go
		web.On("POST /api/chat", s.inGroup(membersAndGuests, s.assistant.chat), "FS-USE-1", "FS-USE-2", "FS-USE-5"),
		web.On("GET /api/appointment/scan", s.inGroup(members, s.appointments.getScan), "FS-APT-7"),
		web.On("POST /api/appointment/scan", s.inGroup(members, s.appointments.putScan), "FS-APT-7", "FS-APT-9"),

		web.On("POST /api/ignite/start", s.inGroup(membersAndGuests, s.gatherings.startIgnite), "FS-GATE-1"),
		web.On("POST /api/ignite/close", s.inGroup(membersAndGuests, s.gatherings.closeIgnite), "FS-GATE-1"),
		web.On("GET /api/ignite/meta", s.inGroup(membersAndGuests, s.gatherings.igniteMeta), "FS-GATE-1", "FS-ID-5"),
		web.On("POST /api/ignite/meta", s.inGroup(membersAndGuests, s.gatherings.igniteMeta), "FS-GATE-1"),
		web.On("POST /api/ignite/join", s.guestOr(s.gatherings.joinAsGuest,
			s.inGroup(everybodyInvited, s.gatherings.joinIgnite)), "FS-MEM-6", "FS-ID-5", "FS-SCH-10"),
		web.On("GET /api/ignite/photo", s.inGroup(membersAndGuests, s.gatherings.getPhoto), "FS-GATE-1"),
		web.On("POST /api/ignite/photo", s.inGroup(membersAndGuests, s.gatherings.putPhoto), "FS-ID-4", "FS-SCH-10"),
		web.On("POST /api/ignite/spinoff", s.inGroup(membersToSpinOff, s.groups.spinOff), "FS-GRP-4"),
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.routes.ServeHTTP(w, r) }

// Close closes idle connections; requests in flight are still answered.
func (s *Server) Close() error {
	s.store.close()
	s.openAI.CloseIdleConnections()
	return nil
}

// health does not use storage, so it answers while storage is down.
func (s *Server) health(*web.Exchange) (web.Reply, error) {
	return web.Plain{"ok": true, "time": timestamp(s.now()), "version": s.config.Version}, nil
}

// call is a request and its caller. The deadline of its storage calls is in the context passed with it.
type call struct {
	*web.Exchange
	who  identity
	body web.Object // for a GET, its query
	op   string     // the operation's id; "" without a session
}

type handler func(context.Context, *call) (web.Reply, error)

// withDeadline bounds the time for a request's storage calls, and turns their errors into answers.
func (s *Server) withDeadline(handle handler) web.Handler {
	return func(x *web.Exchange) (web.Reply, error) {
		ctx, stop := context.WithTimeout(x.Request.Context(), storageDeadline)
		defer stop()
		reply, err := handle(ctx, &call{Exchange: x})
		return reply, answerable(err)
	}
}

// reading reads from the client and then handles what it sent. The time the client takes to send does not count as
// storage time: the deadline moves by as much.
func (c *call) reading(ctx context.Context, read func(*http.Request) (web.Object, error), then handler) (web.Reply,
	error) {
	deadline, _ := ctx.Deadline()
	began := time.Now()
	body, err := read(c.Request)
	if err != nil {
		return nil, err
	}
	c.body = body
	ctx, stop := context.WithDeadline(c.Request.Context(), deadline.Add(time.Since(began)))
	defer stop()
	return then(ctx, c)
}

// anybody reads the body, or the query, and requires no session.
func (s *Server) anybody(handle handler) web.Handler {
	return s.withDeadline(func(ctx context.Context, c *call) (web.Reply, error) {
		return c.reading(ctx, readFields, handle)
	})
}

// fromOwnSite is anybody, for what sets a cookie or sends mail: a browser also posts for pages of other sites. 403 for
// such a post.
func (s *Server) fromOwnSite(handle handler) web.Handler { return s.ownSite(readFields, handle) }

func (s *Server) ownSite(read func(*http.Request) (web.Object, error), handle handler) web.Handler {
	return s.withDeadline(func(ctx context.Context, c *call) (web.Reply, error) {
		if http.NewCrossOriginProtection().Check(c.Request) != nil {
			return nil, foreignForm()
		}
		return c.reading(ctx, read, handle)
	})
}

// signedIn requires a session first (401), then reads the body or the query, and the operation's key (413, 400).
func (s *Server) signedIn(handle handler) web.Handler {
	return s.withDeadline(func(ctx context.Context, c *call) (web.Reply, error) {
		if err := s.authenticate(ctx, c, c.Request.Header.Get(sessionHeader)); err != nil {
			return nil, err
		}
		return c.reading(ctx, readFields, func(ctx context.Context, c *call) (web.Reply, error) {
			var err error
			if c.op, err = s.operationOf(c); err != nil {
				return nil, err
			}
			return handle(ctx, c)
		})
	})
}

// inGroup is signedIn, then the gate: handle gets only callers that the gate admitted.
func (s *Server) inGroup(may admission,
	handle func(context.Context, *call, *access) (web.Reply, error)) web.Handler {
	return s.signedIn(func(ctx context.Context, c *call) (web.Reply, error) {
		groupID, err := c.id(may.groupField())
		if err != nil {
			return nil, err
		}
		in, err := s.gate(ctx, c, groupID, may)
		if err != nil {
			return nil, err
		}
		return handle(ctx, c, in)
	})
}

// guestOr treats a request without a session header as a guest's. An invalid header is a 401, never a guest.
func (s *Server) guestOr(guest handler, other web.Handler) web.Handler {
	asGuest := s.anybody(guest)
	return func(x *web.Exchange) (web.Reply, error) {
		if len(x.Request.Header.Values(sessionHeader)) == 0 {
			return asGuest(x)
		}
		return other(x)
	}
}

// readFields reads the body of a POST or a PUT, and the query of a GET as if it were its body.
func readFields(r *http.Request) (web.Object, error) {
	switch r.Method {
	case http.MethodPost, http.MethodPut:
		return web.ReadObject(r, maxBody)
	}
	return web.QueryObject(r)
}

// id returns a field that must be an id.
func (c *call) id(field string) (string, error) { return idField(c.body, field) }

// answerable turns storage errors into answers; other errors stay as they are. account.ErrTooLarge is one of those:
// values.go bounds what clients send, so a row can outgrow the store only through columns of others, for which a 413
// would wrongly blame the request.
func answerable(err error) error {
	var ready *web.Error
	switch {
	case errors.As(err, &ready):
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

// conflict: another request won, and nothing of this one was written.
func conflict() error {
	return &web.Error{Status: http.StatusConflict, Code: "conflict",
		Message: "somebody else changed this at the same time"}
}
