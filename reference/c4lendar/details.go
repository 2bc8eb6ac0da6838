package c4lendar

import (
	"encoding/json"
	"strings"
	"time"
)

// details is what a command says about an event.
type details struct {
	Title *string `json:"title"`
	Start *string `json:"start"`
	End   *string `json:"end"`
}

const (
	howCal = `Tell me the title, the start and the end: #cal Lunch | 2026-01-06T12:00:00+01:00 | ` +
		`2026-01-06T13:00:00+01:00`
	howAlt = `Tell me the event and what changes: #alt EVT-01JBZQ8F Lunch | 2026-01-06T12:00:00+01:00 | ` +
		`2026-01-06T13:00:00+01:00`
)

// usualLength is that of an event without an end.
const usualLength = time.Hour

// detailsOf reads JSON, or "title | start | end".
func detailsOf(text string) (d details, ok bool) {
	if strings.HasPrefix(text, "{") {
		if json.Unmarshal([]byte(text), &d) != nil {
			return details{}, false
		}
	} else {
		parts := strings.Split(text, "|")
		if len(parts) > 3 {
			return details{}, false
		}
		into := []**string{&d.Title, &d.Start, &d.End}
		for i, part := range parts {
			if part = strings.TrimSpace(part); part != "" {
				*into[i] = &part
			}
		}
	}
	return d, d.timely() && (d.Title == nil || len(*d.Title) <= maxText)
}

// timely reports whether the times that are there are times, in order.
func (d *details) timely() bool {
	if d.Start == nil {
		return d.End == nil
	}
	start, err := time.Parse(time.RFC3339, *d.Start)
	if err != nil || d.End == nil {
		return err == nil
	}
	end, err := time.Parse(time.RFC3339, *d.End)
	return err == nil && end.After(start)
}

// complete reports whether an event can be made of it.
func (d *details) complete() bool {
	return d.Title != nil && strings.TrimSpace(*d.Title) != "" && d.Start != nil
}

// event is an event of Google's calendar, with the fields that are known.
func (d *details) event() map[string]any {
	event := map[string]any{}
	if d.Title != nil {
		event["summary"] = *d.Title
	}
	if d.Start != nil {
		event["start"], event["end"] = at(*d.Start), at(d.end())
	}
	return event
}

func (d *details) end() string {
	if d.End != nil {
		return *d.End
	}
	start, _ := time.Parse(time.RFC3339, *d.Start) // timely
	return start.Add(usualLength).Format(time.RFC3339)
}

func at(instant string) map[string]string { return map[string]string{"dateTime": instant} }
