package familyscheduler

import (
	"context"
	"errors"
	"fmt"

	"github.com/storespec/storespec/reference/account"
)

// Membership lies in two tables. GroupMembers decides; UserGroups repeats it so that a user's groups can be found. The
// two cannot be written together, so every change goes
//
//	GroupMembers (If-Match) → UserGroups (If-Match) → GroupMembers read again
//
// and any operation, also one that finds nothing to change, completes a UserGroups row that lags. A request that dies in
// between leaves UserGroups behind, and the repeated request catches up.

// decision looks at a member's row (nil: there is none) and says what it becomes; nil leaves it as it is.
type decision func(now *memberRow) (next *memberRow, err error)

// changeMember takes one person's membership through a decision and makes UserGroups follow. known is the row as the
// caller has read it. The row it answers with has this operation's opId if it was this operation, now or in an earlier
// attempt, that made it what it is. Errors: the decision's, before anything is written; 409 conflict when others keep
// winning.
func (s *Server) changeMember(c *call, groupID, userKey string, known *memberRow, decide decision) (*memberRow, error) {
	ctx := c.ctx
	next, err := decide(known)
	if err != nil {
		return nil, err
	}
	// Read before GroupMembers is written: a UserGroups row that somebody writes after this will not match any more.
	copied, err := s.store.userGroup(ctx, userKey, groupID)
	if err != nil {
		return nil, err
	}
	row := known
	for range maxAttempts {
		if next == nil {
			return s.completeCopy(ctx, groupID, userKey, row, copied)
		}
		next.OpID = c.op
		err := s.writeMember(ctx, row, next)
		if err == nil {
			return next, s.copyMembership(ctx, groupID, next, copied)
		}
		if !errors.Is(err, account.ErrChanged) {
			return nil, err
		}
		if row, err = s.store.member(ctx, groupID, userKey); err != nil {
			return nil, err
		}
		if next, err = decide(row); err != nil {
			return nil, err
		}
	}
	return nil, conflict()
}

func (s *Server) writeMember(ctx context.Context, old, next *memberRow) error {
	if old == nil {
		return insertRow(ctx, s.store, tableGroupMembers, next)
	}
	next.entity = old.entity
	return replaceRow(ctx, s.store, tableGroupMembers, next)
}

// completeCopy is for a membership that is already as it should be: it writes only where UserGroups lags, and then from a
// row that was read after the copy was.
func (s *Server) completeCopy(ctx context.Context, groupID, userKey string, row *memberRow, copied *userGroupRow) (*memberRow, error) {
	if row == nil || row.sameAs(copied) {
		return row, nil
	}
	latest, err := s.store.member(ctx, groupID, userKey)
	if err != nil || latest == nil {
		return row, err
	}
	return row, s.copyMembership(ctx, groupID, latest, copied)
}

// copyMembership makes UserGroups say what a GroupMembers row says, and goes on until the row read afterwards is the one
// that was copied.
func (s *Server) copyMembership(ctx context.Context, groupID string, row *memberRow, copied *userGroupRow) error {
	for range maxAttempts {
		if row.sameAs(copied) {
			return nil
		}
		next := &userGroupRow{entity: userGroupKey(row.UserKey, groupID), GroupID: groupID, membership: row.membership}
		write := insertRow
		if copied != nil {
			next.entity = copied.entity
			write = replaceRow
		}
		err := write(ctx, s.store, tableUserGroups, next)
		switch {
		case err == nil:
			copied = next
		case errors.Is(err, account.ErrChanged):
			if copied, err = s.store.userGroup(ctx, row.UserKey, groupID); err != nil {
				return err
			}
		default:
			return err
		}
		latest, err := s.store.member(ctx, groupID, row.UserKey)
		if err != nil {
			return err
		}
		if latest != nil {
			row = latest
		}
	}
	// GroupMembers was written, so this is no conflict: the client repeats and the copy is completed.
	return fmt.Errorf("copying a membership to %s: %w: it keeps changing", tableUserGroups, account.ErrUnavailable)
}

// sameAs: the two tables say the same about one membership.
func (m *memberRow) sameAs(copied *userGroupRow) bool {
	return copied != nil && m.Status == copied.Status && m.InvitedAt == copied.InvitedAt &&
		m.JoinedAt == copied.JoinedAt && m.RemovedAt == copied.RemovedAt
}

// addMember writes a membership nobody else can know of: its group or its person has a new id.
func (s *Server) addMember(ctx context.Context, groupID string, row *memberRow) error {
	if err := s.insertNew(ctx, tableGroupMembers, row); err != nil {
		return err
	}
	copied := &userGroupRow{entity: userGroupKey(row.UserKey, groupID), GroupID: groupID, membership: row.membership}
	return s.insertNew(ctx, tableUserGroups, copied)
}
