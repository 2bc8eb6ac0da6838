package familyscheduler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// An appointment is its blob, appointment.json; its row in AppointmentsIndex holds what a list shows. The blob is
// written first, under If-Match, and decides between two concurrent edits: the loser gets a 409. The row follows. So
// there is never a row without a blob, and the next edit repairs a row that lags.
//
// Deletion concerns the row only; the blob stays.

// createAppointment is {startTime, desc?}: 1 blob write and 1 insert. The appointment's id is the operation's, so that
// a repetition finds what an earlier attempt created, even if it has been edited since.
func (s appointments) createAppointment(ctx context.Context, c *call, in *access, fields web.Object) (web.OK, error) {
	start, err := startField(fields, "startTime")
	if err != nil {
		return nil, err
	}
	desc, err := textField(fields, "desc", maxDesc)
	if err != nil {
		return nil, err
	}
	id, now := c.op, timestamp(s.now())
	err = s.store.createJSON(ctx, appointmentBlob(in.groupID, id), map[string]any{
		"appointmentId": id, "groupId": in.groupID, "startTime": startTimestamp(start), "desc": desc,
		"status": statusActive, "createdAt": now, "updatedAt": now,
	})
	if err != nil && !errors.Is(err, account.ErrChanged) {
		return nil, err
	}
	row := &appointmentRow{
		entity: appointmentKey(in.groupID, start, id), AppointmentID: id, StartTime: startTimestamp(start),
		Status: statusActive, CreatedAt: now, UpdatedAt: now,
	}
	if err == nil {
		err = s.insertNew(ctx, tableAppointmentsIndex, row)
	} else { // an earlier attempt wrote the blob
		row, err = s.completeAppointment(ctx, in.groupID, id)
	}
	if err != nil {
		return nil, err
	}
	return web.OK{"appointmentId": id}, s.countMetric(ctx, c, row.CreatedAt, newAppointments)
}

// completeAppointment creates the row of an appointment whose blob was written by an earlier attempt, if it is missing.
func (s appointments) completeAppointment(ctx context.Context, groupID, id string) (*appointmentRow, error) {
	row, err := s.store.appointment(ctx, groupID, id)
	if row != nil || err != nil {
		return row, err
	}
	blob, err := s.readAppointment(ctx, groupID, id)
	if err != nil {
		return nil, err
	}
	createdAt, _ := blob.fields.String("createdAt")
	row, err = blob.indexed(groupID, &appointmentRow{
		entity: entity{PartitionKey: escapeKey(groupID)}, AppointmentID: id, CreatedAt: createdAt,
	})
	if err != nil {
		return nil, err
	}
	return row, s.insertNew(ctx, tableAppointmentsIndex, row)
}

// rescheduleAppointment is {appointmentId, startTime}.
func (s appointments) rescheduleAppointment(ctx context.Context, c *call, in *access, fields web.Object) (web.OK,
	error) {
	start, err := startField(fields, "startTime")
	if err != nil {
		return nil, err
	}
	return s.editAppointment(ctx, in, fields, "startTime", startTimestamp(start))
}

// setAppointmentDesc is {appointmentId, desc}.
func (s appointments) setAppointmentDesc(ctx context.Context, c *call, in *access, fields web.Object) (web.OK, error) {
	desc, err := textField(fields, "desc", maxDesc)
	if err != nil {
		return nil, err
	}
	if !fields.Has("desc") {
		return nil, web.BadRequest("desc is missing")
	}
	return s.editAppointment(ctx, in, fields, "desc", desc)
}

// setAppointmentStatus is {appointmentId, status: active or canceled}.
func (s appointments) setAppointmentStatus(ctx context.Context, c *call, in *access, fields web.Object) (web.OK,
	error) {
	status, ok := fields.String("status")
	if !ok || status != statusActive && status != statusCanceled {
		return nil, web.BadRequest("status must be active or canceled")
	}
	return s.editAppointment(ctx, in, fields, "status", status)
}

