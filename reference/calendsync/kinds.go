package calendsync

import (
	"encoding/json"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// The types of entries.
const (
	allDay   = "AllDay"
	multiDay = "MultiDay"
	task     = "Task"
	timed    = "Timed"
)

const (
	day = 24 * time.Hour
	// maxSpan is how many days an entry spans at most, its first and its last day counted. A listing reads as many
	// days before its range, to find what reaches into it.
	maxSpan = 31
)

// kind says what sort of entry it is. A field that its type does not have is empty.
type kind struct {
	Type      string `json:"type"`
	Start     string `json:"start,omitempty"` // Timed: HH:MM:SS, MultiDay: YYYY-MM-DD
	End       string `json:"end,omitempty"`
	Completed *bool  `json:"completed,omitempty"` // Task
}

// readKind reads the kind of an entry that begins on a date. Errors: 400 bad_request.
func readKind(sent json.RawMessage, date string) (kind, error) {
	fields, err := web.ParseObject(sent)
	if err != nil {
		return kind{}, web.BadRequest("kind is not an object")
	}
	text := func(name string) string {
		text, is := fields.String(name)
		if !is {
			err = web.BadRequest("kind." + name + " is not a text")
		}
		return text
	}
	k := kind{Type: text(kindType)}
	switch k.Type {
	case allDay:
	case task:
		k.Completed = new(bool)
		if fields.Has(kindCompleted) && json.Unmarshal(fields[kindCompleted], k.Completed) != nil {
			return kind{}, web.BadRequest("kind.completed is neither true nor false")
		}
	case timed, multiDay:
		if k.Start, k.End = text(kindStart), text(kindEnd); err == nil {
			err = k.check(date)
		}
	default:
		return kind{}, web.BadRequest("kind.type is not AllDay, MultiDay, Task or Timed")
	}
	return k, err
}

// check checks start and end.
func (k kind) check(date string) error {
	if k.Type == timed {
		switch {
		case !isTime(k.Start), !isTime(k.End):
			return web.BadRequest("kind.start and kind.end are times such as 09:30:00")
		case k.Start >= k.End:
			return web.BadRequest("a timed entry must start before it ends")
		}
		return nil
	}
	switch {
	case !isDate(k.Start), !isDate(k.End):
		return web.BadRequest("kind.start and kind.end are dates such as 2024-01-31")
	case k.Start != date:
		return web.BadRequest("the date of an entry of several days must be its first day")
	case k.Start > k.End:
		return web.BadRequest("an entry must not end before it starts")
	case span(k.Start, k.End) > maxSpan:
		return web.BadRequest("an entry may span at most 31 days")
	}
	return nil
}

// last returns the last day of an entry.
func (e entry) last() string {
	if e.kind.Type == multiDay {
		return e.kind.End
	}
	return e.date
}

func isDate(text string) bool { return isMoment(time.DateOnly, text) }
func isTime(text string) bool { return isMoment(time.TimeOnly, text) }

// isMoment reports whether a text has exactly that layout: time.Parse alone also accepts 9:30:00.
func isMoment(layout, text string) bool {
	t, err := time.Parse(layout, text)
	return err == nil && t.Format(layout) == text
}

// span returns how many days there are from one date to another, both counted; below 1 if the order is wrong.
func span(first, last string) int {
	from, _ := time.Parse(time.DateOnly, first)
	to, _ := time.Parse(time.DateOnly, last)
	return int(to.Sub(from)/day) + 1
}

// daysOf lists the days from one date to another, both included; none if the order is wrong.
func daysOf(first, last string) (days []string) {
	for n := range max(0, span(first, last)) {
		days = append(days, before(first, -n))
	}
	return days
}

// before returns the date some days earlier.
func before(date string, days int) string {
	at, _ := time.Parse(time.DateOnly, date)
	return at.AddDate(0, 0, -days).Format(time.DateOnly)
}
