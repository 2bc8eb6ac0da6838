package calendsync

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/storespec/storespec/reference/web"
)

// shown is an entry in an answer.
func (e entry) shown() map[string]any {
	return map[string]any{"id": e.id, "calendarId": e.calendar, "title": e.title, "description": e.about,
		"location": e.location, "date": e.date, "color": e.color, "kind": e.kind, "createdAt": e.created,
		"updatedAt": e.updated, "version": e.version}
}

// readEntry reads the fields of an entry that a body has.
func (c *call) readEntry() (e entry, err error) {
	var is bool
	if e.calendar, is = c.body.String("calendarId"); !is || !isUUID(e.calendar) {
		return e, web.BadRequest("calendarId is not the id of a calendar")
	}
	if e.title, err = c.text("title"); err != nil {
		return e, err
	}
	if e.color, err = c.color(); err != nil {
		return e, err
	}
	if e.about, err = c.optional("description"); err != nil {
		return e, err
	}
	if e.location, err = c.optional("location"); err != nil {
		return e, err
	}
	if e.date, is = c.body.String("date"); !is || !isDate(e.date) {
		return e, web.BadRequest("date is not a date such as 2024-01-31")
	}
	e.kind, err = readKind(c.body["kind"], e.date)
	return e, err
}

// live is the check that a calendar can take entries: it exists and is not being deleted. A transaction
// makes it, so that no entry outlives its calendar.
func live(calendarID string) write { return require(calendarKey(calendarID), exists(), notDeleting()) }

func notDeleting() check { return check{attrDeleting, "absent", nil} }

// postEntry is POST /api/entries, for writers of its calendar.
func (s *Server) postEntry(ctx context.Context, c *call) (web.Reply, error) {
	e, err := c.readEntry()
	if err != nil {
		return nil, err
	}
	if e.id, err = s.creationID(c); err != nil {
		return nil, err
	}
	e.history, e.request = begun(s.timestamp()), uuid(s.newID())
	if _, err := s.member(ctx, c, e.calendar, roleWriter); err != nil {
		return nil, err
	}
	err = s.store.together(ctx, live(e.calendar), put(e.item(), missing()))
	var failed failedCheck
	switch {
	case !errors.As(err, &failed):
	case failed.of(0):
		err = notFound()
	default: // a repetition: the id is that of its Idempotency-Key
		calendarID := e.calendar
		var found bool
		if e, found, err = s.entry(ctx, e.id); err == nil && (!found || e.calendar != calendarID) {
			err = conflict("this Idempotency-Key was used for another request")
		}
	}
	if err != nil {
		return nil, err
	}
	return c.versioned(http.StatusCreated, e.version, e.shown()), nil
}

// entry returns an entry by its id (access pattern 3).
func (s *Server) entry(ctx context.Context, id string) (_ entry, found bool, _ error) {
	i, err := s.store.get(ctx, entryKey(id))
	return entryOf(i), i != nil, err
}

// pathEntry returns the entry that the path names, for members of its calendar with a role. Errors: 404, 403.
func (s *Server) pathEntry(ctx context.Context, c *call, needed role) (entry, error) {
	id, err := c.id("entry")
	if err != nil {
		return entry{}, err
	}
	e, found, err := s.entry(ctx, id)
	switch {
	case err != nil:
		return e, err
	case !found:
		return e, notFound()
	}
	_, err = s.member(ctx, c, e.calendar, needed)
	return e, err
}

// getEntry is GET /api/entries/{entry}, for members of its calendar.
func (s *Server) getEntry(ctx context.Context, c *call) (web.Reply, error) {
	e, err := s.pathEntry(ctx, c, roleReader)
	if err != nil {
		return nil, err
	}
	return c.versioned(http.StatusOK, e.version, e.shown()), nil
}

