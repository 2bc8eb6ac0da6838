package familyscheduler

import (
	"context"
	"errors"
	"fmt"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// createGroup is POST /api/group/create {groupName}.
func (s groups) createGroup(ctx context.Context, c *call) (web.Reply, error) {
	if err := c.noGuests(); err != nil {
		return nil, err
	}
	name, err := nameField(c.body, "groupName", maxGroupName)
	if err != nil {
		return nil, err
	}
	group, err := s.newGroup(ctx, c, name)
	if err != nil {
		return nil, err
	}
	return web.OK{"groupId": group.GroupID, "groupName": group.GroupName, "linkPath": linkPath(group.GroupID)}, nil
}

// newGroup creates a group with the caller as its only member; its id is the operation's. Its Groups row is written
// after the membership: until then the membership is not listed anywhere and the gate answers 404, so a group is either
// complete or invisible.
func (s groups) newGroup(ctx context.Context, c *call, name string) (*groupRow, error) {
	groupID, now := c.op, timestamp(s.now())
	founder := &memberRow{
		entity: memberEntityKey(groupID, c.who.userKey), UserKey: c.who.userKey, Email: c.who.email,
		MemberKey:  c.who.memberKey,
		membership: membership{Status: statusActive, JoinedAt: now, UpdatedAt: now},
	}
	if err := s.people.addMember(ctx, groupID, founder); err != nil {
		return nil, err
	}
	group := &groupRow{
		entity: groupKey(groupID), GroupID: groupID, GroupName: name,
		CreatedAt: now, UpdatedAt: now, CreatedByUserKey: c.who.userKey,
	}
	err := insertRow(ctx, s.store, tableGroups, group)
	if errors.Is(err, account.ErrChanged) { // an earlier attempt created it
		group, err = s.store.group(ctx, groupID)
	}
	if err != nil {
		return nil, err
	}
	if group == nil {
		return nil, fmt.Errorf("making a group: %w: its row is there and is not", account.ErrUnavailable)
	}
	return group, s.countMetric(ctx, c, group.CreatedAt, newGroups)
}

// insertNew inserts a row whose key contains the operation's id, or a new one: if the row already exists, an earlier
// attempt inserted it and its answer was lost.
func (s *Server) insertNew(ctx context.Context, table string, r keyed) error {
	err := insertRow(ctx, s.store, table, r)
	if errors.Is(err, account.ErrChanged) {
		return nil
	}
	return err
}

func linkPath(groupID string) string { return "/g/" + groupID }

// groupMeta is GET /api/group/meta?groupId.
func (s groups) groupMeta(_ context.Context, _ *call, in *access) (web.Reply, error) {
	return web.OK{
		"groupId":   in.groupID,
		"groupName": in.group.GroupName,
		"createdAt": in.group.CreatedAt,
		"updatedAt": in.group.UpdatedAt,
		"linkPath":  linkPath(in.groupID),
		"myStatus":  in.row.Status,
	}, nil
}

// renameGroup is POST /api/group/rename {groupId, groupName}: one update of Groups, whatever the number of members.
func (s groups) renameGroup(ctx context.Context, c *call, in *access) (web.Reply, error) {
	name, err := nameField(c.body, "groupName", maxGroupName)
	if err != nil {
		return nil, err
	}
	group, err := s.changeGroup(ctx, c, in.group, func(group *groupRow) (bool, error) {
		if group.IsDeleted {
			return false, groupNotFound()
		}
		group.GroupName = name
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return web.OK{"groupId": group.GroupID, "groupName": group.GroupName, "updatedAt": group.UpdatedAt}, nil
}

// deleteGroup is POST /api/group/delete {groupId}; a deleted group stays unchanged.
func (s groups) deleteGroup(ctx context.Context, c *call, in *access) (web.Reply, error) {
	group, err := s.changeGroup(ctx, c, in.group, func(group *groupRow) (bool, error) {
		if group.IsDeleted {
			return false, nil
		}
		group.deletion = deletedNow(s.now(), c.who.userKey)
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return web.OK{"groupId": in.groupID, "isDeleted": true, "purgeAfterAt": nullable(group.PurgeAfterAt)}, nil
}

// restoreGroup is POST /api/group/restore {groupId}.
func (s groups) restoreGroup(ctx context.Context, c *call, in *access) (web.Reply, error) {
	_, err := s.changeGroup(ctx, c, in.group, func(group *groupRow) (bool, error) {
		if !group.IsDeleted {
			return false, nil
		}
		group.deletion = deletion{}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	return web.OK{"groupId": in.groupID, "isDeleted": false}, nil
}

// changeGroup changes a group that the gate has just read: one write, which replaces the row, since only a replace
// removes columns. change reports whether there is anything to write; there is not, if this operation was the last to
// write.
func (s groups) changeGroup(ctx context.Context, c *call, known *groupRow,
	change func(*groupRow) (bool, error)) (*groupRow, error) {
	group, _, err := account.Change[groupRow]{
		Rounds: maxAttempts,
		Read:   func() (*groupRow, error) { return s.store.group(ctx, known.GroupID) },
		Decide: func(group *groupRow) (*groupRow, error) {
			if group == nil {
				return nil, groupNotFound()
			}
			if group.OpID == c.op {
				return nil, nil
			}
			if changed, err := change(group); !changed {
				return nil, err
			}
			group.OpID, group.UpdatedAt = c.op, timestamp(s.now())
			return group, nil
		},
		Write: func(_, next *groupRow) error { return writeRow(ctx, s.store, tableGroups, next, replace) },
	}.From(ctx, known)
	return group, err
}

// spinOff is POST /api/ignite/spinoff {sourceGroupId, groupName?}: a new group of the caller's own, with the source's
// name unless the caller gives one.
func (s groups) spinOff(ctx context.Context, c *call, in *access) (web.Reply, error) {
	name := in.group.GroupName
	if c.body.Has("groupName") {
		var err error
		if name, err = nameField(c.body, "groupName", maxGroupName); err != nil {
			return nil, err
		}
	}
	group, err := s.newGroup(ctx, c, name)
	if err != nil {
		return nil, err
	}
	return web.OK{"newGroupId": group.GroupID, "groupName": group.GroupName, "linkPath": linkPath(group.GroupID)}, nil
}
