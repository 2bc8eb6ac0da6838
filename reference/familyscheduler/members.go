package familyscheduler

import (
	"context"
	"slices"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// listMembers is GET /api/group/members?groupId: the roster, without removed people. One partition query of
// GroupMembers and one point read of UserProfiles for each listed member.
func (s memberships) listMembers(ctx context.Context, c *call, in *access) (web.Reply, error) {
	rows, err := s.store.membersOf(ctx, in.groupID)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(row *memberRow) bool {
		return row.Status != statusActive && row.Status != statusInvited
	})
	listed := make([]any, len(rows))
	err = account.InParallel(len(rows), func(i int) error {
		profile, err := s.store.profile(ctx, rows[i].memberKey())
		if err != nil {
			return err
		}
		listed[i] = listedMember(rows[i], profile)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return web.OK{"members": listed}, nil
}

func listedMember(row *memberRow, profile *profileRow) map[string]any {
	if profile == nil {
		profile = &profileRow{}
	}
	return map[string]any{
		"userKey":     row.UserKey,
		"memberKey":   row.memberKey(),
		"email":       nullable(row.Email),
		"displayName": nullable(profile.DisplayName),
		"status":      row.Status,
		"invitedAt":   nullable(row.InvitedAt),
		"joinedAt":    nullable(row.JoinedAt),
		"removedAt":   nullable(row.RemovedAt),
	}
}

// removeMember is POST /api/group/remove-member {groupId, userKey?}: without a userKey, or with their own, callers
// leave. It also withdraws an invitation. The gate admits removed callers here so that a member whose leaving was
// interrupted can repeat it; everything else they ask for is refused.
func (s memberships) removeMember(ctx context.Context, c *call, in *access) (web.Reply, error) {
	target, err := s.memberToRemove(c, in)
	if err != nil {
		return nil, err
	}
	known := in.row
	if target != c.who.userKey {
		if known, err = s.store.member(ctx, in.groupID, target); err != nil {
			return nil, err
		}
	}
	row, err := s.changeMember(ctx, c, in.groupID, target, known, func(now *memberRow) (*memberRow, error) {
		switch {
		case now == nil:
			return nil, memberNotFound()
		case now.Status == statusRemoved:
			return nil, nil
		}
		return removed(now, s.now()), nil
	})
	if err != nil {
		return nil, err
	}
	return web.OK{"groupId": in.groupID, "userKey": target, "status": row.Status}, nil
}

func (s memberships) memberToRemove(c *call, in *access) (string, error) {
	userKey, _ := c.body.String("userKey") // "" if it is not a text; no one has that key
	if !c.body.Has("userKey") {
		userKey = c.who.userKey
	}
	if in.row.Status == statusRemoved && userKey != c.who.userKey {
		return "", notAllowed()
	}
	if !userKeyPattern.MatchString(userKey) {
		return "", web.BadRequest("userKey must be a member's key")
	}
	return userKey, nil
}

func memberNotFound() error { return notFound("member_not_found", "there is no such member") }
