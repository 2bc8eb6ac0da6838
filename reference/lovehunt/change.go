package lovehunt

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// maxRounds bounds the rounds of reading and writing one record (LH-CON-2).
const maxRounds = 8

// condition is a request's If-Match.
type condition string

// allows says why a write of now under this condition is refused; nil if it is not.
func (on condition) allows(now *record) error {
	switch {
	case on == "":
		return &web.Error{Status: http.StatusPreconditionRequired, Code: "precondition_required",
			Message: "send the ETag that you have read in If-Match"}
	case on == "*", slices.Contains(strings.Split(strings.ReplaceAll(string(on), " ", ""), ","), now.etag()):
		return nil
	}
	return &stale{now.etag()}
}

// stale is a 412 that carries the current ETag.
type stale struct{ etag string }

func (*stale) Error() string { return "precondition_failed" }

// change replaces a record by what decide makes of it, which is nil only when now is to stay as it is; then what only a
// blob has is written to its row. now is nil when there is no record; the record returned is the one written. Errors:
// decide's; account.ErrChanged after maxRounds lost rounds.
//
//	blob-only                  blob read → blob written under its ETag
//	tables-first, tables-only  row read → row written under its ETag → index (hunts only)
//	dual-write                 row read → blob read → row written → index → blob written under its ETag
func (s *records) change(ctx context.Context, p place, decide func(now *record) (web.Object, error)) (*record, error) {
	if !s.phase().readsTables() {
		return s.changeBlob(ctx, p, func(now *record) (*record, error) {
			data, err := decide(now)
			if data == nil {
				return nil, err
			}
			return &record{data: data}, nil
		})
	}
	var known history
	next, written, err := account.Change[record]{
		Rounds: maxRounds, Pause: true,
		Read: func() (*record, error) {
			now, _, err := s.readTables(ctx, p)
			return now, err
		},
		Decide: func(now *record) (*record, error) {
			if known.row = nil; now != nil {
				known.row = now.row
			}
			if now != nil && now.data == nil { // what is left of a deletion
				now, known.unsure = nil, true
			}
			data, err := decide(now)
			if data == nil && err == nil && now.row == nil { // it stays as it is, and only a blob has it yet
				data = now.data
			}
			if data == nil {
				return nil, err
			}
			known.unsure = known.unsure || now != nil && now.etag() == etagOf(data)
			return s.following(p, data, &known, now == nil)
		},
		Write: func(_, next *record) (err error) {
			if known.copy, err = s.beforeWrite(ctx, p); err != nil {
				return err
			}
			err = s.store.write(ctx, next.row)
			known.unsure = known.unsure || err != nil // its answer may be what was lost: the index does not follow it
			return err
		},
	}.Do(ctx)
	if err != nil {
		return nil, err
	}
	known.unsure = known.unsure || !written
	return s.settle(ctx, p, &known, next)
}

// history is what a change has seen of a record's row.
type history struct {
	row    *row     // the one to be replaced; nil if there is none
	copy   *content // in dual-write, the blob before the row was written; nil: not read
	unsure bool     // an earlier attempt may have written the hunt and not its index
}

// following is the record that replaces the row seen last with data. A hunt remembers the dates of the rows that it
// replaces, until their rows in HuntIndex have been removed. first: neither store has had the record.
func (s *records) following(p place, data web.Object, known *history, first bool) (*record, error) {
	next, err := p.rowOf(data, known.row)
	if err != nil {
		return nil, err
	}
	switch {
	case p.kind == kindHunt:
		had := span(known.row)
		if known.unsure {
			had = indexedDates(known.row)
		}
		next.columns[columnDates] = joined(union(had, span(next)))
	case p.kind == kindOrg && first: // no blob has hunts of it
		next.columns[columnMigrated] = timestamp(s.now())
	}
	return &record{data: data, row: next}, nil
}

// settle does what follows a record's row: the index, and the blob in dual-write.
func (s *records) settle(ctx context.Context, p place, known *history, now *record) (*record, error) {
	if p.kind == kindHunt {
		before := known.row
		if known.unsure {
			before = nil
		}
		if err := s.index(ctx, p, before, now.row); err != nil {
			return nil, err
		}
	}
	if s.phase().writesBoth() {
		if err := s.mirror(ctx, p, now.data, known.copy); err != nil {
			return nil, lagging(err)
		}
	}
	return now, nil
}

