package familyscheduler

import (
	"strings"
	"time"
)

// metricsRow is a row of DailyMetrics: what happened on one day, UTC.
type metricsRow struct {
	entity
	NewUsers        int32 `json:"newUsers"`  // auth: profiles created
	NewGroups       int32 `json:"newGroups"` // rows of Groups created
	NewAppointments int32 `json:"newAppointments"`
	InvitesSent     int32 `json:"invitesSent"`     // memberships that became invited
	InvitesAccepted int32 `json:"invitesAccepted"` // memberships that went from invited to active
	counted
}

func metricsKey(day string) entity { return entity{PartitionKey: monthOf(day), RowKey: day} }

// countMetric adds one to a counter of the day on which something happened, once per operation: a repetition that comes
// after midnight is still counted on the day of the first attempt.
func (s *Server) countMetric(c *call, happenedAt string, which func(*metricsRow) *int32) error {
	at, err := parseTime(happenedAt)
	if err != nil {
		at = s.now()
	}
	return count(c.ctx, s, tableDailyMetrics, metricsKey(dayOf(at)), c.op, func(row *metricsRow) { plus(which(row), 1) })
}

func newUsers(row *metricsRow) *int32        { return &row.NewUsers }
func newGroups(row *metricsRow) *int32       { return &row.NewGroups }
func newAppointments(row *metricsRow) *int32 { return &row.NewAppointments }
func invitesSent(row *metricsRow) *int32     { return &row.InvitesSent }
func invitesAccepted(row *metricsRow) *int32 { return &row.InvitesAccepted }

// isPerson tells people from guests, who are counted nowhere.
func isPerson(memberKey string) bool { return strings.HasPrefix(memberKey, authPrefix) }

// dayOf is a day as the counters' keys have it: YYYY-MM-DD, UTC.
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// monthOf a day is YYYY-MM.
func monthOf(day string) string { return day[:len("2006-01")] }
