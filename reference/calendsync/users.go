package calendsync

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/storespec/storespec/reference/web"
)

// shown is a user in an answer.
func (u user) shown() map[string]any {
	fields := map[string]any{"id": u.id, "name": u.name, "email": u.email, "createdAt": u.created,
		"updatedAt": u.updated, "version": u.version}
	if u.provider != "" {
		fields["provider"], fields["providerSubject"] = u.provider, u.subject
	}
	return fields
}

// postUser is POST /api/users {name, email, provider?, providerSubject?}. It needs no session. The guards keep two
// people from having one e-mail, or one account of a provider, also when they sign up at once.
func (s *Server) postUser(ctx context.Context, c *call) (web.Reply, error) {
	u, err := c.readUser()
	if err != nil {
		return nil, err
	}
	if u.id, err = s.creationID(c); err != nil {
		return nil, err
	}
	u.history = begun(s.timestamp())
	err = s.store.together(ctx, u.creation()...)
	var failed failedCheck
	switch {
	case !errors.As(err, &failed):
	case failed.of(0): // a repetition: the id is that of its Idempotency-Key
		u, err = s.createdBefore(ctx, u)
	default:
		err = conflict("the e-mail address, or the provider's account, is already in use")
	}
	if err != nil {
		return nil, err
	}
	return c.versioned(http.StatusCreated, u.version, u.shown()), nil
}

// creation is what creates a user: the guards are written with it, or nothing is.
func (u user) creation() []write {
	writes := []write{put(u.item(), missing()), put(guard(emailKey(u.email), u.id), missing())}
	if u.provider != "" {
		writes = append(writes, put(guard(u.accountKey(), u.id), missing()))
	}
	return writes
}

// createdBefore returns the user that an earlier attempt of this request created. Errors: 409 conflict if that attempt
// was for another user.
func (s *Server) createdBefore(ctx context.Context, u user) (user, error) {
	before, found, err := s.user(ctx, u.id)
	if err == nil && (!found || before.email != u.email) {
		err = conflict("this Idempotency-Key was used for another request")
	}
	return before, err
}

// readUser reads the fields of a user that a body has.
func (c *call) readUser() (u user, err error) {
	if u.name, err = c.text("name"); err != nil {
		return u, err
	}
	email, _ := c.body.String("email")
	if u.email = foldEmail(email); u.email == "" {
		return u, web.BadRequest("email is not an e-mail address")
	}
	if !c.body.Has("provider") && !c.body.Has("providerSubject") {
		return u, nil
	}
	if u.provider, err = c.text("provider"); err != nil {
		return u, err
	}
	if strings.Contains(u.provider, "#") { // it ends the provider in keys
		return u, web.BadRequest("provider must not contain #")
	}
	if u.subject, err = c.text("providerSubject"); err == nil && len(u.accountKey().sort) > maxSortKey {
		err = web.BadRequest("provider and providerSubject are too long to be a key")
	}
	return u, err
}

// user returns a user by its id (access pattern 1).
func (s *Server) user(ctx context.Context, id string) (_ user, found bool, _ error) {
	i, err := s.store.get(ctx, userKey(id))
	return userOf(i), i != nil, err
}

