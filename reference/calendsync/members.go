package calendsync

import (
	"context"
	"errors"
	"net/http"

	"github.com/storespec/storespec/reference/web"
)

// maxTries is how often a change is tried that others were faster than.
const maxTries = 5

// shown is a membership in an answer.
func (m membership) shown() map[string]any {
	return map[string]any{"calendarId": m.calendar, "userId": m.user, "role": m.role, "createdAt": m.created,
		"updatedAt": m.updated, "version": m.version}
}

// getMembers is GET /api/calendars/{calendar}/members, for its members (access pattern 4).
func (s *Server) getMembers(ctx context.Context, c *call) (web.Reply, error) {
	id, err := c.id("calendar")
	if err != nil {
		return nil, err
	}
	if _, err := s.member(ctx, c, id, roleReader); err != nil {
		return nil, err
	}
	all, err := s.store.query(ctx, query{of: table(), partition: calendarKey(id).partition, prefix: memberPrefix})
	if err != nil {
		return nil, err
	}
	keys := make([]key, len(all))
	for i, found := range all {
		keys[i] = userKey(membershipOf(found).user)
	}
	users, err := s.store.batchGet(ctx, keys)
	if err != nil {
		return nil, err
	}
	shown := make([]any, len(all))
	for i, found := range all {
		m := membershipOf(found)
		fields := m.shown()
		u := userOf(users[userKey(m.user)])
		fields["name"], fields["email"] = u.name, u.email
		shown[i] = fields
	}
	return web.Plain{"members": shown}, nil
}

// readRole reads the role of a body.
func (c *call) readRole() (role, error) {
	text, is := c.body.String("role")
	if r := role(text); is && r.known() {
		return r, nil
	}
	return "", web.BadRequest("role is not owner, writer or reader")
}

// postMember is POST /api/calendars/{calendar}/members {userId or email, role}, for its owners.
func (s *Server) postMember(ctx context.Context, c *call) (web.Reply, error) {
	id, err := c.id("calendar")
	if err != nil {
		return nil, err
	}
	m := membership{calendar: id, history: begun(s.timestamp())}
	if m.role, err = c.readRole(); err != nil {
		return nil, err
	}
	if m.request, err = c.requestID(); err != nil {
		return nil, err
	}
	if c.body.Has("userId") == c.body.Has("email") {
		return nil, web.BadRequest("give either userId or email")
	}
	if _, err := s.member(ctx, c, id, roleOwner); err != nil {
		return nil, err
	}
	if m.user, err = s.invited(ctx, c); err != nil {
		return nil, err
	}
	if m, err = s.addMember(ctx, m); err != nil {
		return nil, err
	}
	return web.JSON{Status: http.StatusCreated, Value: m.shown()}, nil
}

// invited returns the id of the user whom a body names.
func (s *Server) invited(ctx context.Context, c *call) (string, error) {
	id, isID := c.body.String("userId")
	email, isEmail := c.body.String("email")
	if !isID || !isEmail {
		return "", web.BadRequest("userId or email is not a text")
	}
	var u user
	var found bool
	var err error
	if email != "" {
		u, found, err = s.userByEmail(ctx, email)
	} else if isUUID(id) {
		u, found, err = s.user(ctx, id)
	}
	if err == nil && !found {
		err = notFound()
	}
	return u.id, err
}

// addMember writes a membership that is not there, of a calendar that is not being deleted.
func (s *Server) addMember(ctx context.Context, m membership) (membership, error) {
	its := live(m.calendar)
	if m.role == roleOwner {
		its = update(calendarKey(m.calendar), change{add: map[string]int64{attrOwners: 1}}, exists(), notDeleting())
	}
	err := s.store.together(ctx, its, put(m.item(), missing()))
	var failed failedCheck
	switch {
	case !errors.As(err, &failed):
		return m, err
	case failed.of(0):
		return m, notFound()
	}
	there, found, err := s.membership(ctx, m.calendar, m.user)
	switch {
	case err != nil:
		return m, err
	case found && m.request != "" && there.request == m.request:
		return there, nil // a repetition
	}
	return m, conflict("this user is already a member")
}

