package lovehunt

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/web"
)

// event is a hunt on a day, as HuntIndex has it.
type event struct {
	OrgSlug  string `json:"orgSlug"`
	HuntID   string `json:"huntId"`
	HuntName string `json:"huntName"`
	Status   string `json:"status"`
}

func (e event) rowKey() string { return indexKey(e.OrgSlug, e.HuntID) }

// today is GET /api/v2/events?date=&orgSlug=&status=: the hunts of a day, by default of today in UTC. It is one
// partition query of HuntIndex (LH-IDX-1). While there are organizations that were never migrated, whose hunts have no
// rows there, or while it cannot be read and blobs may answer, the hunts themselves are asked.
func (s *Server) today(ctx context.Context, c *call) (web.Reply, error) {
	query, err := c.query("date", columnSlug, columnStatus)
	if err != nil {
		return nil, err
	}
	date := cmp.Or(query["date"], s.now().UTC().Format(time.DateOnly))
	if s.indexComplete(ctx) {
		events, invalid, err := s.indexed(ctx, date, query[columnSlug], query[columnStatus])
		c.leftOut(invalid)
		if err == nil || !s.phase().fallsBack() {
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

// indexComplete reports whether HuntIndex has every hunt, as far as that is known.
func (s *Server) indexComplete(ctx context.Context) bool {
	switch s.phase() {
	case blobOnly:
		return false
	case tablesOnly:
		return true
	}
	done, err := s.migratedOrgs(ctx, "")
	return done == nil && err == nil
}

// indexed returns the hunts of a day in HuntIndex, and how many rows it leaves out because they lack a name or a
// status.
func (s *Server) indexed(ctx context.Context, date, slug, status string) (events []event, invalid int, err error) {
	rows, err := s.store.query(ctx, tableIndex, all(
		equal(columnPartition, date),
		given(slug, func(slug string) string { return equal(columnSlug, slug) }),
		given(status, func(status string) string { return equal(columnStatus, status) }),
	))
	events = make([]event, 0, len(rows))
	for _, r := range rows {
		if r.columns[columnName] == "" || r.columns[columnStatus] == "" {
			invalid++
			continue
		}
		slug, id, _ := strings.Cut(r.key, ":")
		events = append(events, event{slug, id, r.columns[columnName], r.columns[columnStatus]})
	}
	return events, invalid, err
}

func eventsOf(found *listed) []event {
	events := make([]event, len(found.records))
	for i, r := range found.records {
		events[i] = event{r.slug, r.huntID, text(r.data, columnName), text(r.data, columnStatus)}
	}
	slices.SortFunc(events, func(a, b event) int {
		return cmp.Compare(a.rowKey(), b.rowKey())
	})
	return events
}

// allEvents is GET /api/v2/events/all?status=&name=&from=&to=: the only scan of Hunts, each filter in the store.
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
	for _, r := range found.records {
		set(r.data, columnSlug, r.slug)
	}
	return s.many(c, found), nil
}
