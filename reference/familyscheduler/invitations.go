package familyscheduler

import (
	"context"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// The transitions of a membership are at the end of this file; the routes say who may trigger which.

// invite is POST /api/group/join-link {groupId, email}. Inviting an invited person again changes nothing.
func (s memberships) invite(ctx context.Context, c *call, in *access) (web.Reply, error) {
	email, err := emailField(c.body, "email")
	if err != nil {
		return nil, err
	}
	userKey := userKeyOf(email)
	known, err := s.store.member(ctx, in.groupID, userKey)
	if err != nil {
		return nil, err
	}
	row, err := s.changeMember(ctx, c, in.groupID, userKey, known, func(now *memberRow) (*memberRow, error) {
		switch {
		case now != nil && now.Status == statusActive:
			return nil, &web.Error{Status: 409, Code: "already_member", Message: "this person is a member already"}
		case now != nil && now.Status == statusInvited:
			return nil, nil
		}
		// Any other status, also one that is not the design's, is not a membership (gate.go).
		return invited(now, in.groupID, userKey, email, s.now()), nil
	})
	if err != nil {
		return nil, err
	}
	if row.OpID == c.op {
		if err := s.countMetric(ctx, c, row.InvitedAt, invitesSent); err != nil {
			return nil, err
		}
	}
	reply := web.OK{"groupId": in.groupID, "userKey": userKey, "status": row.Status}
	if row.InvitedAt != "" { // a row of others may lack it
		reply["invitedAt"] = row.InvitedAt
	}
	return reply, nil
}

// join is POST /api/group/join {groupId}: an invited caller becomes active; for an active one nothing changes.
func (s memberships) join(ctx context.Context, c *call, in *access) (web.Reply, error) {
	row, err := s.acceptInvitation(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return web.OK{
		"groupId": in.groupID, "groupName": in.group.GroupName, "status": row.Status,
		"joinedAt": nullable(row.JoinedAt),
	}, nil
}

// acceptInvitation takes the caller from invited to active.
func (s memberships) acceptInvitation(ctx context.Context, c *call, in *access) (*memberRow, error) {
	row, err := s.changeMember(ctx, c, in.groupID, c.who.userKey, in.row, func(now *memberRow) (*memberRow, error) {
		switch {
		case now == nil || now.Status == statusRemoved: // while this request was under way
			return nil, notAllowed()
		case now.Status == statusInvited:
			return joined(now, c.who.memberKey, s.now()), nil
		}
		return nil, nil
	})
	if err != nil || row.OpID != c.op {
		return row, err
	}
	return row, s.countMetric(ctx, c, row.JoinedAt, invitesAccepted)
}

// decline is POST /api/group/decline {groupId}: an invited caller is removed; a removed one stays removed.
func (s memberships) decline(ctx context.Context, c *call, in *access) (web.Reply, error) {
	row, err := s.changeMember(ctx, c, in.groupID, c.who.userKey, in.row, func(now *memberRow) (*memberRow, error) {
		switch {
		case now == nil:
			return nil, notAllowed()
		case now.Status == statusActive:
			return nil, &web.Error{Status: 409, Code: "already_member", Message: "members leave, they do not decline"}
		case now.Status == statusInvited:
			return removed(now, s.now()), nil
		}
		return nil, nil
	})
	if err != nil {
		return nil, err
	}
	return web.OK{"groupId": in.groupID, "status": row.Status}, nil
}

// invited starts over: it drops joinedAt and removedAt of an earlier membership.
func invited(old *memberRow, groupID, userKey, email string, at time.Time) *memberRow {
	next := &memberRow{
		entity: memberEntityKey(groupID, userKey), UserKey: userKey, Email: email,
		membership: membership{Status: statusInvited, InvitedAt: timestamp(at), UpdatedAt: timestamp(at)},
	}
	if old != nil {
		next.MemberKey = old.MemberKey
	}
	return next
}

// joined keeps invitedAt.
func joined(old *memberRow, memberKey string, at time.Time) *memberRow {
	next := *old
	next.MemberKey = memberKey
	next.membership = membership{
		Status: statusActive, InvitedAt: old.InvitedAt, JoinedAt: timestamp(at), UpdatedAt: timestamp(at),
	}
	return &next
}

// removed keeps invitedAt and joinedAt as history.
func removed(old *memberRow, at time.Time) *memberRow {
	next := *old
	next.Status, next.RemovedAt, next.UpdatedAt = statusRemoved, timestamp(at), timestamp(at)
	return &next
}
