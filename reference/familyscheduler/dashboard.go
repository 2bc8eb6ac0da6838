package familyscheduler

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// listedGroup is a group on its member's dashboard.
type listedGroup struct {
	name string
	row  *userGroupRow
}

// myGroups is GET /api/me/groups: one partition query of UserGroups and one point read of Groups for each group that
// has not been excluded by then.
func (s groups) myGroups(ctx context.Context, c *call) (web.Reply, error) {
	listed, err := s.dashboard(ctx, c)
	if err != nil {
		return nil, err
	}
	groups := make([]any, len(listed))
	for i, g := range listed {
		groups[i] = map[string]any{
			"groupId":   g.row.GroupID,
			"groupName": g.name,
			"myStatus":  g.row.Status,
			"invitedAt": nullable(g.row.InvitedAt),
			"joinedAt":  nullable(g.row.JoinedAt),
			"removedAt": nullable(g.row.RemovedAt),
			"updatedAt": nullable(g.row.UpdatedAt),
		}
	}
	return web.OK{"groups": groups}, nil
}

// dashboard returns the groups the caller is in or invited to, without deleted and unfinished ones; a guest sees one.
// Active ones come first, then by lower-cased name, then by id.
func (s groups) dashboard(ctx context.Context, c *call) ([]listedGroup, error) {
	rows, err := s.store.groupsOf(ctx, c.who.userKey)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(row *userGroupRow) bool {
		member := row.Status == statusActive || row.Status == statusInvited
		return !member || c.who.isGuest() && row.GroupID != c.who.guestOf
	})
	groups := make([]*groupRow, len(rows))
	err = account.InParallel(len(rows), func(i int) error {
		group, err := s.store.group(ctx, rows[i].GroupID)
		groups[i] = group
		return err
	})
	if err != nil {
		return nil, err
	}
	var listed []listedGroup
	for i, row := range rows {
		if groups[i] != nil && !groups[i].IsDeleted {
			listed = append(listed, listedGroup{name: groups[i].GroupName, row: row})
		}
	}
	slices.SortFunc(listed, func(a, b listedGroup) int {
		return cmp.Or(
			cmp.Compare(a.row.Status, b.row.Status), // active before invited
			strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)),
			strings.Compare(a.row.GroupID, b.row.GroupID),
		)
	})
	return listed, nil
}