// editAppointment sets one field: find, 1 blob read, 1 blob write, 1 table write.
func (s appointments) editAppointment(ctx context.Context, in *access, fields web.Object, field,
	value string) (web.OK, error) {
	row, err := s.findAppointment(ctx, in, fields)
	if err != nil {
		return nil, err
	}
	blob, err := s.readAppointment(ctx, in.groupID, row.AppointmentID)
	if err != nil {
		return nil, err
	}
	blob.set(field, value)
	blob.set("updatedAt", timestamp(s.now()))
	err = s.store.replaceJSON(ctx, appointmentBlob(in.groupID, row.AppointmentID), blob.fields, blob.etag)
	if err != nil { // account.ErrChanged too: another edit won, and this one gets a 409
		return nil, err
	}
	return web.OK{"appointmentId": row.AppointmentID}, s.indexAppointment(ctx, in.groupID, row, blob)
}

// indexed is a row of the index together with the blob that it follows.
type indexed struct {
	row  *appointmentRow
	blob *appointment
}

// indexAppointment updates the row from the blob. If the start has changed, the row moves to another key in one entity
// group transaction, so that there are never two. If another request has changed the row meanwhile, row and blob are
// read again, in this order: the blob is then at least as new as what that request wrote into the row.
func (s appointments) indexAppointment(ctx context.Context, groupID string, row *appointmentRow,
	blob *appointment) error {
	id := row.AppointmentID
	_, _, err := account.Change[indexed]{
		Rounds: maxAttempts,
		Read: func() (*indexed, error) {
			row, err := s.readIndex(ctx, groupID, id)
			if err != nil {
				return nil, err
			}
			blob, err := s.readAppointment(ctx, groupID, id)
			return &indexed{row, blob}, err
		},
		Decide: func(now *indexed) (*indexed, error) {
			next, err := now.blob.indexed(groupID, now.row)
			return &indexed{next, now.blob}, err
		},
		Write: func(now, next *indexed) error {
			if next.row.RowKey != now.row.RowKey {
				return moveRow(ctx, s.store, tableAppointmentsIndex, now.row.entity, next.row)
			}
			return writeRow(ctx, s.store, tableAppointmentsIndex, next.row, merge)
		},
	}.From(ctx, &indexed{row, blob})
	if errors.Is(err, account.ErrChanged) { // the blob was written, so this is not a conflict: the client repeats
		return fmt.Errorf("indexing an appointment: %w: it keeps changing", account.ErrUnavailable)
	}
	return err
}

// deleteAppointment is {appointmentId}: the row is marked, the blob stays. A deleted appointment stays unchanged.
func (s appointments) deleteAppointment(ctx context.Context, c *call, in *access, fields web.Object) (web.OK, error) {
	return s.markAppointment(ctx, in, fields, func(row *appointmentRow) bool {
		if row.IsDeleted {
			return false
		}
		row.deletion = deletedNow(s.now(), c.who.userKey)
		return true
	})
}

// restoreAppointment is {appointmentId}.
func (s appointments) restoreAppointment(ctx context.Context, c *call, in *access, fields web.Object) (web.OK, error) {
	return s.markAppointment(ctx, in, fields, func(row *appointmentRow) bool {
		if !row.IsDeleted {
			return false
		}
		row.deletion = deletion{}
		return true
	})
}

// markAppointment changes a row, deleted or not, without touching the blob: find and 1 table write.
func (s appointments) markAppointment(ctx context.Context, in *access, fields web.Object,
	change func(*appointmentRow) bool) (web.OK, error) {
	id, err := idField(fields, "appointmentId")
	if err != nil {
		return nil, err
	}
	row, err := s.readIndex(ctx, in.groupID, id)
	if err != nil {
		return nil, err
	}
	return web.OK{"appointmentId": id}, s.changeAppointmentRow(ctx, in.groupID, row, change)
}

