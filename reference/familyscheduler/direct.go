package familyscheduler

import (
	"context"
	"maps"

	"github.com/storespec/storespec/reference/web"
)

// action is one type of POST /api/direct. It returns the fields of its answer besides the snapshot.
type action func(context.Context, *call, *access, web.Object) (web.OK, error)

func (s appointments) actions() map[string]action {
	return map[string]action{
		"list_appointments":      s.listAppointments,      // FS-APT-2, FS-APT-3
		"create_appointment":     s.createAppointment,     // FS-APT-1, FS-APT-9
		"reschedule_appointment": s.rescheduleAppointment, // FS-APT-5, FS-APT-8
		"set_appointment_desc":   s.setAppointmentDesc,    // FS-APT-1, FS-APT-8
		"set_appointment_status": s.setAppointmentStatus,  // FS-APT-1, FS-APT-8
		"delete_appointment":     s.deleteAppointment,     // FS-APT-6
		"restore_appointment":    s.restoreAppointment,    // FS-APT-6
		"get_appointment_detail": s.appointmentDetail,     // FS-APT-4
		"assign_participant":     s.assignParticipant,     // FS-SCH-9
		"unassign_participant":   s.unassignParticipant,   // FS-SCH-9
	}
}

// listAppointments does nothing: every answer of direct contains the list.
func (s appointments) listAppointments(context.Context, *call, *access, web.Object) (web.OK, error) {
	return nil, nil
}

// direct is POST /api/direct {groupId, action:{type, …}}: it performs one action and answers with the group's
// appointments afterwards.
func (s appointments) direct(ctx context.Context, c *call, in *access) (web.Reply, error) {
	fields, _ := c.body.Object("action") // what is not an object has no type
	name, _ := fields.String("type")
	do := s.actions()[name]
	if do == nil {
		return nil, web.BadRequest("action.type is not a known one")
	}
	extra, err := do(ctx, c, in, fields)
	if err != nil {
		return nil, err
	}
	snapshot, err := s.snapshot(ctx, in.groupID)
	if err != nil {
		return nil, err
	}
	reply := web.OK{"snapshot": snapshot}
	maps.Copy(reply, extra)
	return reply, nil
}

// snapshot is 1 query of the index.
func (s appointments) snapshot(ctx context.Context, groupID string) (map[string]any, error) {
	rows, err := s.store.appointmentsOf(ctx, groupID)
	if err != nil {
		return nil, err
	}
	return snapshotOf(rows), nil
}

// snapshotOf returns the appointments that are not deleted, in the order of their start times: the columns of the
// index, which is all a list reads, but those of deleted ones.
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
		"appointmentId":  row.AppointmentID,
		"startTime":      row.StartTime,
		"status":         row.Status,
		"hasScan":        row.HasScan,
		"scanCapturedAt": nullable(row.ScanCapturedAt),
		"createdAt":      row.CreatedAt,
		"updatedAt":      row.UpdatedAt,
	}
}