// putMember is PUT /api/calendars/{calendar}/members/{user} {role}, for owners.
func (s *Server) putMember(ctx context.Context, c *call) (web.Reply, error) {
	calendarID, userID, err := c.memberIDs()
	if err != nil {
		return nil, err
	}
	wanted, err := c.readRole()
	if err != nil {
		return nil, err
	}
	own, err := s.member(ctx, c, calendarID, roleOwner)
	if err != nil {
		return nil, err
	}
	m, err := s.changeMember(ctx, c, own, userID, wanted)
	if err != nil {
		return nil, err
	}
	return web.JSON{Status: http.StatusOK, Value: m.shown()}, nil
}

// deleteMember is DELETE /api/calendars/{calendar}/members/{user}: every member may leave, an owner removes others.
func (s *Server) deleteMember(ctx context.Context, c *call) (web.Reply, error) {
	calendarID, userID, err := c.memberIDs()
	if err != nil {
		return nil, err
	}
	needed := roleOwner
	if userID == c.caller {
		needed = roleReader
	}
	own, err := s.member(ctx, c, calendarID, needed)
	if err != nil {
		return nil, err
	}
	if _, err := s.changeMember(ctx, c, own, userID, ""); err != nil {
		return nil, err
	}
	return web.NoContent{}, nil
}

func (c *call) memberIDs() (calendarID, userID string, err error) {
	if calendarID, err = c.id("calendar"); err == nil {
		userID, err = c.id("user")
	}
	return calendarID, userID, err
}

// changeMember gives a member another role; "" removes the member. A calendar keeps at least one owner. own is the
// caller's membership, as it was just read.
func (s *Server) changeMember(ctx context.Context, c *call, own membership, userID string, wanted role) (membership,
	error) {
	now, found := own, true
	for try := range maxTries {
		if try > 0 || userID != c.caller {
			var err error
			if now, found, err = s.membership(ctx, own.calendar, userID); err != nil {
				return now, err
			}
		}
		switch {
		case !found && try > 0 && wanted == "":
			return now, nil // an earlier attempt removed it, or another request did
		case !found:
			return now, notFound()
		case now.role == wanted:
			return now, nil
		}
		next, err := s.writeMember(ctx, now, wanted)
		if !errors.As(err, new(failedCheck)) {
			return next, err
		}
	}
	return now, conflict("others keep changing this membership")
}

// writeMember changes or removes a membership, unless it was changed meanwhile. Errors: failedCheck if it was; 409
// conflict for the last owner.
func (s *Server) writeMember(ctx context.Context, now membership, wanted role) (membership, error) {
	next := now
	next.role, next.updated, next.version = wanted, s.timestamp(), now.version+1
	at, since := memberKey(now.calendar, now.user), unchanged(now.history)
	w := update(at, change{set: item{attrRole: string(wanted), attrUpdated: next.updated, attrVersion: next.version}},
		since)
	if wanted == "" {
		w = remove(at, since)
	}
	count := change{add: map[string]int64{attrOwners: 1}}
	checks := []check{exists(), notDeleting()}
	switch {
	case now.role == roleOwner:
		count.add[attrOwners] = -1
		checks = []check{above(attrOwners, 1), notDeleting()}
	case wanted != roleOwner:
		_, err := s.store.write(ctx, w)
		return next, err
	}
	err := s.store.together(ctx, update(calendarKey(now.calendar), count, checks...), w)
	var failed failedCheck
	switch {
	case !errors.As(err, &failed) || failed.of(1):
		return next, err
	case now.role == roleOwner:
		return next, s.lastOwner(ctx, now.calendar)
	}
	return next, notFound()
}

// lastOwner is the error of a change that would leave a calendar without an owner: 409 conflict, or 404 not_found if
// the calendar is being deleted, or is gone.
func (s *Server) lastOwner(ctx context.Context, calendarID string) error {
	switch _, found, err := s.calendar(ctx, calendarID); {
	case err != nil:
		return err
	case !found:
		return notFound()
	}
	return conflict("a calendar needs an owner: make another member an owner first")
}
