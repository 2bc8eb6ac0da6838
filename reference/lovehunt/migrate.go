package lovehunt

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/storespec/storespec/reference/account"
)

// MigrateReport counts what a migration has written, and what it could not read.
type MigrateReport struct {
	Organizations int      // rows of Organizations and AppRegistry written
	Hunts         int      // rows of Hunts written or removed
	Index         int      // rows of HuntIndex written or removed
	Marked        int      // organizations that are migrated from now on
	Invalid       int      // records that are not what any version of the schema has
	InvalidIn     []string // the blobs they are in; those organizations are not marked
}

// migration is one run of Migrate.
type migration struct {
	*Tools
	mu     sync.Mutex
	report MigrateReport
}

// Migrate copies every record of a blob that tables lack. A row that is there wins, but in blob-only, where the blob is
// the truth and replaces it. When all hunts of an organization are in tables and in the index, its row is marked as
// migrated, so that servers need not ask its blob any more; not in blob-only, where the blob may still change.
// Everything written is an insert, or conditional on the row that was read: servers may go on writing. A second run
// writes nothing.
func (t *Tools) Migrate(ctx context.Context) (MigrateReport, error) {
	m := &migration{Tools: t}
	if err := m.app(ctx); err != nil {
		return m.report, err
	}
	slugs, err := t.blobSlugs(ctx)
	if err != nil {
		return m.report, err
	}
	err = t.eachGroup(ctx, slugs, m.group)
	slices.Sort(m.report.InvalidIn)
	return m.report, err
}

func (m *migration) count(add func(*MigrateReport)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	add(&m.report)
}

func (m *migration) app(ctx context.Context) error {
	s, p := m.server, appPlace()
	blob, broken, err := m.blob(ctx, p.blob())
	if broken {
		m.invalid(p.blob())
	}
	if blob == nil {
		return err
	}
	now, err := s.rowAt(ctx, p)
	if err != nil {
		return err
	}
	return m.copy(ctx, p, blob, now)
}

func (m *migration) invalid(blob string) {
	m.count(func(r *MigrateReport) {
		r.Invalid++
		if !slices.Contains(r.InvalidIn, blob) {
			r.InvalidIn = append(r.InvalidIn, blob)
		}
	})
}

// copy writes an AppData or an organization.
func (m *migration) copy(ctx context.Context, p place, blob *content, now *row) error {
	next, unreadable := m.next(p, blob, now)
	if unreadable != nil {
		m.invalid(p.blob())
	}
	if next == nil {
		return nil
	}
	switch err := m.server.store.write(ctx, next); {
	case err == nil:
		m.count(func(r *MigrateReport) { r.Organizations++ })
	case !errors.Is(err, account.ErrChanged): // a server was faster
		return err
	}
	return nil
}

// next is the row that a record of a blob becomes; nil if the row that is there stays. Errors: errSchema;
// account.ErrTooLarge.
func (m *migration) next(p place, blob *content, now *row) (*row, error) {
	found, err := blob.find(p)
	if found == nil {
		return nil, err
	}
	if now != nil && m.server.phase().readsTables() {
		return nil, nil
	}
	next, err := p.rowOf(found.data, now)
	if err != nil {
		return nil, err
	}
	if p.kind == kindHunt {
		next.columns[columnDates] = joined(union(indexedDates(now), span(next)))
	}
	if now != nil && maps.Equal(next.columns, now.columns) {
		return nil, nil
	}
	return next, nil
}

// group migrates some organizations: first their hunts, then the index, one date after another, then the marks.
func (m *migration) group(ctx context.Context, slugs []string) error {
	each := make([]*moved, len(slugs))
	err := account.InParallel(len(slugs), func(i int) (err error) {
		each[i], err = m.hunts(ctx, slugs[i])
		return err
	})
	if err != nil {
		return err
	}
	if err := m.index(ctx, each); err != nil {
		return err
	}
	return account.InParallel(len(each), func(i int) error { return m.finish(ctx, each[i]) })
}

// moved is an organization whose hunts are in tables.
type moved struct {
	*orgRows
	blob  *content // nil: it cannot be read
	valid bool     // everything in its blob can be read
}