// lagging is the error of a blob that could not be brought up to date after the row was written: the client repeats.
func lagging(err error) error {
	return fmt.Errorf("the blob lags: %w: %w", account.ErrUnavailable, err)
}

// changeBlob is change in blob-only. A record without data removes a hunt.
func (s *records) changeBlob(ctx context.Context, p place, decide func(now *record) (*record, error)) (*record,
	error) {
	var result *record
	_, _, err := account.Change[content]{
		Rounds: maxRounds, Pause: true,
		Read: func() (*content, error) { return s.blobOf(ctx, p) },
		Decide: func(blob *content) (*content, error) {
			now, err := blob.find(p)
			if err != nil {
				return nil, err
			}
			next, err := decide(now)
			if result = next; next == nil || err != nil {
				result = now
				return nil, err
			}
			blob.put(p, next.data)
			return blob, nil
		},
		Write: func(_, next *content) error { return s.store.writeContent(ctx, p, next) },
	}.Do(ctx)
	return result, err
}

// removeHunt deletes a hunt (LH-IDX-4): its row is marked as deleted, so that whoever is indexing it sees it, then its
// rows in HuntIndex are removed, then the mark. Before its organization is migrated the mark stays, or its blob would
// bring the hunt back. check refuses a request; it is called with nil where there is no hunt.
func (s *records) removeHunt(ctx context.Context, p place, check func(now *record) error) error {
	if !s.phase().readsTables() {
		_, err := s.changeBlob(ctx, p, func(now *record) (*record, error) { return &record{}, check(now) })
		return err
	}
	at := timestamp(s.now())
	var before *content
	marked, _, err := account.Change[record]{
		Rounds: maxRounds, Pause: true,
		Read: func() (*record, error) {
			now, _, err := s.readTables(ctx, p)
			return now, err
		},
		Decide: func(now *record) (*record, error) {
			if now != nil && now.data == nil {
				if now.row.columns[columnDates] == "" {
					return nil, check(nil)
				}
				return nil, nil // of a request that did not finish, or this request's own, whose answer was lost
			}
			if err := check(now); err != nil {
				return nil, err
			}
			return &record{row: p.mark(now.row, at)}, nil
		},
		Write: func(_, next *record) (err error) {
			if before, err = s.beforeWrite(ctx, p); err != nil {
				return err
			}
			return s.store.write(ctx, next.row)
		},
	}.Do(ctx)
	if err != nil {
		return err
	}
	if err := s.finishRemoval(ctx, p, marked.row); err != nil {
		return err
	}
	if s.phase().writesBoth() {
		if err := s.mirror(ctx, p, nil, before); err != nil {
			return lagging(err)
		}
	}
	return nil
}

// finishRemoval removes the index of a marked hunt, and the mark if its organization is migrated; otherwise it notes in
// the mark that nothing is left to be done. If the hunt was created again meanwhile, its index is written
// again.
func (s *records) finishRemoval(ctx context.Context, p place, mark *row) error {
	if err := s.unindex(ctx, p, mark.indexed()); err != nil {
		return err
	}
	migrated, err := s.migrated(ctx, p.slug)
	if err != nil {
		return err
	}
	if migrated {
		err = s.store.remove(ctx, mark)
	} else {
		err = s.store.write(ctx, mark.with(map[string]string{columnDates: ""}))
	}
	if !errors.Is(err, account.ErrChanged) {
		return err
	}
	now, err := s.huntAt(ctx, p)
	if now == nil {
		return err
	}
	return s.index(ctx, p, nil, now)
}

// mark is the row that says that a hunt was deleted, and which dates it had: no huntJson, and no column that a filter
// could find.
func (p place) mark(now *row, at string) *row {
	table, partition, key := p.key()
	mark := &row{table: table, partition: partition, key: key,
		columns: map[string]string{columnDeleted: at, columnVersion: currentVersion}}
	if now != nil {
		mark.etag = now.etag
		mark.columns[columnDates] = joined(now.indexed())
	}
	return mark
}