// getUser is GET /api/users/{user}: the caller, or a user who shares a calendar with the caller.
func (s *Server) getUser(ctx context.Context, c *call) (web.Reply, error) {
	id, err := c.id("user")
	if err != nil {
		return nil, err
	}
	u, found, err := s.user(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.showTo(ctx, c, u, found)
}

// findUser is GET /api/users?email=, or ?provider=&subject= (access patterns 7 and 8).
func (s *Server) findUser(ctx context.Context, c *call) (web.Reply, error) {
	asked, err := web.QueryObject(c.Request)
	if err != nil {
		return nil, err
	}
	email, _ := asked.String("email")
	provider, _ := asked.String("provider")
	subject, _ := asked.String("subject")
	var u user
	var found bool
	switch {
	case email != "" && provider == "" && subject == "":
		u, found, err = s.userByEmail(ctx, email)
	case email == "" && provider != "" && subject != "":
		u, found, err = s.userByAccount(ctx, provider, subject)
	default:
		return nil, web.BadRequest("give either email, or provider and subject")
	}
	if err != nil {
		return nil, err
	}
	return s.showTo(ctx, c, u, found)
}

// userByEmail finds a user by an e-mail in any case (access pattern 7).
func (s *Server) userByEmail(ctx context.Context, email string) (_ user, found bool, _ error) {
	folded := foldEmail(email)
	if folded == "" {
		return user{}, false, nil
	}
	return s.oneUser(ctx, query{of: gsi2(), partition: emailKey(folded).partition},
		func(u user) bool { return u.email == folded })
}

// userByAccount finds a user by an account at a provider (access pattern 8).
func (s *Server) userByAccount(ctx context.Context, provider, subject string) (_ user, found bool, _ error) {
	account := providerKey(provider, subject)
	if len(account.sort) > maxSortKey {
		return user{}, false, nil
	}
	return s.oneUser(ctx, query{of: gsi3(), partition: account.partition},
		func(u user) bool { return u.provider == provider && u.subject == subject })
}

// oneUser returns the user that a query of an index finds. While the index lags, it may still find a user who had the
// key before, whose item itself says otherwise: so the item is read. Nobody is found for a moment, but never another.
func (s *Server) oneUser(ctx context.Context, q query, has func(user) bool) (_ user, found bool, _ error) {
	all, err := s.store.query(ctx, q)
	if err != nil {
		return user{}, false, err
	}
	for _, i := range all {
		u, found, err := s.user(ctx, userOf(i).id)
		if err != nil || found && has(u) {
			return u, found, err
		}
	}
	return user{}, false, nil
}

// showTo shows a user to the caller, if there is one and the caller may see it. Errors: 404 not_found.
func (s *Server) showTo(ctx context.Context, c *call, u user, found bool) (web.Reply, error) {
	if found && u.id != c.caller {
		var err error
		if found, err = s.share(ctx, c.caller, u.id); err != nil {
			return nil, err
		}
	}
	if !found {
		return nil, notFound()
	}
	return c.versioned(http.StatusOK, u.version, u.shown()), nil
}

// share reports whether two people are members of one calendar.
func (s *Server) share(ctx context.Context, one, other string) (bool, error) {
	ofOne, err := s.membershipsOf(ctx, one)
	if err != nil {
		return false, err
	}
	ofOther, err := s.membershipsOf(ctx, other)
	if err != nil {
		return false, err
	}
	of := map[string]bool{}
	for _, m := range ofOne {
		of[m.calendar] = true
	}
	for _, m := range ofOther {
		if of[m.calendar] {
			return true, nil
		}
	}
	return false, nil
}

// putUser is PUT /api/users/{user} {name, email}, of oneself, with If-Match. A new e-mail takes its guard and its key
// in the index with it. The provider's account stays as it is.
func (s *Server) putUser(ctx context.Context, c *call) (web.Reply, error) {
	id, err := c.id("user")
	if err != nil {
		return nil, err
	}
	if id != c.caller {
		return nil, notFound()
	}
	version, err := c.version()
	if err != nil {
		return nil, err
	}
	wanted, err := c.readUser()
	if err != nil {
		return nil, err
	}
	now, found, err := s.user(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, notFound()
	case now.version == version+1 && now.name == wanted.name && now.email == wanted.email:
		return c.versioned(http.StatusOK, now.version, now.shown()), nil // a repetition: it was done before
	case now.version != version:
		return nil, stale(now.version)
	}
	next := now
	next.name, next.email = wanted.name, wanted.email
	next.updated, next.version = s.timestamp(), version+1
	if err := s.replaceUser(ctx, now, next); err != nil {
		return nil, err
	}
	return c.versioned(http.StatusOK, next.version, next.shown()), nil
}

// replaceUser writes a user again, unless it was changed meanwhile.
func (s *Server) replaceUser(ctx context.Context, now, next user) error {
	write := put(next.item(), unchanged(now.history))
	var err error
	if next.email == now.email {
		_, err = s.store.write(ctx, write)
	} else {
		err = s.store.together(ctx, write, put(guard(emailKey(next.email), next.id), missing()),
			remove(emailKey(now.email), ofUser(now.id)))
	}
	var failed failedCheck
	switch {
	case !errors.As(err, &failed):
		return err
	case failed.of(1):
		return conflict("the e-mail address is already in use")
	}
	again, found, err := s.user(ctx, now.id)
	switch {
	case err != nil:
		return err
	case !found:
		return notFound()
	case again.history == next.history && again.name == next.name && again.email == next.email:
		return nil // this attempt did it, and its answer was lost
	}
	return stale(again.version)
}
