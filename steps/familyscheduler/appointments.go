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
func haveAppointments(ctx context.Context, stage *scenario.Stage, names *scenario.Names, group string,
	count int) error {
	for i := range count {
		name := fmt.Sprintf("%sAppointment%d", group, i)
		start := firstAppointment.AddDate(0, 0, i)
		id := names.NewID(name)
		err := stage.Lane().Data.PutRow(ctx, "AppointmentsIndex", groupID(names, group),
			start.Format("20060102150405Z")+"|"+
				id, map[string]any{
				"appointmentId": id, "startTime": start.Format(time.RFC3339), "status": "active", "hasScan": false,
				"createdAt": createdAt, "updatedAt": createdAt, "isDeleted": false,
			})
		if err != nil {
			return err
		}
		if err := putDocument(ctx, stage, names, group, id, start,
			fmt.Sprintf("%s appointment %d", group, i)); err != nil {
			return err
		}
	}
	return nil
}

func haveOrphan(ctx context.Context, stage *scenario.Stage, names *scenario.Names, group, name string) error {
	return putDocument(ctx, stage, names, group, names.NewID(name), firstAppointment, "an appointment without a row")
}

func putDocument(ctx context.Context, stage *scenario.Stage, names *scenario.Names, group, id string, start time.Time,
	desc string) error {
	document := map[string]any{
		"appointmentId": id, "groupId": groupID(names, group), "startTime": start.Format(time.RFC3339), "desc": desc,
		"status": "active", "createdAt": createdAt, "updatedAt": createdAt,
	}
	path := "familyscheduler/groups/" + groupID(names, group) + "/appointments/" + id + "/appointment.json"
	return stage.Lane().Data.PutBlob(ctx, path, []byte(matching.MustJSON(document)))
}

func rowsHaveDocuments(ctx context.Context, stage *scenario.Stage, names *scenario.Names, group string) error {
	id := groupID(names, group)
	rows, err := stage.Lane().Data.Rows(ctx, "AppointmentsIndex", &id)
	if err != nil {
		return err
	}
	for _, r := range rows {
		name := fmt.Sprintf("familyscheduler/groups/%s/appointments/%v/appointment.json", id, r["appointmentId"].Is)
		content, err := stage.Lane().Data.Blob(ctx, name)
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
