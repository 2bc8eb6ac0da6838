package familyscheduler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// An appointment is its blob, appointment.json; its row in AppointmentsIndex says of it what a list shows. The blob is
// written first, under If-Match, and decides between two edits at once: the loser is answered 409. The row follows. So
// there is never a row without a blob, and a row that lags is put right by the next edit.
//
// Deletion is the row's alone; the blob stays.

// createAppointment is {startTime, desc?}: 1 blob write and 1 insert. The appointment's id is the operation's, so that a
// repetition finds what an earlier attempt made, also where it has been edited since.
func (s *Server) createAppointment(c *call, in *access, fields web.Object) (web.OK, error) {
	start, err := startField(fields, "startTime")
	if err != nil {
		return nil, err
	}
	desc, err := textField(fields, "desc", maxDesc)
	if err != nil {
		return nil, err
	}
	id, now := c.op, timestamp(s.now())
	blob, err := json.Marshal(map[string]any{
		"appointmentId": id, "groupId": in.groupID, "startTime": startTimestamp(start), "desc": desc,
		"status": statusActive, "createdAt": now, "updatedAt": now,
	})
	if err != nil {
		return nil, fmt.Errorf("encoding an appointment: %w", err)
	}
	created, err := s.store.createBlob(c.ctx, appointmentBlob(in.groupID, id), blob)
	if err != nil {
		return nil, err
	}
	row := &appointmentRow{
		entity: appointmentKey(in.groupID, start, id), AppointmentID: id, StartTime: startTimestamp(start),
		Status: statusActive, CreatedAt: now, UpdatedAt: now,
	}
	if created {
		err = s.insertNew(c.ctx, tableAppointmentsIndex, row)
	} else {
		row, err = s.completeAppointment(c.ctx, in.groupID, id)
	}
	if err != nil {
		return nil, err
	}
	return web.OK{"appointmentId": id}, s.countMetric(c, row.CreatedAt, newAppointments)
}

