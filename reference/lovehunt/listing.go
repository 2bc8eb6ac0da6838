package lovehunt

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/storespec/storespec/reference/account"
)

// listed is a list of records in the order of their keys.
type listed struct {
	records []*listedRecord
	invalid int // unreadable ones, which are left out
	from    served
}

type listedRecord struct {
	place
	*record
}

// selection is what a list selects: the same in a filter of the store and for records of blobs.
type selection struct {
	slug   string // of the organization; "" all
	status string
	prefix string // of the name
	from   string // hunts that end on this day or later
	to     string // hunts that begin on this day or earlier
}

// of returns the table of a kind, and the filter of the rows that are selected there.
func (q selection) of(k kind) (table, filter string) {
	if k == kindOrg {
		return tableOrgs, all(equal(columnRow, orgRow),
			given(q.prefix, func(prefix string) string { return begins(columnOrgName, prefix) }))
	}
	return tableHunts, all(
		given(q.slug, func(slug string) string { return equal(columnPartition, slug) }),
		given(q.status, func(status string) string { return equal(columnStatus, status) }),
		given(q.prefix, func(prefix string) string { return begins(columnName, prefix) }),
		given(q.from, func(day string) string { return columnEnd + " ge " + literal(day) }),
		given(q.to, func(day string) string { return columnStart + " le " + literal(day) }),
	)
}

func given(value string, filter func(string) string) string {
	if value == "" {
		return ""
	}
	return filter(value)
}

// has reports whether a record of a blob is selected.
func (q selection) has(r *listedRecord) bool {
	name := columnName
	if r.kind == kindOrg {
		name = columnOrgName
	}
	return (q.slug == "" || r.slug == q.slug) &&
		(q.status == "" || text(r.data, columnStatus) == q.status) &&
		strings.HasPrefix(text(r.data, name), q.prefix) &&
		(q.from == "" || text(r.data, columnEnd) >= q.from) &&
		(q.to == "" || text(r.data, columnStart) <= q.to)
}

// list returns the selected hunts or organizations as the phase reads them: from tables by one query that selects in
// the store, and from the blobs of organizations never migrated what has no row.
func (s *records) list(ctx context.Context, k kind, q selection) (*listed, error) {
	if !s.phase().readsTables() {
		return s.listBlobs(ctx, k, q, func(string) bool { return false }, nil)
	}
	found, err := s.listTables(ctx, k, q)
	if errors.Is(err, account.ErrUnavailable) && s.phase().fallsBack() {
		found, err = s.listBlobs(ctx, k, q, func(string) bool { return false }, nil)
		if found != nil {
			found.from = served{blob: true, stale: s.phase() == tablesFirst}
		}
	}
	return found, err
}

func (s *records) listTables(ctx context.Context, k kind, q selection) (*listed, error) {
	table, filter := q.of(k)
	rows, err := s.store.query(ctx, table, filter)
	if err != nil {
		return nil, err
	}
	found := s.decodeAll(ctx, k, rows)
	if !s.phase().fallsBack() {
		return found, nil
	}
	done, err := s.migratedOrgs(ctx, q.slug)
	if err != nil || done == nil {
		return found, err
	}
	if _, plain := (selection{slug: q.slug}).of(k); plain != filter { // a row that is left out is still the truth
		if rows, err = s.store.query(ctx, table, plain); err != nil {
			return nil, err
		}
	}
	inTables := map[place]bool{}
	for _, r := range rows {
		inTables[placeOf(k, r)] = true
	}
	rest, err := s.listBlobs(ctx, k, q, done, inTables)
	if err != nil {
		return nil, err
	}
	found.records = append(found.records, rest.records...)
	found.invalid += rest.invalid
	found.from.blob = len(rest.records) > 0
	s.metrics.fromBlob.Add(int64(len(rest.records)))
	sortRecords(found.records)
	return found, nil
}

func placeOf(k kind, r *row) place {
	if k == kindOrg {
		return orgPlace(r.partition)
	}
	return huntPlace(r.partition, r.key)
}

