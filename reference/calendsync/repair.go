package calendsync

import (
	"cmp"
	"context"
	"slices"
)

// Repair finishes what interrupted deletions of calendars left: it removes the entries and the memberships whose
// calendar is not there, or is marked, and the marked calendars. It reads the whole table. removed counts items.
func (t *Tools) Repair(ctx context.Context) (removed int, _ error) {
	if err := t.hasTable(ctx); err != nil {
		return 0, err
	}
	byCalendar, err := t.belongings(ctx)
	if err != nil {
		return 0, err
	}
	calendars := make([]key, 0, len(byCalendar))
	for id := range byCalendar {
		calendars = append(calendars, calendarKey(id))
	}
	slices.SortFunc(calendars, func(a, b key) int { return cmp.Compare(a.partition, b.partition) })
	done := 0
	for some := range slices.Chunk(calendars, maxBatchGet) {
		// What was read first may be old: a calendar may have been created since.
		there, err := t.server.store.batchGet(ctx, some)
		if err != nil {
			return removed, err
		}
		for _, at := range some {
			k := calendarOf(there[at])
			if k.id != "" && k.deleting == "" {
				continue
			}
			n, err := t.removeRest(ctx, at, byCalendar[at.partition[len(calendarPrefix):]])
			removed += n
			if err != nil {
				return removed, err
			}
		}
		done += len(some)
		t.report(done, len(calendars))
	}
	return removed, nil
}

// belongings are the keys of all entries, memberships and calendars, by the calendar's id.
func (t *Tools) belongings(ctx context.Context) (map[string][]key, error) {
	found := map[string][]key{}
	err := t.server.store.scan(ctx, func(i item) {
		switch i.text(attrType) {
		case typeEntry, typeMembership:
			found[i.text(attrCalendar)] = append(found[i.text(attrCalendar)], i.key())
		case typeCalendar:
			found[i.text(attrID)] = append(found[i.text(attrID)], i.key())
		}
	})
	return found, err
}

// removeRest removes what belongs to a calendar that is gone, or going: entries first, the calendar last, so that it
// stays marked until nothing is left. An entry that moved away before stays.
func (t *Tools) removeRest(ctx context.Context, calendar key, belongings []key) (removed int, _ error) {
	there, err := t.server.store.batchGet(ctx, belongings)
	if err != nil {
		return 0, err
	}
	var rest []key
	for _, k := range belongings {
		i := there[k]
		if k != calendar && i != nil && calendarKey(i.text(attrCalendar)) == calendar {
			rest = append(rest, k)
		}
	}
	if there[calendar] != nil {
		rest = append(rest, calendar)
	}
	if err := t.server.store.removeAll(ctx, rest); err != nil {
		return 0, err
	}
	return len(rest), nil
}