// changeAppointmentRow changes a row that was just read. change reports whether there is anything to write. The row is
// replaced, since only a replace removes columns.
func (s appointments) changeAppointmentRow(ctx context.Context, groupID string, known *appointmentRow,
	change func(*appointmentRow) bool) error {
	_, _, err := account.Change[appointmentRow]{
		Rounds: maxAttempts,
		Read:   func() (*appointmentRow, error) { return s.readIndex(ctx, groupID, known.AppointmentID) },
		Decide: func(row *appointmentRow) (*appointmentRow, error) {
			if !change(row) {
				return nil, nil
			}
			row.UpdatedAt = timestamp(s.now())
			return row, nil
		},
		Write: func(_, next *appointmentRow) error {
			return writeRow(ctx, s.store, tableAppointmentsIndex, next, replace)
		},
	}.From(ctx, known)
	return err
}

// appointmentDetail is {appointmentId}: it needs the row and the blob.
func (s appointments) appointmentDetail(ctx context.Context, c *call, in *access, fields web.Object) (web.OK, error) {
	row, err := s.findAppointment(ctx, in, fields)
	if err != nil {
		return nil, err
	}
	blob, err := s.readAppointment(ctx, in.groupID, row.AppointmentID)
	if err != nil {
		return nil, err
	}
	return web.OK{"appointmentId": row.AppointmentID, "appointment": blob.fields}, nil
}

// findAppointment returns the row of the field appointmentId; 404 appointment_not_found also when it is deleted.
func (s appointments) findAppointment(ctx context.Context, in *access, fields web.Object) (*appointmentRow, error) {
	id, err := idField(fields, "appointmentId")
	if err != nil {
		return nil, err
	}
	row, err := s.readIndex(ctx, in.groupID, id)
	if err != nil {
		return nil, err
	}
	if row.IsDeleted {
		return nil, appointmentNotFound()
	}
	return row, nil
}

// readIndex returns an appointment's row, deleted or not; 404 appointment_not_found if it does not exist.
func (s appointments) readIndex(ctx context.Context, groupID, id string) (*appointmentRow, error) {
	row, err := s.store.appointment(ctx, groupID, id)
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, appointmentNotFound()
	}
	return row, nil
}

// appointment is appointment.json; it keeps fields that this server does not know.
type appointment struct {
	fields web.Object
	etag   string
}

// readAppointment errors: 404 appointment_not_found, errCorrupt.
func (s appointments) readAppointment(ctx context.Context, groupID, appointmentID string) (*appointment, error) {
	doc, err := s.store.readBlob(ctx, appointmentBlob(groupID, appointmentID))
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, appointmentNotFound()
	}
	fields, err := web.ParseObject(doc.data)
	if err != nil {
		return nil, fmt.Errorf("%w: an appointment is not a JSON object", errCorrupt)
	}
	return &appointment{fields: fields, etag: doc.etag}, nil
}

func (a *appointment) set(field, value string) {
	a.fields[field], _ = json.Marshal(value) // a text can always be encoded
}

// indexed returns the row that corresponds to the blob; columns that are not in the blob (scan, deletion) stay.
func (a *appointment) indexed(groupID string, row *appointmentRow) (*appointmentRow, error) {
	text, _ := a.fields.String("startTime")
	status, _ := a.fields.String("status")
	updatedAt, _ := a.fields.String("updatedAt")
	start, ok := parseStart(text)
	if !ok || status == "" {
		return nil, fmt.Errorf("%w: an appointment without start or status", errCorrupt)
	}
	next := *row
	next.RowKey = appointmentKey(groupID, start, row.AppointmentID).RowKey
	next.StartTime, next.Status, next.UpdatedAt = startTimestamp(start), status, updatedAt
	return &next, nil
}

func appointmentNotFound() error {
	return notFound("appointment_not_found", "there is no such appointment")
}
