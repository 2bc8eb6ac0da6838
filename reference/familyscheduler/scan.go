package familyscheduler

import (
	"context"

	"github.com/storespec/storespec/reference/web"
)

// putScan is POST /api/appointment/scan {groupId, appointmentId, imageMime, imageBase64}: find, 1 blob write, 1 table
// write. A scan of another type replaces the first: the row is changed to name the new one, then the old blob is
// deleted.
func (s appointments) putScan(ctx context.Context, c *call, in *access) (web.Reply, error) {
	scan, err := pictureField(c.body, maxScan)
	if err != nil {
		return nil, err
	}
	row, err := s.findAppointment(ctx, in, c.body)
	if err != nil {
		return nil, err
	}
	id := row.AppointmentID
	if err := s.store.writeBlob(ctx, scanBlob(in.groupID, id, scan.ext), scan.mime, scan.data); err != nil {
		return nil, err
	}
	var before, capturedAt string
	err = s.changeAppointmentRow(ctx, in.groupID, row, func(row *appointmentRow) bool {
		before, capturedAt = row.ScanExt, timestamp(s.now())
		row.HasScan, row.ScanCapturedAt, row.ScanExt = true, capturedAt, scan.ext
		return true
	})
	if err != nil {
		return nil, err
	}
	if before != "" && before != scan.ext {
		if err := s.store.deleteBlob(ctx, scanBlob(in.groupID, id, before)); err != nil {
			c.Log.Warn("an old scan stays behind", "cause", err) // nothing refers to it
		}
	}
	return web.OK{"appointmentId": id, "hasScan": true, "scanCapturedAt": capturedAt}, nil
}

// getScan is GET /api/appointment/scan?groupId&appointmentId: find and 1 blob read.
func (s appointments) getScan(ctx context.Context, c *call, in *access) (web.Reply, error) {
	row, err := s.findAppointment(ctx, in, c.body)
	if err != nil {
		return nil, err
	}
	doc, err := s.readScan(ctx, in.groupID, row)
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, photoNotFound()
	}
	return c.picture(doc), nil
}

// readScan reads the scan a row names; if the row has a scan but names no type, it tries every type.
func (s appointments) readScan(ctx context.Context, groupID string, row *appointmentRow) (*document, error) {
	if !row.HasScan {
		return nil, nil
	}
	candidates := []string{row.ScanExt}
	if row.ScanExt == "" {
		candidates = extensions()
	}
	for _, ext := range candidates {
		doc, err := s.store.readBlob(ctx, scanBlob(groupID, row.AppointmentID, ext))
		if doc != nil || err != nil {
			return doc, err
		}
	}
	return nil, nil
}
