package familyscheduler

import (
	"maps"

	"github.com/storespec/storespec/reference/web"
)

// action is one type of POST /api/direct. It returns what its answer carries besides the snapshot.
type action func(*call, *access, web.Object) (web.OK, error)

func (s *Server) actions() map[string]action {
	return map[string]action{
		"list_appointments":      func(*call, *access, web.Object) (web.OK, error) { return nil, nil },
		"create_appointment":     s.createAppointment,
		"reschedule_appointment": s.rescheduleAppointment,
		"set_appointment_desc":   s.setAppointmentDesc,
		"set_appointment_status": s.setAppointmentStatus,
		"delete_appointment":     s.deleteAppointment,
		"restore_appointment":    s.restoreAppointment,
		"get_appointment_detail": s.appointmentDetail,
		"assign_participant":     s.assignParticipant,
		"unassign_participant":   s.unassignParticipant,
	}
}

// direct is POST /api/direct {groupId, action:{type, …}}: it does one action and answers with the group's appointments
// as they are then.
func (s *Server) direct(c *call, in *access) (web.Reply, error) {
	fields, err := c.body.Object("action")
	if err != nil {
		return nil, web.BadRequest("action must be an object")
	}
	name, _ := fields.String("type")
	do := s.actions()[name]
	if do == nil {
		return nil, web.BadRequest("action.type is none of the known ones")
	}
	extra, err := do(c, in, fields)
	if err != nil {
		return nil, err
	}
	snapshot, err := s.snapshot(c, in.groupID)
	if err != nil {
		return nil, err
	}
	reply := web.OK{"snapshot": snapshot}
	maps.Copy(reply, extra)
	return reply, nil
}

// snapshot is 1 query of the index.
func (s *Server) snapshot(c *call, groupID string) (map[string]any, error) {
	rows, err := s.store.appointmentsOf(c.ctx, groupID)
	if err != nil {
		return nil, err
	}
	return snapshotOf(rows), nil
}

// snapshotOf is the appointments that are not deleted, in the order of their start times: the columns of the index,
// which is all a list reads.
func snapshotOf(rows []*appointmentRow) map[string]any {
	items := []any{}
	for _, row := range rows {
		if !row.IsDeleted {
			items = append(items, row.item())
		}
	}
	return map[string]any{"appointments": items}
}

func (row *appointmentRow) item() map[string]any {
	return map[string]any{
		"appointmentId":    row.AppointmentID,
		"startTime":        row.StartTime,
		"status":           row.Status,
		"hasScan":          row.HasScan,
		"scanCapturedAt":   nullable(row.ScanCapturedAt),
		"createdAt":        row.CreatedAt,
		"updatedAt":        row.UpdatedAt,
		"isDeleted":        row.IsDeleted,
		"deletedAt":        nullable(row.DeletedAt),
		"deletedByUserKey": nullable(row.DeletedByUserKey),
		"purgeAfterAt":     nullable(row.PurgeAfterAt),
	}
}
