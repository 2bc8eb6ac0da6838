package c4lendar

import (
	"encoding/json"
	"strings"
	"time"
)

// details is what a command says about an event; "": nothing.
type details struct {
	Title string `json:"title"`
	Start string `json:"start"`
	End   string `json:"end"`
}

const (
	howCal = `Tell me the title, the start and the end: #cal Lunch | 2026-01-06T12:00:00+01:00 | ` +
		`2026-01-06T13:00:00+01:00`
	howAlt = `Tell me the event and what changes: #alt EVT-01JBZQ8F Lunch | 2026-01-06T12:00:00+01:00 | ` +
		`2026-01-06T13:00:00+01:00`
)

// usualLength is that of an event without an end.
const usualLength = time.Hour

// detailsOf reads JSON, or "title | start | end"; ok is false when a time is not one, or when it ends before it begins.
func detailsOf(text string) (d details, ok bool) {
	if strings.HasPrefix(text, "{") {
		if json.Unmarshal([]byte(text), &d) != nil {
			return details{}, false
		}
	} else {
		parts := append(strings.SplitN(text, "|", 3), "", "")
		d = details{strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2])}
	}
	start, malformed := time.Parse(time.RFC3339, d.Start)
	end, _ := time.Parse(time.RFC3339, d.End) // a malformed one is before every start
	if d.Start != "" && malformed != nil || d.End != "" && !end.After(start) {
		return details{}, false
	}
	return d, true
}

// event is an event of Google's calendar, with the fields that are known.
func (d *details) event() map[string]any {
	event := map[string]any{}
	if d.Title != "" {
		event["summary"] = d.Title
	}
	if d.Start != "" {
		event["start"] = map[string]string{"dateTime": d.Start}
	}
	if end := d.end(); end != "" {
		event["end"] = map[string]string{"dateTime": end}
	}
	return event
}

// end is when an event ends, also one of which only the start is known.
func (d *details) end() string {
	start, err := time.Parse(time.RFC3339, d.Start)
	if d.End != "" || err != nil {
		return d.End
	}
	return start.Add(usualLength).Format(time.RFC3339)
}
