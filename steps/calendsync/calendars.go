package calendsync

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/storespec/storespec/internal/scenario"
)

// calendars counts the owners of the calendars of a scenario, by their ids.
type calendars struct{ owners map[string]int }

// Clone copies the counts to the worlds of cases.
func (c *calendars) Clone() any {
	copied := &calendars{map[string]int{}}
	for id, count := range c.owners {
		copied.owners[id] = count
	}
	return copied
}

// isMember writes a membership, and the account and the calendar where this is their first mention.
func isMember(ctx context.Context, w *scenario.World, name, role, calendar string) error {
	user, err := account(ctx, w.Stage, w.People, w.Names, name)
	if err != nil {
		return err
	}
	id, known := idOf(w.Names, calendar)
	if !known && role != "owner" {
		return scenario.Misused("%s is first mentioned with a %s: name an owner of it before", calendar, role)
	}
	err = lay(ctx, w.Stage, "CAL#"+id, "MEMBER#"+user, item{"GSI1PK": "USER#" + user, "GSI1SK": "CAL#" + id,
		"calendarId": id, "userId": user, "role": role}.entity("MEMBERSHIP"))
	if err != nil || role != "owner" {
		return err
	}
	count := scenario.Part[calendars](w)
	if count.owners == nil {
		count.owners = map[string]int{}
	}
	count.owners[id]++
	return lay(ctx, w.Stage, "CAL#"+id, "CAL#"+id, item{"id": id, "name": calendar, "color": "#3B82F6",
		"owners": json.Number(strconv.Itoa(count.owners[id]))}.entity("CALENDAR"))
}

// founder owns the calendars of which another person is a writer or a reader.
const founder = "Founder"

func isMemberOfMore(ctx context.Context, w *scenario.World, name, role string, count int) error {
	for i := range count {
		calendar := fmt.Sprintf("%sCalendar%d", name, i)
		if role != "owner" {
			if err := isMember(ctx, w, founder, "owner", calendar); err != nil {
				return err
			}
		}
		if err := isMember(ctx, w, name, role, calendar); err != nil {
			return err
		}
	}
	return nil
}

func hasMoreMembers(ctx context.Context, w *scenario.World, calendar string, count int, role string) error {
	for i := range count {
		if err := isMember(ctx, w, fmt.Sprintf("%sMember%d", calendar, i), role, calendar); err != nil {
			return err
		}
	}
	return nil
}

// isEntry writes an entry of one day.
func isEntry(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name, kind, calendar,
	date string) error {
	kinds := map[string]item{
		"all-day entry":  {"type": "AllDay"},
		"timed entry":    {"type": "Timed", "start": "09:00:00", "end": "09:30:00"},
		"task":           {"type": "Task", "completed": false},
		"completed task": {"type": "Task", "completed": true},
	}
	return layEntry(ctx, stage, names, name, kinds[kind], calendar, date)
}

func isEntryOfDays(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name, calendar, first,
	last string) error {
	return layEntry(ctx, stage, names, name, item{"type": "MultiDay", "start": first, "end": last}, calendar, first)
}

// layEntry writes an entry. Its title is its name in the scenario.
func layEntry(ctx context.Context, stage *scenario.Stage, names *scenario.Names, name string, kind item, calendar,
	date string) error {
	its, known := idOf(names, calendar)
	if !known {
		return scenario.Misused("%s is not a calendar: name an owner of it before", calendar)
	}
	id, _ := idOf(names, name)
	return lay(ctx, stage, "ENTRY#"+id, "ENTRY#"+id, item{"GSI1PK": "CAL#" + its, "GSI1SK": "ENTRY#" + date + "#" + id,
		"id": id, "calendarId": its, "title": name, "date": date, "color": "#3B82F6",
		"kind": map[string]any(kind)}.entity("ENTRY"))
}

func hasEntriesEachDay(ctx context.Context, stage *scenario.Stage, names *scenario.Names, calendar string, each,
	days int, from string) error {
	first, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return scenario.Misused("%s is not a date", from)
	}
	for i := range each * days {
		at := first.AddDate(0, 0, i/each)
		name, date := fmt.Sprintf("%sEntry%s%d", calendar, at.Format("20060102"), i%each), at.Format(time.DateOnly)
		if err := isEntry(ctx, stage, names, name, "all-day entry", calendar, date); err != nil {
			return err
		}
	}
	return nil
}
