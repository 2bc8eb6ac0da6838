package calendsync

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrNoCalendar is Seed's error for a calendar that does not exist, or is being deleted.
var ErrNoCalendar = errors.New("calendar not found")

// MaxSeed is how many entries Seed writes at most.
const MaxSeed = 100_000

// Seeding says which entries Seed writes.
type Seeding struct {
	Calendar string // its id
	Around   string // the day in their middle: YYYY-MM-DD
	Count    int    // 1 to MaxSeed
}

// Check reports what is wrong with a seeding.
func (g Seeding) Check() error {
	switch {
	case !isUUID(g.Calendar):
		return fmt.Errorf("%q is not the id of a calendar: expected a UUID v4 in lower case", g.Calendar)
	case !isDate(g.Around):
		return fmt.Errorf("%q is not a date: expected one such as 2024-06-15", g.Around)
	case g.Count < 1 || g.Count > MaxSeed:
		return fmt.Errorf("%d entries: expected 1 to %d", g.Count, MaxSeed)
	}
	if first, last := g.Days(); !isDate(first) || !isDate(last) || !isDate(before(last, -maxSpan)) {
		return fmt.Errorf("%d entries around %s leave the years 0000 to 9999", g.Count, g.Around)
	}
	return nil
}

// Days returns the days on which the first and the last entry begin.
func (g Seeding) Days() (first, last string) { return g.day(0), g.day(g.Count - 1) }

// day returns the day of the entry with a number: two a day, half of them before Around.
func (g Seeding) day(n int) string { return before(g.Around, g.Count/4-n/2) }

// Seed writes entries of every kind, two a day, half of them before a day and half after it. The same seeding writes
// the same entries: one that is there stays as it is. written counts the others. Errors: those of Check; ErrNoCalendar;
// storage.
func (t *Tools) Seed(ctx context.Context, g Seeding) (written int, _ error) {
	if err := g.Check(); err != nil {
		return 0, err
	}
	if err := t.hasTable(ctx); err != nil {
		return 0, err
	}
	switch _, found, err := t.server.calendar(ctx, g.Calendar); {
	case err != nil:
		return 0, err
	case !found:
		return 0, fmt.Errorf("%w: %s", ErrNoCalendar, g.Calendar)
	}
	now := t.server.timestamp()
	items := make([]item, g.Count)
	for n := range items {
		items[n] = g.entry(n, now).item()
	}
	return t.writeMissing(ctx, items, 0, len(items))
}

// entry returns the entry with a number.
func (g Seeding) entry(n int, now string) entry {
	colors := [...]string{"#3B82F6", "#EF4444", "#10B981", "#F59E0B"}
	date := g.day(n)
	e := entry{id: uuid(fmt.Sprintf("seed\x00%s\x00%s\x00%d", g.Calendar, g.Around, n)), calendar: g.Calendar,
		date: date, color: colors[n%len(colors)], history: begun(now)}
	switch n % 4 {
	case 0:
		hour := 8 + n%10
		e.title, e.kind = "Meeting", kind{Type: timed, Start: fmt.Sprintf("%02d:00:00", hour),
			End: fmt.Sprintf("%02d:30:00", hour)}
	case 1:
		e.title, e.kind = "Errand", kind{Type: task, Completed: new(bool)}
	case 2:
		e.title, e.kind = "Birthday", kind{Type: allDay}
	default:
		e.title, e.kind = "Journey", kind{Type: multiDay, Start: date, End: before(date, -n%7)}
	}
	e.title = fmt.Sprintf("%s %d", e.title, n+1)
	return e
}

// Today returns the day of a clock, as Seeding.Around takes it.
func Today(now time.Time) string { return now.UTC().Format(time.DateOnly) }
