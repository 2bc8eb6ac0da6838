package steps

import (
	"fmt"
	"time"
)

// firstAppointment is when the first appointment starts that a scenario lays out; each further one
// starts a day later.
var firstAppointment = time.Date(2026, time.June, 1, 9, 0, 0, 0, time.UTC)

// appointmentSteps lays out the appointments of familyscheduler.
func appointmentSteps() []Step {
	return []Step{
		{`(\w+) has (\d+) appointments?`, `Given Family has 16 appointments`,
			func(w *World) any { return w.haveAppointments }},
		{`(\w+) has an appointment (\w+) without a row`, `Given Family has an appointment Orphan without a row`,
			func(w *World) any { return w.haveOrphan }},
		{`every row of (\w+) in AppointmentsIndex has its document`, `Then every row of Family in AppointmentsIndex has its document`,
			func(w *World) any { return w.rowsHaveDocuments }},
	}
}

// haveAppointments lays out rows and documents; their ids are called FamilyAppointment0 and so on.
func (w *World) haveAppointments(group string, count int) error {
	for i := range count {
		name := fmt.Sprintf("%sAppointment%d", group, i)
		start := firstAppointment.AddDate(0, 0, i)
		id := w.appointment(name)
		err := w.active().data.putRow(w.ctx, "AppointmentsIndex", w.group(group), start.Format("20060102150405Z")+"|"+id, map[string]any{
			"appointmentId": id, "startTime": start.Format(time.RFC3339), "status": "active", "hasScan": false,
			"createdAt": createdAt, "updatedAt": createdAt, "isDeleted": false,
		})
		if err != nil {
			return err
		}
		if err := w.putDocument(group, id, start, fmt.Sprintf("%s appointment %d", group, i)); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) haveOrphan(group, name string) error {
	return w.putDocument(group, w.appointment(name), firstAppointment, "an appointment without a row")
}

// appointment makes an id and keeps it under the name.
func (w *World) appointment(name string) string {
	id := "apt-" + name + "-" + w.tag
	w.kept[name] = id
	return id
}

func (w *World) putDocument(group, id string, start time.Time, desc string) error {
	document := map[string]any{
		"appointmentId": id, "groupId": w.group(group), "startTime": start.Format(time.RFC3339), "desc": desc,
		"status": "active", "createdAt": createdAt, "updatedAt": createdAt,
	}
	path := "familyscheduler/groups/" + w.group(group) + "/appointments/" + id + "/appointment.json"
	return w.active().data.putBlob(w.ctx, path, []byte(mustJSON(document)))
}

func (w *World) rowsHaveDocuments(group string) error {
	id := w.group(group)
	rows, err := w.active().data.rows(w.ctx, "AppointmentsIndex", &id)
	if err != nil {
		return err
	}
	for _, r := range rows {
		name := fmt.Sprintf("familyscheduler/groups/%s/appointments/%v/appointment.json", id, r["appointmentId"])
		content, err := w.active().data.blob(w.ctx, name)
		if err != nil {
			return err
		}
		if content == nil {
			row := fmt.Sprintf("the row %s / %v of AppointmentsIndex", id, r["RowKey"])
			return &Difference{Where: "the document of " + row, Expected: presence(true), Seen: presence(false), text: row + " has no document"}
		}
	}
	return nil
}