// completeAppointment gives an appointment whose blob an earlier attempt wrote the row it may lack.
func (s *Server) completeAppointment(ctx context.Context, groupID, id string) (*appointmentRow, error) {
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
func (s *Server) rescheduleAppointment(c *call, in *access, fields web.Object) (web.OK, error) {
	start, err := startField(fields, "startTime")
	if err != nil {
		return nil, err
	}
	return s.editAppointment(c, in, fields, "startTime", startTimestamp(start))
}

// setAppointmentDesc is {appointmentId, desc}.
func (s *Server) setAppointmentDesc(c *call, in *access, fields web.Object) (web.OK, error) {
	desc, err := textField(fields, "desc", maxDesc)
	if err != nil {
		return nil, err
	}
	if !fields.Has("desc") {
		return nil, web.BadRequest("desc is missing")
	}
	return s.editAppointment(c, in, fields, "desc", desc)
}

// setAppointmentStatus is {appointmentId, status: active or canceled}.
func (s *Server) setAppointmentStatus(c *call, in *access, fields web.Object) (web.OK, error) {
	status, ok := fields.String("status")
	if !ok || status != statusActive && status != statusCanceled {
		return nil, web.BadRequest("status must be active or canceled")
	}
	return s.editAppointment(c, in, fields, "status", status)
}

// editAppointment sets one field: find, 1 blob read, 1 blob write, 1 table write.
func (s *Server) editAppointment(c *call, in *access, fields web.Object, field, value string) (web.OK, error) {
	row, err := s.findAppointment(c, in, fields)
	if err != nil {
		return nil, err
	}
	blob, err := s.readAppointment(c.ctx, in.groupID, row.AppointmentID)
	if err != nil {
		return nil, err
	}
	blob.set(field, value)
	blob.set("updatedAt", timestamp(s.now()))
	data, err := json.Marshal(blob.fields)
	if err != nil {
		return nil, fmt.Errorf("encoding an appointment: %w", err)
	}
	won, err := s.store.replaceBlob(c.ctx, appointmentBlob(in.groupID, row.AppointmentID), data, blob.etag)
	if err != nil {
		return nil, err
	}
	if !won {
		return nil, conflict()
	}
	return web.OK{"appointmentId": row.AppointmentID}, s.indexAppointment(c.ctx, in.groupID, row, blob)
}

// indexAppointment makes the row say what the blob says. Where the start is another, the row moves to another key, in
// one entity group transaction, so that there are never two. Where another request has changed the row meanwhile, row
// and blob are read again, in this order: the blob is then at least as new as what that request wrote into the row.
func (s *Server) indexAppointment(ctx context.Context, groupID string, row *appointmentRow, blob *appointment) error {
	for range maxAttempts {
		next, err := blob.indexed(groupID, row)
		if err != nil {
			return err
		}
		switch {
		case next.RowKey != row.RowKey:
			err = moveRow(ctx, s.store, tableAppointmentsIndex, row.entity, next)
		case *next != *row:
			err = mergeRow(ctx, s.store, tableAppointmentsIndex, next)
		}
		if !errors.Is(err, account.ErrChanged) {
			return err
		}
		if row, err = s.store.appointment(ctx, groupID, row.AppointmentID); err != nil {
			return err
		}
		if row == nil {
			return appointmentNotFound()
		}
		if blob, err = s.readAppointment(ctx, groupID, row.AppointmentID); err != nil {
			return err
		}
	}
	// The blob was written, so this is no conflict: the client repeats and the row follows.
	return fmt.Errorf("indexing an appointment: %w: it keeps changing", account.ErrUnavailable)
}

// deleteAppointment is {appointmentId}: the row is marked, the blob stays. A deleted one stays as it is.
func (s *Server) deleteAppointment(c *call, in *access, fields web.Object) (web.OK, error) {
	return s.markAppointment(c, in, fields, mergeRow, func(row *appointmentRow) bool {
		if row.IsDeleted {
			return false
		}
		row.deletion = deletedNow(s.now(), c.who.userKey)
		return true
	})
}

// restoreAppointment is {appointmentId}; the row is replaced, since only that removes columns.
func (s *Server) restoreAppointment(c *call, in *access, fields web.Object) (web.OK, error) {
	return s.markAppointment(c, in, fields, replaceRow, func(row *appointmentRow) bool {
		if !row.IsDeleted {
			return false
		}
		row.deletion = deletion{}
		return true
	})
}

// markAppointment changes a row, deleted or not, and no blob: find and 1 table write.
func (s *Server) markAppointment(
	c *call, in *access, fields web.Object,
	write func(context.Context, *store, string, keyed) error, change func(*appointmentRow) bool,
) (web.OK, error) {
	id, err := idField(fields, "appointmentId")
	if err != nil {
		return nil, err
	}
	row, err := s.store.appointment(c.ctx, in.groupID, id)
	if err != nil {
		return nil, err
	}
	return web.OK{"appointmentId": id}, s.changeAppointmentRow(c.ctx, in.groupID, row, write, change)
}

// changeAppointmentRow writes a row that was just read, and again from a new read when another request wins. change says
// whether there is anything to write.
func (s *Server) changeAppointmentRow(
	ctx context.Context, groupID string, row *appointmentRow,
	write func(context.Context, *store, string, keyed) error, change func(*appointmentRow) bool,
) error {
	for range maxAttempts {
		if row == nil {
			return appointmentNotFound()
		}
		if !change(row) {
			return nil
		}
		row.UpdatedAt = timestamp(s.now())
		err := write(ctx, s.store, tableAppointmentsIndex, row)
		if !errors.Is(err, account.ErrChanged) {
			return err
		}
		if row, err = s.store.appointment(ctx, groupID, row.AppointmentID); err != nil {
			return err
		}
	}
	return conflict()
}

// appointmentDetail is {appointmentId}: it needs the row and the blob.
func (s *Server) appointmentDetail(c *call, in *access, fields web.Object) (web.OK, error) {
	row, err := s.findAppointment(c, in, fields)
	if err != nil {
		return nil, err
	}
	blob, err := s.readAppointment(c.ctx, in.groupID, row.AppointmentID)
	if err != nil {
		return nil, err
	}
	return web.OK{"appointmentId": row.AppointmentID, "appointment": blob.fields}, nil
}

// findAppointment is the row of the field appointmentId; 404 appointment_not_found also when it is deleted.
func (s *Server) findAppointment(c *call, in *access, fields web.Object) (*appointmentRow, error) {
	id, err := idField(fields, "appointmentId")
	if err != nil {
		return nil, err
	}
	row, err := s.store.appointment(c.ctx, in.groupID, id)
	if err != nil {
		return nil, err
	}
	if row == nil || row.IsDeleted {
		return nil, appointmentNotFound()
	}
	return row, nil
}

// appointment is appointment.json: fields this server does not know are kept as they are.
type appointment struct {
	fields web.Object
	etag   string
}

// readAppointment errors: 404 appointment_not_found, errCorrupt.
func (s *Server) readAppointment(ctx context.Context, groupID, appointmentID string) (*appointment, error) {
	doc, err := s.store.readBlob(ctx, appointmentBlob(groupID, appointmentID))
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, appointmentNotFound()
	}
	fields, err := web.ParseObject(doc.data)
	if err != nil {
		return nil, fmt.Errorf("%w: an appointment is no JSON object", errCorrupt)
	}
	return &appointment{fields: fields, etag: doc.etag}, nil
}

func (a *appointment) set(field, value string) {
	text, err := json.Marshal(value)
	if err == nil { // a text always encodes
		a.fields[field] = text
	}
}

// indexed is a row as the blob would have it; what the blob does not say (scan, deletion) stays.
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
	return &web.Error{Status: 404, Code: "appointment_not_found", Message: "there is no such appointment"}
}
