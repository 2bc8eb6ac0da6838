package familyscheduler

import (
	"context"
	"errors"
	"strings"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// assignParticipant is {appointmentId, memberKey, role?}: find, 1 read of the member, 1 write.
func (s appointments) assignParticipant(ctx context.Context, c *call, in *access, fields web.Object) (web.OK, error) {
	memberKey, err := memberKeyField(fields, "memberKey")
	if err != nil {
		return nil, err
	}
	role, err := textField(fields, "role", maxRole)
	if err != nil || strings.IndexFunc(role, isControl) >= 0 {
		return nil, web.BadRequest("role must be a text that is not too long")
	}
	row, err := s.findAppointment(ctx, in, fields)
	if err != nil {
		return nil, err
	}
	member, err := s.people.memberOf(ctx, in.groupID, memberKey)
	if err != nil {
		return nil, err
	}
	if member == nil || member.Status != statusActive {
		return nil, memberNotFound()
	}
	now := timestamp(s.now())
	err = upsertRow(ctx, s.store, tableAppointmentParticipants, &participantRow{
		entity: participantKey(in.groupID, row.AppointmentID, memberKey),
		Status: statusAssigned, Role: &role, AssignedAt: now, AssignedBy: c.who.memberKey, UpdatedAt: now,
	})
	return web.OK{"appointmentId": row.AppointmentID, "memberKey": memberKey}, err
}

// unassignParticipant is {appointmentId, memberKey}: the row is kept. It also works for people who have left the group.
func (s appointments) unassignParticipant(ctx context.Context, c *call, in *access, fields web.Object) (web.OK, error) {
	memberKey, err := memberKeyField(fields, "memberKey")
	if err != nil {
		return nil, err
	}
	row, err := s.findAppointment(ctx, in, fields)
	if err != nil {
		return nil, err
	}
	participant := &participantRow{
		entity: participantKey(in.groupID, row.AppointmentID, memberKey),
		Status: statusUnassigned, UpdatedAt: timestamp(s.now()),
	}
	participant.ETag = "*" // whichever version is there, but not none
	err = writeRow(ctx, s.store, tableAppointmentParticipants, participant, merge)
	if errors.Is(err, account.ErrChanged) {
		return nil, memberNotFound()
	}
	return web.OK{"appointmentId": row.AppointmentID, "memberKey": memberKey}, err
}

// memberOf finds a member by memberKey with one read. A row without one is that of auth:{userKey}, and is read by its
// key; for the others the partition is queried.
func (s memberships) memberOf(ctx context.Context, groupID, memberKey string) (*memberRow, error) {
	userKey := strings.TrimPrefix(memberKey, authPrefix)
	if !userKeyPattern.MatchString(userKey) {
		return s.store.memberByKey(ctx, groupID, memberKey)
	}
	row, err := s.store.member(ctx, groupID, userKey)
	if row == nil || row.memberKey() != memberKey {
		return nil, err
	}
	return row, nil
}

// memberKeyField reads a memberKey, which never contains an e-mail: it becomes part of keys and blob names.
func memberKeyField(fields web.Object, field string) (string, error) {
	key, ok := fields.String(field)
	prefix, rest, _ := strings.Cut(key, ":")
	prefixed := prefix+":" == authPrefix || prefix+":" == guestPrefix
	if !ok || !prefixed || rest == "" || len(key) > maxMemberKey || strings.Contains(key, "@") {
		return "", web.BadRequest(field + " must be auth:… or guest:…")
	}
	return key, nil
}
