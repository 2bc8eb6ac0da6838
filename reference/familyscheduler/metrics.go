package familyscheduler

import (
	"context"
	"strings"
	"time"
)

// countMetric increments a counter of the day on which something happened, once per operation: a repetition after
// midnight still counts on the day of the first attempt.
func (s *Server) countMetric(ctx context.Context, c *call, happenedAt string, which func(*metricsRow) *int32) error {
	day := happenedAt[:len(time.DateOnly)] // every timestamp begins with it, in UTC
	return count(ctx, s, tableDailyMetrics, metricsKey(day), c.op, func(row *metricsRow) { plus(which(row), 1) })
}

func newUsers(row *metricsRow) *int32        { return &row.NewUsers }
func newGroups(row *metricsRow) *int32       { return &row.NewGroups }
func newAppointments(row *metricsRow) *int32 { return &row.NewAppointments }
func invitesSent(row *metricsRow) *int32     { return &row.InvitesSent }
func invitesAccepted(row *metricsRow) *int32 { return &row.InvitesAccepted }

// isPerson distinguishes people from guests, who are not counted.
func isPerson(memberKey string) bool { return strings.HasPrefix(memberKey, authPrefix) }
