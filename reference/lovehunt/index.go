package lovehunt

import (
	"context"
	"fmt"
	"slices"

	"github.com/storespec/storespec/reference/account"
)

// HuntIndex has one row for every date of a hunt, so that the hunts of a day are one partition (LH-IDX-1). The two
// tables cannot be written together, so every change of a hunt goes
//
//	Hunts (If-Match) → rows of new and changed dates → rows of removed dates → Hunts read again
//
// and if that read finds another hunt than the one indexed, the index follows it. The hunt remembers the dates it had,
// so that a write that dies in between leaves no unknown row: the next one removes it.

// index makes HuntIndex follow now, which replaces before; nil when nothing is known of the index. A row that marks a
// deletion has no dates. Errors: account.ErrUnavailable when the hunt keeps changing.
func (s *records) index(ctx context.Context, p place, before, now *row) error {
	for range maxRounds {
		if err := s.indexOnce(ctx, p, before, now); err != nil {
			return err
		}
		read, err := s.huntAt(ctx, p)
		if err != nil {
			return err
		}
		if read == nil {
			return s.unindex(ctx, p, now.indexed())
		}
		if sameIndex(read, now) {
			return nil
		}
		before, now = now, read
	}
	return fmt.Errorf("indexing a hunt: %w: it keeps changing", account.ErrUnavailable)
}

func (s *records) indexOnce(ctx context.Context, p place, before, now *row) error {
	want := span(now)
	had := span(before)
	unchanged := before != nil && before.columns[columnName] == now.columns[columnName] &&
		before.columns[columnStatus] == now.columns[columnStatus]
	put := slices.DeleteFunc(slices.Clone(want), func(date string) bool {
		return unchanged && slices.Contains(had, date)
	})
	err := account.InParallel(len(put), func(i int) error { return s.store.put(ctx, p.indexRow(put[i], now)) })
	if err != nil {
		return err
	}
	known := now.indexed()
	if before != nil {
		known = union(known, before.indexed())
	}
	return s.unindex(ctx, p, slices.DeleteFunc(known, func(date string) bool {
		return slices.Contains(want, date)
	}))
}

// unindex removes a hunt's rows of some dates.
func (s *records) unindex(ctx context.Context, p place, dates []string) error {
	return account.InParallel(len(dates), func(i int) error {
		return s.store.remove(ctx, &row{table: tableIndex, partition: dates[i], key: indexKey(p.slug, p.huntID)})
	})
}

// indexRow is the row of a date (LH-SCH-4).
func (p place) indexRow(date string, hunt *row) *row {
	return &row{table: tableIndex, partition: date, key: indexKey(p.slug, p.huntID), columns: map[string]string{
		columnSlug: p.slug, columnHuntID: p.huntID, columnName: hunt.columns[columnName],
		columnStatus: hunt.columns[columnStatus], columnVersion: currentVersion,
	}}
}

// sameIndex reports whether two rows of a hunt have the same rows in HuntIndex.
func sameIndex(a, b *row) bool {
	for _, column := range []string{columnName, columnStart, columnEnd, columnStatus} {
		if a.columns[column] != b.columns[column] {
			return false
		}
	}
	return true
}

// span is the dates of a hunt; none without a row, and of one that marks a deletion.
func span(r *row) []string {
	if r == nil || !isDate(r.columns[columnStart]) {
		return nil
	}
	return dates(r.columns[columnStart], r.columns[columnEnd])
}

// union returns the dates that either list has, in order.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
