package calendsync

import (
	"context"

	"github.com/storespec/storespec/reference/web"
)

// maxRange is how many days a listing covers at most.
const maxRange = 366

// days is a range of days, both included.
type days struct{ first, last string }

// readDays reads ?start=&end=. Errors: 400 bad_request.
func readDays(asked web.Object) (d days, _ error) {
	d.first, _ = asked.String("start")
	d.last, _ = asked.String("end")
	switch {
	case !isDate(d.first) || !isDate(d.last):
		return d, web.BadRequest("start and end are dates such as 2024-01-31")
	case d.first > d.last:
		return d, web.BadRequest("start must not be after end")
	case span(d.first, d.last) > maxRange:
		return d, web.BadRequest("a range may cover at most 366 days")
	}
	return d, nil
}

// query is access pattern 6. It begins as many days early as an entry can be long: one of several days is stored by its
// first.
func (d days) query(calendarID string) query {
	return query{of: gsi1(), partition: calendarPrefix + calendarID,
		lower: entryPrefix + before(d.first, maxSpan-1) + "#", upper: entryPrefix + d.last + "#" + afterAll}
}

// has reports whether an entry is on at least one of the days.
func (d days) has(e entry) bool { return e.date <= d.last && e.last() >= d.first }

// getEntries is GET /api/calendars/{calendar}/entries?start=&end=[&expand=days], for members: by date. With expand=days
// it lists the days that have entries, each with all of its.
func (s *Server) getEntries(ctx context.Context, c *call) (web.Reply, error) {
	id, err := c.id("calendar")
	if err != nil {
		return nil, err
	}
	asked, err := web.QueryObject(c.Request)
	if err != nil {
		return nil, err
	}
	within, err := readDays(asked)
	if err != nil {
		return nil, err
	}
	expand, _ := asked.String("expand")
	if expand != "" && expand != "days" {
		return nil, web.BadRequest("expand must be days, if it is given")
	}
	if _, err := s.member(ctx, c, id, roleReader); err != nil {
		return nil, err
	}
	all, err := s.store.query(ctx, within.query(id))
	if err != nil {
		return nil, err
	}
	listed := []any{}
	byDay := map[string][]any{}
	for _, i := range all {
		e := entryOf(i)
		if !within.has(e) {
			continue
		}
		listed = append(listed, e.shown())
		for _, on := range daysOf(max(e.date, within.first), min(e.last(), within.last)) {
			byDay[on] = append(byDay[on], e.shown())
		}
	}
	if expand == "" {
		return web.Plain{"entries": listed}, nil
	}
	shown := []any{}
	for _, on := range daysOf(within.first, within.last) {
		if entries := byDay[on]; entries != nil {
			shown = append(shown, map[string]any{"date": on, "entries": entries})
		}
	}
	return web.Plain{"days": shown}, nil
}