// putEntry is PUT /api/entries/{entry}, with If-Match, for writers of its calendar, and of the one it moves to.
func (s *Server) putEntry(ctx context.Context, c *call) (web.Reply, error) {
	version, err := c.version()
	if err != nil {
		return nil, err
	}
	wanted, err := c.readEntry()
	if err != nil {
		return nil, err
	}
	now, err := s.pathEntry(ctx, c, roleWriter)
	if err != nil {
		return nil, err
	}
	if wanted.calendar != now.calendar {
		if _, err := s.member(ctx, c, wanted.calendar, roleWriter); err != nil {
			return nil, err
		}
	}
	switch {
	case now.version == version+1 && now.same(wanted):
		return c.versioned(http.StatusOK, now.version, now.shown()), nil // a repetition: it was done before
	case now.version != version:
		return nil, stale(now.version)
	}
	wanted.id, wanted.created, wanted.request = now.id, now.created, now.request
	wanted.updated, wanted.version = s.timestamp(), version+1
	if err := s.replaceEntry(ctx, now, wanted); err != nil {
		return nil, err
	}
	return c.versioned(http.StatusOK, wanted.version, wanted.shown()), nil
}

// same compares what a body says of an entry.
func (e entry) same(other entry) bool {
	return e.calendar == other.calendar && e.title == other.title && e.date == other.date &&
		e.color == other.color && equal(e.about, other.about) && equal(e.location, other.location) &&
		e.kind.same(other.kind)
}

func (k kind) same(other kind) bool {
	return k.Type == other.Type && k.Start == other.Start && k.End == other.End &&
		(k.Completed == nil) == (other.Completed == nil) &&
		(k.Completed == nil || *k.Completed == *other.Completed)
}

// replaceEntry writes an entry again, unless it was changed meanwhile. If it moves, neither calendar may be about to be
// deleted: what deletes one counts on its entries to stay.
func (s *Server) replaceEntry(ctx context.Context, now, next entry) error {
	replace := put(next.item(), unchanged(now.history))
	var err error
	if next.calendar == now.calendar {
		_, err = s.store.write(ctx, replace)
	} else {
		err = s.store.together(ctx, live(next.calendar), live(now.calendar), replace)
	}
	var failed failedCheck
	switch {
	case !errors.As(err, &failed):
		return err
	case next.calendar != now.calendar && (failed.of(0) || failed.of(1)):
		return notFound()
	}
	again, found, err := s.entry(ctx, now.id)
	switch {
	case err != nil:
		return err
	case !found:
		return notFound()
	case again.history == next.history && again.same(next):
		return nil // this attempt did it, and its answer was lost
	}
	return stale(again.version)
}

// toggleEntry is PATCH /api/entries/{entry}/toggle, for writers: a task is completed, or no longer is. Two at once end
// as two one after the other. Each leaves its name in the entry, to be recognized if its answer was lost; where others
// have toggled since, it is unknown, and not tried again.
func (s *Server) toggleEntry(ctx context.Context, c *call) (web.Reply, error) {
	request, last := uuid(s.newID()), int64(0)
	for range maxTries {
		now, err := s.pathEntry(ctx, c, roleWriter)
		switch {
		case err != nil:
			return nil, err
		case now.request == request: // an earlier attempt did it
			return c.versioned(http.StatusOK, now.version, now.shown()), nil
		case last > 0 && now.version > last+1:
			return nil, fmt.Errorf("toggle: %w: others were faster, more than once", errUnavailable)
		case now.kind.Type != task || now.kind.Completed == nil:
			return nil, conflict("only a task can be toggled")
		}
		last = now.version
		done := !*now.kind.Completed
		now.kind.Completed = &done
		i, err := s.store.write(ctx, update(entryKey(now.id), change{set: item{attrKind: now.kind.item(),
			attrUpdated: s.timestamp(), attrVersion: now.version + 1, attrRequest: request}}, unchanged(now.history)))
		switch {
		case err == nil:
			e := entryOf(i)
			return c.versioned(http.StatusOK, e.version, e.shown()), nil
		case !errors.As(err, new(failedCheck)):
			return nil, err
		}
	}
	return nil, conflict("others keep changing this entry")
}

// deleteEntry is DELETE /api/entries/{entry}, for writers. An entry that moves meanwhile stays: the caller may not be a
// member of its new calendar.
func (s *Server) deleteEntry(ctx context.Context, c *call) (web.Reply, error) {
	e, err := s.pathEntry(ctx, c, roleWriter)
	if err != nil {
		return nil, err
	}
	_, err = s.store.write(ctx, remove(entryKey(e.id), is(attrCalendar, e.calendar)))
	if errors.As(err, new(failedCheck)) {
		var found bool
		if _, found, err = s.entry(ctx, e.id); err == nil && found {
			err = conflict("it was moved to another calendar meanwhile")
		}
	}
	if err != nil {
		return nil, err
	}
	return web.NoContent{}, nil
}
