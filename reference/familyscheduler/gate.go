package familyscheduler

import (
	"context"

	"github.com/storespec/storespec/reference/web"
)

// The gate: every route of a group passes through it, and nothing else decides who may do what.
//
// It looks at GroupMembers, never at UserGroups (GroupMembers decides when the two differ), never at a blob, and never
// at an e-mail in a body or a query.

// admission says who passes the gate besides the group's active members.
type admission struct {
	guests  bool // guests, in the group of their session
	invited bool // invited people who have not joined
	removed bool // removed people: only to repeat their own leaving
	deleted bool // the active members of a deleted group
	source  bool // the group is in the field sourceGroupId
}

// The admissions of the contract's routes ("who may").
var (
	members           = admission{}
	membersAndGuests  = admission{guests: true}
	membersAndInvited = admission{invited: true}
	membersAndRemoved = admission{removed: true}
	membersOfDeleted  = admission{deleted: true}
	membersToSpinOff  = admission{source: true}
	everybodyInvited  = admission{guests: true, invited: true}
	everyRow          = admission{invited: true, removed: true}
)

func (may admission) groupField() string {
	if may.source {
		return "sourceGroupId"
	}
	return "groupId"
}

func (may admission) status(status string) bool {
	return status == statusActive || status == statusInvited && may.invited || status == statusRemoved && may.removed
}

// access is what the gate read about a caller it admitted.
type access struct {
	groupID string
	row     *memberRow // the caller's
	group   *groupRow  // nil for a removed caller, who may learn nothing about the group
}

// gate admits a caller to a group or returns why not:
//
//  1. 403 forbidden: a guest outside the group of the session, or on a route that guests may not use. No storage call.
//  2. 403 not_allowed: no row in GroupMembers, or one with another status. One point read; the same answer whether or
//     not the group exists.
//  3. 404 group_not_found: the group is deleted, or was never finished. One point read of Groups.
func (s *Server) gate(ctx context.Context, c *call, groupID string, may admission) (*access, error) {
	if c.who.isGuest() && (!may.guests || c.who.guestOf != groupID) {
		return nil, forbidden()
	}
	row, err := s.store.member(ctx, groupID, c.who.userKey)
	if err != nil {
		return nil, err
	}
	if row == nil || !may.status(row.Status) {
		return nil, notAllowed()
	}
	if row.Status == statusRemoved {
		return &access{groupID: groupID, row: row}, nil
	}
	group, err := s.store.group(ctx, groupID)
	if err != nil {
		return nil, err
	}
	if group == nil || group.IsDeleted && !may.deleted {
		return nil, groupNotFound()
	}
	return &access{groupID: groupID, row: row, group: group}, nil
}

// noGuests keeps guests out of a route that belongs to no group.
func (c *call) noGuests() error {
	if c.who.isGuest() {
		return forbidden()
	}
	return nil
}

func forbidden() error {
	return &web.Error{Status: 403, Code: "forbidden", Message: "a guest's session does not reach this"}
}

func notAllowed() error {
	return &web.Error{Status: 403, Code: "not_allowed", Message: "only members of the group may do this"}
}

func groupNotFound() error { return notFound("group_not_found", "the group is not there") }

func notFound(code, message string) error {
	return &web.Error{Status: 404, Code: code, Message: message}
}
