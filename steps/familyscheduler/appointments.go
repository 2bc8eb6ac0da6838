package familyscheduler

import (
	"context"
	"fmt"
	"time"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
)

// firstAppointment is the start of the first appointment that a scenario sets up; each further one starts a day later.
var firstAppointment = time.Date(2026, time.June, 1, 9, 0, 0, 0, time.UTC)

// appointments returns the steps that set up the appointments of familyscheduler.
func appointments() []scenario.Step {
	return []scenario.Step{
		scenario.On(`(\w+) has (\d+) appointments?`, `Given Family has 16 appointments`, haveAppointments).
			Keeps("$1", "${1}Appointment#"),
		scenario.On(`(\w+) has an appointment (\w+) without a row`,
			`Given Family has an appointment Orphan without a row`, haveOrphan).Keeps("$1", "$2"),
		scenario.On(`every row of (\w+) in AppointmentsIndex has its document`,
			`Then every row of Family in AppointmentsIndex has its document`, rowsHaveDocuments).Keeps("$1"),
	}
}

// haveAppointments writes rows and documents; their ids are called FamilyAppointment0 and so on.
func haveAppointments(ctx context.Context, w *scenario.World, group string, count int) error {
	for i := range count {
		name := fmt.Sprintf("%sAppointment%d", group, i)
		start := firstAppointment.AddDate(0, 0, i)
		id := w.NewID(name)
		err := w.Lane().Data.PutRow(ctx, "AppointmentsIndex", groupID(w, group), start.Format("20060102150405Z")+"|"+
			id, map[string]any{
			"appointmentId": id, "startTime": start.Format(time.RFC3339), "status": "active", "hasScan": false,
			"createdAt": createdAt, "updatedAt": createdAt, "isDeleted": false,
		})
		if err != nil {
			return err
		}
		if err := putDocument(ctx, w, group, id, start, fmt.Sprintf("%s appointment %d", group, i)); err != nil {
			return err
		}
	}
	return nil
}

func haveOrphan(ctx context.Context, w *scenario.World, group, name string) error {
	return putDocument(ctx, w, group, w.NewID(name), firstAppointment, "an appointment without a row")
}

func putDocument(ctx context.Context, w *scenario.World, group, id string, start time.Time, desc string) error {
	document := map[string]any{
		"appointmentId": id, "groupId": groupID(w, group), "startTime": start.Format(time.RFC3339), "desc": desc,
		"status": "active", "createdAt": createdAt, "updatedAt": createdAt,
	}
	path := "familyscheduler/groups/" + groupID(w, group) + "/appointments/" + id + "/appointment.json"
	return w.Lane().Data.PutBlob(ctx, path, []byte(matching.MustJSON(document)))
}

func rowsHaveDocuments(ctx context.Context, w *scenario.World, group string) error {
	id := groupID(w, group)
	rows, err := w.Lane().Data.Rows(ctx, "AppointmentsIndex", &id)
	if err != nil {
		return err
	}
	for _, r := range rows {
		name := fmt.Sprintf("familyscheduler/groups/%s/appointments/%v/appointment.json", id, r["appointmentId"].Is)
		content, err := w.Lane().Data.Blob(ctx, name)
		if err != nil {
			return err
		}
		if content == nil {
			row := fmt.Sprintf("the row %s / %v of AppointmentsIndex", id, r["RowKey"].Is)
			return matching.Differ("the document of "+row, matching.Presence(true), matching.Presence(false),
				row+" has no document")
		}
	}
	return nil
}
