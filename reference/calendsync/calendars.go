package calendsync

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/storespec/storespec/reference/web"
)

// shown is a calendar in an answer.
func (k calendar) shown() map[string]any {
	return map[string]any{"id": k.id, "name": k.name, "color": k.color, "description": k.about,
		"createdAt": k.created, "updatedAt": k.updated, "version": k.version}
}

// readCalendar reads the fields of a calendar that a body has.
func (c *call) readCalendar() (k calendar, err error) {
	if k.name, err = c.text("name"); err != nil {
		return k, err
	}
	if k.color, err = c.color(); err != nil {
		return k, err
	}
	k.about, err = c.optional("description")
	return k, err
}

// postCalendar is POST /api/calendars {name, color, description?}. The calendar and the membership of its owner are
// there together or not at all.
func (s *Server) postCalendar(ctx context.Context, c *call) (web.Reply, error) {
	k, err := c.readCalendar()
	if err != nil {
		return nil, err
	}
	if k.id, err = s.creationID(c); err != nil {
		return nil, err
	}
	k.history, k.owners = begun(s.timestamp()), 1
	first := membership{calendar: k.id, user: c.caller, role: roleOwner, history: k.history}
	err = s.store.together(ctx, put(k.item(), missing()), put(first.item(), missing()))
	if errors.As(err, new(failedCheck)) { // a repetition: the id is that of its Idempotency-Key
		k, err = s.createdCalendar(ctx, c, k.id)
	}
	if err != nil {
		return nil, err
	}
	return c.versioned(http.StatusCreated, k.version, k.shown()), nil
}

// createdCalendar returns the calendar that an earlier attempt of this request created. Errors: 409 conflict if it was
// deleted, or the caller has left it.
func (s *Server) createdCalendar(ctx context.Context, c *call, id string) (calendar, error) {
	_, isMember, err := s.membership(ctx, id, c.caller)
	if err != nil {
		return calendar{}, err
	}
	k, found, err := s.calendar(ctx, id)
	if err == nil && (!found || !isMember) {
		err = conflict("the calendar of this Idempotency-Key was deleted, or you have left it")
	}
	return k, err
}

// calendar returns a calendar by its id (access pattern 2). One that is being deleted is not found.
func (s *Server) calendar(ctx context.Context, id string) (_ calendar, found bool, _ error) {
	i, err := s.store.get(ctx, calendarKey(id))
	k := calendarOf(i)
	return k, i != nil && k.deleting == "", err
}

// getCalendar is GET /api/calendars/{calendar}, for its members.
func (s *Server) getCalendar(ctx context.Context, c *call) (web.Reply, error) {
	id, err := c.id("calendar")
	if err != nil {
		return nil, err
	}
	if _, err := s.member(ctx, c, id, roleReader); err != nil {
		return nil, err
	}
	k, found, err := s.calendar(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, notFound()
	}
	return c.versioned(http.StatusOK, k.version, k.shown()), nil
}

// putCalendar is PUT /api/calendars/{calendar} {name, color, description?}, for its owners, with If-Match.
func (s *Server) putCalendar(ctx context.Context, c *call) (web.Reply, error) {
	id, err := c.id("calendar")
	if err != nil {
		return nil, err
	}
	version, err := c.version()
	if err != nil {
		return nil, err
	}
	wanted, err := c.readCalendar()
	if err != nil {
		return nil, err
	}
	if _, err := s.member(ctx, c, id, roleOwner); err != nil {
		return nil, err
	}
	k, err := s.changeCalendar(ctx, id, version, wanted)
	if err != nil {
		return nil, err
	}
	return c.versioned(http.StatusOK, k.version, k.shown()), nil
}

func (s *Server) changeCalendar(ctx context.Context, id string, version int64, wanted calendar) (calendar, error) {
	i, err := s.store.write(ctx, update(calendarKey(id),
		change{set: item{attrName: wanted.name, attrColor: wanted.color, attrAbout: orNull(wanted.about),
			attrUpdated: s.timestamp(), attrVersion: version + 1}},
		is(attrVersion, version), notDeleting()))
	if !errors.As(err, new(failedCheck)) {
		return calendarOf(i), err
	}
	k, found, err := s.calendar(ctx, id)
	switch {
	case err != nil:
		return k, err
	case !found:
		return k, notFound()
	case k.version == version+1 && k.name == wanted.name && k.color == wanted.color && equal(k.about, wanted.about):
		return k, nil // an earlier attempt did it, and its answer was lost
	}
	return k, stale(k.version)
}

// equal compares two texts that may be null.
func equal(a, b *string) bool { return orNull(a) == orNull(b) }

// membershipsOf returns what a user is a member of (access pattern 5), in the order of the calendars' ids. The index
// may lag.
func (s *Server) membershipsOf(ctx context.Context, userID string) (list []membership, _ error) {
	all, err := s.store.query(ctx, query{of: gsi1(), partition: userPrefix + userID, prefix: calendarPrefix})
	for _, i := range all {
		list = append(list, membershipOf(i))
	}
	return list, err
}

// own is a calendar with the caller's membership of it.
type own struct {
	membership
	calendar calendar
}

// owned returns the caller's calendars with their roles, by name. One that is being deleted is left out.
func (s *Server) owned(ctx context.Context, c *call) (list []own, _ error) {
	memberships, err := s.membershipsOf(ctx, c.caller)
	if err != nil {
		return nil, err
	}
	keys := make([]key, len(memberships))
	for i, m := range memberships {
		keys[i] = calendarKey(m.calendar)
	}
	found, err := s.store.batchGet(ctx, keys)
	if err != nil {
		return nil, err
	}
	for _, m := range memberships {
		if k := calendarOf(found[calendarKey(m.calendar)]); k.id != "" && k.deleting == "" {
			list = append(list, own{m, k})
		}
	}
	slices.SortFunc(list, func(a, b own) int {
		return cmp.Or(cmp.Compare(a.calendar.name, b.calendar.name), cmp.Compare(a.calendar.id, b.calendar.id))
	})
	return list, nil
}

// getCalendars is GET /api/calendars: those that the caller is a member of.
func (s *Server) getCalendars(ctx context.Context, c *call) (web.Reply, error) {
	list, err := s.owned(ctx, c)
	if err != nil {
		return nil, err
	}
	shown := make([]any, len(list))
	for i, one := range list {
		shown[i] = one.calendar.shown()
	}
	return web.Plain{"calendars": shown}, nil
}

// getMemberships is GET /api/calendars/me: the caller's memberships, each with its role and its calendar.
func (s *Server) getMemberships(ctx context.Context, c *call) (web.Reply, error) {
	list, err := s.owned(ctx, c)
	if err != nil {
		return nil, err
	}
	shown := make([]any, len(list))
	for i, one := range list {
		shown[i] = map[string]any{"role": one.role, "calendar": one.calendar.shown()}
	}
	return web.Plain{"memberships": shown}, nil
}