// hunts copies the hunts of an organization's blob.
func (m *migration) hunts(ctx context.Context, slug string) (*moved, error) {
	s := m.server
	blob, broken, err := m.blob(ctx, orgBlob(slug))
	if broken {
		m.invalid(orgBlob(slug))
	}
	if err != nil {
		return nil, err
	}
	rows, err := m.rowsOf(ctx, slug)
	if err != nil {
		return nil, err
	}
	o := &moved{orgRows: rows, blob: blob, valid: blob != nil}
	if blob == nil || o.migrated() && s.phase().readsTables() { // what it lacks was deleted since
		return o, nil
	}
	var fresh []*row
	places := blob.places(slug)
	for _, p := range places {
		now := rows.hunts[p.huntID]
		next, err := m.next(p, blob, now)
		switch {
		case err != nil || !idForm.MatchString(p.huntID):
			o.valid = false
			m.invalid(orgBlob(slug))
		case next == nil:
		case now == nil:
			fresh = append(fresh, next)
			rows.hunts[p.huntID] = next
		default:
			if err := s.store.write(ctx, next); err != nil {
				return nil, err
			}
			rows.hunts[p.huntID] = next
			m.count(func(r *MigrateReport) { r.Hunts++ })
		}
	}
	written, err := s.store.writeTogether(ctx, fresh, inserting)
	m.count(func(r *MigrateReport) { r.Hunts += written })
	if err == nil && !s.phase().readsTables() && o.valid {
		err = m.remove(ctx, o, places)
	}
	m.progress(func(p *Progress) { p.Hunts += len(places) })
	return o, err
}

// remove removes, in blob-only, the hunts that the blob does not have any more: first their rows of HuntIndex, which
// would be unknown afterwards.
func (m *migration) remove(ctx context.Context, o *moved, kept []place) error {
	for id, r := range o.hunts {
		if slices.Contains(kept, huntPlace(o.slug, id)) {
			continue
		}
		if err := m.server.unindex(ctx, huntPlace(o.slug, id), r.indexed()); err != nil {
			return err
		}
		if err := m.server.store.remove(ctx, r); err != nil {
			return err
		}
		delete(o.hunts, id)
		m.count(func(r *MigrateReport) { r.Hunts++ })
	}
	return nil
}

// finish makes sure that a hunt was not changed while it was indexed, and marks the organization. What only marked
// deletions is removed then.
func (m *migration) finish(ctx context.Context, o *moved) error {
	s := m.server
	now, err := m.rowsOf(ctx, o.slug)
	if err != nil {
		return err
	}
	for id, before := range o.hunts {
		left := cmp.Or(now.hunts[id], &row{}) // none, if it was deleted
		if !sameIndex(before, left) {
			p := huntPlace(o.slug, id)
			if err := s.index(ctx, p, p.whole(before), p.whole(left)); err != nil {
				return err
			}
		}
	}
	if o.blob == nil {
		return nil
	}
	if err := m.mark(ctx, o, now.org); err != nil {
		return err
	}
	if !o.valid || !s.phase().readsTables() {
		return nil
	}
	s.done.Store(o.slug, true)
	for id, r := range now.hunts {
		if isMark(r) {
			if err := s.finishRemoval(ctx, huntPlace(o.slug, id), r); err != nil {
				return err
			}
			m.count(func(r *MigrateReport) { r.Hunts++ })
		}
	}
	return nil
}

// mark copies the organization itself, and says in its row that its hunts are in tables.
func (m *migration) mark(ctx context.Context, o *moved, now *row) error {
	s, p := m.server, orgPlace(o.slug)
	if err := m.copy(ctx, p, o.blob, now); err != nil || !o.valid || !s.phase().readsTables() {
		return err
	}
	_, marked, err := account.Change[row]{
		Rounds: maxRounds,
		Read:   func() (*row, error) { return s.rowAt(ctx, p) },
		Decide: func(now *row) (*row, error) {
			if now == nil || now.columns[columnMigrated] != "" {
				return nil, nil
			}
			return now.with(map[string]string{columnMigrated: timestamp(s.now())}), nil
		},
		Write: func(_, next *row) error { return s.store.write(ctx, next) },
	}.Do(ctx)
	if marked {
		m.count(func(r *MigrateReport) { r.Marked++ })
	}
	return err
}
