package lovehunt

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// event is a hunt on a day, as HuntIndex has it.
type event struct {
	OrgSlug  string `json:"orgSlug"`
	HuntID   string `json:"huntId"`
	HuntName string `json:"huntName"`
	Status   string `json:"status"`
}

// today is GET /api/v2/events?date=&orgSlug=&status=: the hunts of a day, by default of today in UTC. It is one
// partition query of HuntIndex (LH-IDX-1); only while there are organizations that were never migrated, whose hunts
// have no rows there, the hunts themselves are asked.
func (s *Server) today(ctx context.Context, c *call) (web.Reply, error) {
	query, err := c.query("date", columnSlug, columnStatus)
	if err != nil {
		return nil, err
	}
	date := cmp.Or(query["date"], s.now().UTC().Format(time.DateOnly))
	complete, err := s.indexComplete(ctx)
	if err != nil && !errors.Is(err, account.ErrUnavailable) {
		return nil, err
	}
	if complete {
		events, err := s.indexed(ctx, date, query[columnSlug], query[columnStatus])
		if err == nil || !errors.Is(err, account.ErrUnavailable) || !s.phase().fallsBack() {
			return s.success(http.StatusOK, events), err
		}
	}
	found, err := s.list(ctx, kindHunt, selection{slug: query[columnSlug], status: query[columnStatus], from: date,
		to: date})
	if err != nil {
		return nil, err
	}
	c.from(found.from)
	return s.success(http.StatusOK, eventsOf(found)), nil
}

// indexComplete reports whether HuntIndex has every hunt.
func (s *Server) indexComplete(ctx context.Context) (bool, error) {
	switch s.phase() {
	case blobOnly:
		return false, nil
	case tablesOnly:
		return true, nil
	}
	done, err := s.migratedOrgs(ctx, "")
	return done == nil && err == nil, err
}

func (s *Server) indexed(ctx context.Context, date, slug, status string) ([]event, error) {
	rows, err := s.store.query(ctx, tableIndex, all(
		equal(columnPartition, date),
		given(slug, func(slug string) string { return equal(columnSlug, slug) }),
		given(status, func(status string) string { return equal(columnStatus, status) }),
	))
	events := make([]event, len(rows))
	for i, r := range rows {
		events[i] = event{r.columns[columnSlug], r.columns[columnHuntID], r.columns[columnName],
			r.columns[columnStatus]}
	}
	return events, err
}

func eventsOf(found *listed) []event {
	events := make([]event, len(found.records))
	for i, r := range found.records {
		events[i] = event{r.slug, r.huntID, text(r.data, columnName), text(r.data, columnStatus)}
	}
	slices.SortFunc(events, func(a, b event) int {
		return cmp.Compare(indexKey(a.OrgSlug, a.HuntID), indexKey(b.OrgSlug, b.HuntID))
	})
	return events
}

// allEvents is GET /api/v2/events/all?status=&name=&from=&to=: the only scan of Hunts, each filter in the store
// .
func (s *Server) allEvents(ctx context.Context, c *call) (web.Reply, error) {
	query, err := c.query(columnStatus, "name", "from", "to")
	if err != nil {
		return nil, err
	}
	found, err := s.list(ctx, kindHunt, selection{status: query[columnStatus], prefix: query["name"],
		from: query["from"], to: query["to"]})
	if err != nil {
		return nil, err
	}
	s.many(c, found) // its headers
	data := make([]web.Object, len(found.records))
	for i, r := range found.records {
		data[i] = r.data
		set(data[i], columnSlug, r.slug)
	}
	return s.success(http.StatusOK, data), nil
}
