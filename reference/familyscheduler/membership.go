package familyscheduler

import (
	"context"
	"errors"
	"fmt"

	"github.com/storespec/storespec/reference/account"
)

// Membership is stored in two tables. GroupMembers decides; UserGroups is a copy, to find a user's groups. The two
// cannot be written together, so every change goes
//
//	GroupMembers (If-Match) → UserGroups (If-Match) → GroupMembers read again
//
// and any operation, even one that changes nothing, completes a UserGroups row that lags. A request that dies in
// between leaves UserGroups outdated, and the repeated request repairs it.

// decision returns the new version of a member's row; nil leaves it as it is. If there is no row (now is nil), it
// returns one or an error.
type decision func(now *memberRow) (next *memberRow, err error)

// changeMember applies a decision to one person's membership and updates UserGroups to match. known is the row as the
// caller has read it. The returned row has this operation's opId if this operation, now or in an earlier attempt, put
// it into its current state. Errors: the decision's, before anything is written; 409 conflict when others keep winning.
func (s memberships) changeMember(ctx context.Context, c *call, groupID, userKey string, known *memberRow,
	decide decision) (*memberRow, error) {
	// Read before GroupMembers is written: the ETag of a UserGroups row that is written after this will not match
	// any more.
	copied, err := s.store.userGroup(ctx, userKey, groupID)
	if err != nil {
		return nil, err
	}
	row, written, err := account.Change[memberRow]{
		Rounds: maxAttempts,
		Read:   func() (*memberRow, error) { return s.store.member(ctx, groupID, userKey) },
		Decide: func(now *memberRow) (*memberRow, error) {
			next, err := decide(now)
			if next != nil && now != nil {
				next.entity = now.entity
			}
			if next != nil {
				next.OpID = c.op
			}
			return next, err
		},
		Write: func(_, next *memberRow) error { return writeRow(ctx, s.store, tableGroupMembers, next, replace) },
	}.From(ctx, known)
	if err != nil {
		return nil, err
	}
	if !written {
		return s.completeCopy(ctx, groupID, userKey, row, copied)
	}
	return row, s.copyMembership(ctx, groupID, row, copied)
}

// completeCopy is for a membership that is already in the right state: it writes only if UserGroups lags, and then from
// a row that was read after the copy was.
func (s memberships) completeCopy(ctx context.Context, groupID, userKey string, row *memberRow,
	copied *userGroupRow) (*memberRow, error) {
	if row.sameAs(copied) {
		return row, nil
	}
	latest, err := s.store.member(ctx, groupID, userKey)
	if err != nil {
		return nil, err
	}
	return row, s.copyMembership(ctx, groupID, latest, copied)
}

// copyMembership copies a GroupMembers row to UserGroups, and repeats until the row read afterwards is the one that was
// copied. It does not use account.Change: a successful write does not end it, only two matching rows do.
func (s memberships) copyMembership(ctx context.Context, groupID string, row *memberRow, copied *userGroupRow) error {
	for range maxAttempts {
		if row.sameAs(copied) {
			return nil
		}
		next := &userGroupRow{entity: userGroupKey(row.UserKey, groupID), GroupID: groupID, membership: row.membership}
		if copied != nil {
			next.entity = copied.entity
		}
		err := writeRow(ctx, s.store, tableUserGroups, next, replace)
		copied = next
		if errors.Is(err, account.ErrChanged) {
			copied, err = s.store.userGroup(ctx, row.UserKey, groupID)
		}
		if err != nil {
			return err
		}
		if row, err = s.store.member(ctx, groupID, row.UserKey); err != nil { // it is there: no row is ever deleted
			return err
		}
	}
	// GroupMembers was written, so this is not a conflict: the client repeats and the copy is completed.
	return fmt.Errorf("copying a membership to %s: %w: it keeps changing", tableUserGroups, account.ErrUnavailable)
}

// sameAs reports whether the two tables agree on a membership.
func (m *memberRow) sameAs(copied *userGroupRow) bool {
	return copied != nil && m.Status == copied.Status && m.InvitedAt == copied.InvitedAt &&
		m.JoinedAt == copied.JoinedAt && m.RemovedAt == copied.RemovedAt
}

// addMember writes a membership that no other request can know of: its group or its person has a new id.
func (s memberships) addMember(ctx context.Context, groupID string, row *memberRow) error {
	if err := s.insertNew(ctx, tableGroupMembers, row); err != nil {
		return err
	}
	copied := &userGroupRow{entity: userGroupKey(row.UserKey, groupID), GroupID: groupID, membership: row.membership}
	return s.insertNew(ctx, tableUserGroups, copied)
}
