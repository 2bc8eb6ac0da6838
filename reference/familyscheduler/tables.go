package familyscheduler

import "context"

// The reads of single rows, by the design's names for them; each is one point read, and nil means "no such row".

func (s *store) group(ctx context.Context, groupID string) (*groupRow, error) {
	return getRow[groupRow](ctx, s, tableGroups, groupKey(groupID))
}

func (s *store) member(ctx context.Context, groupID, userKey string) (*memberRow, error) {
	return getRow[memberRow](ctx, s, tableGroupMembers, memberEntityKey(groupID, userKey))
}

func (s *store) userGroup(ctx context.Context, userKey, groupID string) (*userGroupRow, error) {
	return getRow[userGroupRow](ctx, s, tableUserGroups, userGroupKey(userKey, groupID))
}

func (s *store) profile(ctx context.Context, memberKey string) (*profileRow, error) {
	return getRow[profileRow](ctx, s, tableUserProfiles, profileKey(memberKey))
}

// The lists; each is one partition query.

func (s *store) groupsOf(ctx context.Context, userKey string) ([]*userGroupRow, error) {
	return queryPartition[userGroupRow](ctx, s, tableUserGroups, escapeKey(userKey), "")
}

func (s *store) membersOf(ctx context.Context, groupID string) ([]*memberRow, error) {
	return queryPartition[memberRow](ctx, s, tableGroupMembers, escapeKey(groupID), "")
}

// usageOf is one range of one partition: the days of a month. No day sorts after its 31st.
func (s *store) usageOf(ctx context.Context, userKey, month string) ([]*userUsageRow, error) {
	return queryPartition[userUsageRow](ctx, s, tableUserDailyUsage, escapeKey(userKey),
		columnRow+" ge "+literal(month+"-01")+" and "+columnRow+" le "+literal(month+"-31"))
}

// memberByKey finds a member whose row contains the memberKey.
func (s *store) memberByKey(ctx context.Context, groupID, memberKey string) (*memberRow, error) {
	return first(queryPartition[memberRow](ctx, s, tableGroupMembers, escapeKey(groupID),
		columnMemberKey+" eq "+literal(memberKey)))
}

// appointmentsOf is in the order of the start times.
func (s *store) appointmentsOf(ctx context.Context, groupID string) ([]*appointmentRow, error) {
	return queryPartition[appointmentRow](ctx, s, tableAppointmentsIndex, escapeKey(groupID), "")
}

// appointment finds an index row by its appointment. Its key begins with a start time that only the row itself knows
// for certain (the blob may be ahead of it), so this is a query of the group's partition: one call, always right, and
// no more expensive than the list that every answer contains.
func (s *store) appointment(ctx context.Context, groupID, appointmentID string) (*appointmentRow, error) {
	return first(queryPartition[appointmentRow](ctx, s, tableAppointmentsIndex, escapeKey(groupID),
		columnAppointmentID+" eq "+literal(appointmentID)))
}

// first returns the first row of a query; nil when it found none.
func first[T any](rows []*T, err error) (*T, error) {
	if len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}