// decodeAll leaves out what is unreadable, and marks of deletions; older records are written back.
func (s *records) decodeAll(ctx context.Context, k kind, rows []*row) *listed {
	found := &listed{}
	for _, r := range rows {
		p := placeOf(k, r)
		decoded, err := p.decode(r)
		switch {
		case err != nil:
			found.invalid++
		case decoded.data != nil:
			found.records = append(found.records, &listedRecord{p, decoded})
		}
	}
	_ = account.InParallel(len(found.records), func(i int) error {
		if r := found.records[i]; r.older {
			s.upgradeRow(ctx, r.place, r.record)
		}
		return nil
	})
	return found
}

// migratedOrgs says which organizations' blobs need not be asked any more; nil when none has to be, which stays so.
func (s *records) migratedOrgs(ctx context.Context, slug string) (func(slug string) bool, error) {
	if slug != "" {
		done, err := s.migrated(ctx, slug)
		if done || err != nil {
			return nil, err
		}
		return func(string) bool { return false }, nil
	}
	if s.allDone.Load() {
		return nil, nil
	}
	rows, err := s.orgRows(ctx)
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for _, r := range rows {
		done[r.partition] = r.columns[columnMigrated] != ""
	}
	names, err := s.store.orgBlobs(ctx)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(names, func(name string) bool {
		slug, ok := slugOf(name)
		return ok && !done[slug]
	}) {
		s.allDone.Store(true)
		return nil, nil
	}
	return func(slug string) bool { return done[slug] }, nil
}

// orgRows returns the rows of all organizations.
func (s *records) orgRows(ctx context.Context) ([]*row, error) {
	table, filter := selection{}.of(kindOrg)
	return s.store.query(ctx, table, filter)
}

// huntRows returns the rows of an organization's hunts, marks of deletion included.
func (s *records) huntRows(ctx context.Context, slug string) ([]*row, error) {
	table, filter := selection{slug: slug}.of(kindHunt)
	return s.store.query(ctx, table, filter)
}

// listBlobs reads the organizations' blobs but those that skip names, and leaves out records that are in tables.
func (s *records) listBlobs(ctx context.Context, k kind, q selection, skip func(slug string) bool,
	inTables map[place]bool) (*listed, error) {
	names := []string{orgBlob(q.slug)}
	if q.slug == "" {
		var err error
		if names, err = s.store.orgBlobs(ctx); err != nil {
			return nil, err
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		slug, ok := slugOf(name)
		return !ok || skip(slug)
	})
	each := make([]*listed, len(names))
	err := account.InParallel(len(names), func(i int) error {
		slug, _ := slugOf(names[i])
		blob, err := s.store.contentOf(ctx, names[i])
		switch {
		case errors.Is(err, errSchema):
			each[i] = &listed{invalid: 1}
		case err != nil || blob == nil:
			return err
		case k == kindOrg:
			each[i] = blob.list([]place{orgPlace(slug)})
		default:
			each[i] = blob.list(blob.places(slug))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	found := &listed{}
	for _, l := range each {
		if l == nil {
			continue
		}
		found.invalid += l.invalid
		for _, r := range l.records {
			if !inTables[r.place] && q.has(r) {
				found.records = append(found.records, r)
			}
		}
	}
	sortRecords(found.records)
	return found, nil
}

// places are those of the hunts in an organization's blob, each once.
func (c *content) places(slug string) (all []place) {
	seen := map[place]bool{}
	for _, hunt := range c.hunts {
		if p := huntPlace(slug, huntIDIn(hunt)); !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

func (c *content) list(places []place) *listed {
	found := &listed{}
	for _, p := range places {
		r, err := c.find(p)
		switch {
		case err != nil || p.kind == kindHunt && p.huntID == "":
			found.invalid++
		case r != nil:
			found.records = append(found.records, &listedRecord{p, r})
		}
	}
	return found
}

func sortRecords(records []*listedRecord) {
	slices.SortFunc(records, func(a, b *listedRecord) int {
		return cmp.Or(cmp.Compare(a.slug, b.slug), cmp.Compare(a.huntID, b.huntID))
	})
}
