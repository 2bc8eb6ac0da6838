package lovehunt

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/storespec/storespec/reference/account"
)

// served says where an answer came from, for the headers X-Served-From and X-Data-Stale.
type served struct {
	blob  bool // from a blob, though the phase reads tables
	stale bool // tables-first, while the tables are down: the blob may be older than the row
}

// read returns a record as the phase reads it; nil when there is none, or only the mark of its deletion.
//
//	blob-only     the blob
//	dual-write    the row; the blob if there is no row and the organization is not migrated, or the tables are down
//	tables-first  the same
//	tables-only   the row
//
// An older record is migrated by the way. Errors: errSchema; account.ErrUnavailable.
func (s *records) read(ctx context.Context, p place) (*record, served, error) {
	if !s.phase().readsTables() {
		found, err := s.fromBlob(ctx, p)
		if found != nil && found.older {
			s.upgradeBlob(ctx, p)
		}
		return found, served{}, err
	}
	found, from, err := s.readTables(ctx, p)
	if errors.Is(err, account.ErrUnavailable) && s.phase().fallsBack() {
		found, err = s.fromBlob(ctx, p)
		return found, served{blob: true, stale: s.phase() == tablesFirst}, err
	}
	if err != nil || found == nil || found.data == nil {
		return nil, from, err
	}
	if found.older && found.row != nil {
		s.upgradeRow(ctx, p, found)
	}
	if s.phase().writesBoth() && found.row != nil && s.sampled() {
		s.compare(ctx, p, found)
	}
	return found, from, nil
}

// sampled chooses some of the reads in dual-write for a comparison of the two stores (LH-MON-3).
func (s *records) sampled() bool { return rand.IntN(100) < s.config.SamplePercent }

// compare counts whether the blob agrees with a row. Reads never fail by it.
func (s *records) compare(ctx context.Context, p place, found *record) {
	blob, err := s.fromBlob(ctx, p)
	if err != nil && !errors.Is(err, errSchema) {
		return
	}
	s.metrics.compared.Add(1)
	if blob != nil && blob.etag() == found.etag() {
		s.metrics.agreeing.Add(1)
	}
}

// readTables returns the row's record, or, for one never migrated, the blob's, which has no row; nil when there is
// neither. A row that marks a deletion is a record without data.
func (s *records) readTables(ctx context.Context, p place) (*record, served, error) {
	found, err := s.fromRow(ctx, p)
	if found != nil || err != nil || !s.phase().fallsBack() {
		return found, served{}, err
	}
	if p.kind == kindHunt {
		if migrated, err := s.migrated(ctx, p.slug); migrated || err != nil {
			return nil, served{}, err
		}
	}
	r, err := s.fromBlob(ctx, p)
	if r != nil {
		s.metrics.fromBlob.Add(1)
	}
	return r, served{blob: r != nil}, err
}

// rowAt reads the row of a record; nil if there is no row.
func (s *records) rowAt(ctx context.Context, p place) (*row, error) {
	table, partition, key := p.key()
	return s.store.row(ctx, table, partition, key)
}

// huntAt is rowAt of a hunt, as its JSON has it: HuntIndex follows that.
func (s *records) huntAt(ctx context.Context, p place) (*row, error) {
	r, err := s.rowAt(ctx, p)
	return p.whole(r), err
}

func (s *records) fromRow(ctx context.Context, p place) (*record, error) {
	found, err := s.rowAt(ctx, p)
	if found == nil {
		return nil, err
	}
	return p.decode(found)
}

func (s *records) fromBlob(ctx context.Context, p place) (*record, error) {
	blob, err := s.store.contentOf(ctx, p.blob())
	if blob == nil {
		return nil, err
	}
	return blob.find(p)
}

// migrated reports whether no blob is asked for an organization's hunts: they are all in tables, or the phase never
// asks. It stays so as long as the process lives, and is read once.
func (s *records) migrated(ctx context.Context, slug string) (bool, error) {
	if _, known := s.done.Load(slug); known || !s.phase().fallsBack() {
		return true, nil
	}
	org, err := s.rowAt(ctx, orgPlace(slug))
	if org == nil || org.columns[columnMigrated] == "" {
		return false, err
	}
	s.done.Store(slug, true)
	return true, nil
}

// upgradeRow writes a record of an older version back in the current one, once, unless it was changed. Reads never
// fail by it.
func (s *records) upgradeRow(ctx context.Context, p place, found *record) {
	next, err := p.rowOf(found.data, found.row)
	if err != nil {
		return
	}
	if s.store.write(ctx, next) == nil {
		s.metrics.upgraded.Add(1)
	}
}

// upgradeBlob is upgradeRow for a blob.
func (s *records) upgradeBlob(ctx context.Context, p place) {
	blob, _ := s.store.contentOf(ctx, p.blob())
	if blob == nil {
		return
	}
	found, _ := blob.find(p)
	if found == nil || !found.older { // another request was faster
		return
	}
	blob.put(p, found.data)
	if s.store.writeContent(ctx, p, blob) == nil {
		s.metrics.upgraded.Add(1)
	}
}
