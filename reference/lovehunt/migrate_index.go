package lovehunt

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/storespec/storespec/reference/account"
)

// index makes HuntIndex follow the hunts of some organizations: for each date one query, and transactions with the rows
// that are missing or differ. Rows of hunts that the migration has not seen are left alone.
func (m *migration) index(ctx context.Context, group []*moved) error {
	days := map[string]*indexDay{}
	for _, o := range group {
		for id, r := range o.hunts {
			addDays(days, huntPlace(o.slug, id), r)
		}
	}
	dates := slices.Sorted(maps.Keys(days))
	return account.InParallel(len(dates), func(i int) error {
		written, err := m.server.indexDate(ctx, dates[i], days[dates[i]])
		m.count(func(r *MigrateReport) { r.Index += written })
		return err
	})
}

// indexDay is what HuntIndex must have, and must not have, on one date.
type indexDay struct {
	want  map[string]*row // by RowKey
	known []string        // the RowKeys of the hunts that are looked at
}

func addDays(days map[string]*indexDay, p place, hunt *row) {
	known := hunt.indexed()
	hunt = p.whole(hunt)
	key, wanted := indexKey(p.slug, p.huntID), span(hunt)
	if isMark(hunt) {
		wanted = nil
	}
	for _, date := range union(known, wanted) {
		day := days[date]
		if day == nil {
			day = &indexDay{want: map[string]*row{}}
			days[date] = day
		}
		day.known = append(day.known, key)
		if slices.Contains(wanted, date) {
			day.want[key] = p.indexRow(date, hunt)
		}
	}
}

// indexDate writes what a date lacks, and removes what it must not have.
func (s *records) indexDate(ctx context.Context, date string, day *indexDay) (written int, err error) {
	slices.Sort(day.known)
	first, last := day.known[0], day.known[len(day.known)-1]
	rows, err := s.store.query(ctx, tableIndex, all(equal(columnPartition, date),
		columnRow+" ge "+literal(first), columnRow+" le "+literal(last)))
	if err != nil {
		return 0, err
	}
	missing := maps.Clone(day.want)
	for _, r := range rows {
		want := day.want[r.key]
		_, known := slices.BinarySearch(day.known, r.key)
		switch {
		case want != nil && maps.Equal(want.columns, r.columns):
			delete(missing, r.key)
		case want == nil && known:
			if err := s.store.remove(ctx, r); err != nil {
				return written, err
			}
			written++
		}
	}
	fresh := slices.SortedFunc(maps.Values(missing), func(a, b *row) int { return cmp.Compare(a.key, b.key) })
	put, err := s.store.writeTogether(ctx, fresh, putting)
	return written + put, err
}

// indexedDates are the dates that may have rows in HuntIndex for a row; none without one.
func indexedDates(r *row) []string {
	if r == nil {
		return nil
	}
	return r.indexed()
}

// joined is dates as indexedDates has them.
func joined(dates []string) string { return strings.Join(dates, ",") }
