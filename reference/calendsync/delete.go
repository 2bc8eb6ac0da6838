package calendsync

import (
	"context"
	"errors"

	"github.com/storespec/storespec/reference/web"
)

// deleteCalendar is DELETE /api/calendars/{calendar}, for owners. It marks the calendar first: from then on nothing can
// be added to it or moved. The mark takes the place of the description: an item of 400 KiB could not be marked. The
// caller's own membership goes last, so that the caller may ask again after a failure, and
// finishes what is left.
func (s *Server) deleteCalendar(ctx context.Context, c *call) (web.Reply, error) {
	id, err := c.id("calendar")
	if err != nil {
		return nil, err
	}
	if _, err := s.member(ctx, c, id, roleOwner); err != nil {
		return nil, err
	}
	_, err = s.store.write(ctx, update(calendarKey(id), change{set: item{attrDeleting: s.timestamp(),
		attrAbout: nil}}, exists()))
	if err != nil && !errors.As(err, new(failedCheck)) { // without a calendar, an earlier attempt came that far
		return nil, err
	}
	if err := s.removeEntries(ctx, id); err != nil {
		return nil, err
	}
	if err := s.removeMembers(ctx, id, c.caller); err != nil {
		return nil, err
	}
	last := memberKey(id, c.caller)
	if _, err := s.store.write(ctx, remove(last, exists())); err != nil && !errors.As(err, new(failedCheck)) {
		return nil, err
	}
	return web.NoContent{}, nil
}

// removeEntries removes the entries of a calendar, page by page: a request whose time is up has removed some, and the
// next one has less to do. The index may lag: an entry that has moved to another calendar is still found in this one,
// so each is looked up first. None moves any more.
func (s *Server) removeEntries(ctx context.Context, calendarID string) error {
	of := query{of: gsi1(), partition: calendarPrefix + calendarID, prefix: entryPrefix}
	return s.store.pages(ctx, of, func(page []item) error {
		found, err := s.store.batchGet(ctx, keysOf(page))
		if err != nil {
			return err
		}
		var its []key
		for _, k := range keysOf(page) {
			if entryOf(found[k]).calendar == calendarID {
				its = append(its, k)
			}
		}
		return s.store.removeAll(ctx, its)
	})
}

// removeMembers removes a calendar with all memberships but one.
func (s *Server) removeMembers(ctx context.Context, calendarID, but string) error {
	of := query{of: table(), partition: calendarKey(calendarID).partition}
	return s.store.pages(ctx, of, func(page []item) error {
		var others []key
		for _, k := range keysOf(page) {
			if k != memberKey(calendarID, but) {
				others = append(others, k)
			}
		}
		return s.store.removeAll(ctx, others)
	})
}

func keysOf(items []item) []key {
	keys := make([]key, len(items))
	for i, one := range items {
		keys[i] = one.key()
	}
	return keys
}
