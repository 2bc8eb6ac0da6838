package lovehunt

import (
	"context"
	"errors"
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

// change replaces a record by what decide makes of it, which is nil only when now is to stay as it is. now is nil when
// there is no record; the record returned is the one written. Errors: decide's; account.ErrChanged after maxRounds
// lost rounds.
//
//	blob-only                  blob read → blob written under its ETag
//	tables-first, tables-only  row read → row written under its ETag → index (hunts only)
//	dual-write                 the same → blob read → blob written under its ETag
func (s *Server) change(ctx context.Context, p place, decide func(now *record) (web.Object, error)) (*record, error) {
	if !s.phase().readsTables() {
		return s.changeBlob(ctx, p, decide)
	}
	var before *row
	next, written, err := account.Change[record]{
		Rounds: maxRounds, Pause: true,
		Read: func() (*record, error) {
			now, _, err := s.readTables(ctx, p)
			return now, err
		},
		Decide: func(now *record) (*record, error) {
			before = nil
			if now != nil {
				before = now.row
			}
			seen := now
			if now != nil && now.data == nil {
				seen = nil
			}
			data, err := decide(seen)
			if data == nil || err != nil {
				return nil, err
			}
			return s.following(p, data, before, now == nil)
		},
		Write: func(_, next *record) error { return s.store.write(ctx, next.row) },
	}.Do(ctx)
	if err != nil {
		return nil, err
	}
	return s.settle(ctx, p, before, next, written)
}

// following is the record that replaces before with data. A hunt remembers the dates of the row that it replaces, until
// their rows in HuntIndex have been removed. first: neither store has had the record.
func (s *Server) following(p place, data web.Object, before *row, first bool) (*record, error) {
	next, err := p.rowOf(data, before)
	if err != nil {
		return nil, err
	}
	switch {
	case p.kind == kindHunt:
		next.columns[columnDates] = strings.Join(remembered(before, next), ",")
	case p.kind == kindOrg && first: // no blob has hunts of it
		next.columns[columnMigrated] = timestamp(s.now())
	}
	return &record{data: data, row: next}, nil
}

// settle does what follows a record's row: the index, and the blob in dual-write. If nothing was written, an earlier
// attempt wrote it, and what follows may be missing.
func (s *Server) settle(ctx context.Context, p place, before *row, now *record, written bool) (*record, error) {
	latest := now
	if p.kind == kindHunt {
		if !written {
			before = nil
		}
		row, err := s.index(ctx, p, before, now.row)
		if err != nil {
			return nil, err
		}
		if latest, err = s.latest(p, now, row); err != nil {
			return nil, err
		}
	}
	if s.phase().writesBoth() {
		if err := s.mirror(ctx, p, latest.data); err != nil {
			return nil, lagging(err)
		}
	}
	return now, nil
}

// latest is the record of the row that the index follows, which somebody may have written meanwhile, or removed.
func (s *Server) latest(p place, now *record, row *row) (*record, error) {
	switch {
	case row == nil:
		return &record{}, nil
	case row == now.row:
		return now, nil
	}
	return p.decode(row)
}

// lagging is the error of a copy that could not be brought up to date after the record was written: the client repeats.
func lagging(err error) error {
	if errors.Is(err, account.ErrChanged) {
		return account.ErrUnavailable
	}
	return err
}

// changeBlob is change in blob-only.
func (s *Server) changeBlob(ctx context.Context, p place, decide func(now *record) (web.Object, error)) (*record,
	error) {
	var result *record
	_, _, err := account.Change[content]{
		Rounds: maxRounds, Pause: true,
		Read: func() (*content, error) { return s.store.contentOf(ctx, p.blob()) },
		Decide: func(blob *content) (*content, error) {
			var now *record
			var err error
			if blob != nil {
				if now, err = blob.find(p); err != nil {
					return nil, err
				}
			}
			data, err := decide(now)
			if result = now; data == nil || err != nil {
				return nil, err
			}
			if blob == nil {
				blob = &content{whole: web.Object{}}
			}
			result = &record{data: data}
			blob.put(p, data)
			return blob, nil
		},
		Write: func(_, next *content) error { return s.store.writeContent(ctx, p, next) },
	}.Do(ctx)
	return result, err
}

// removeHunt deletes a hunt: its rows in HuntIndex first, so that none points at a hunt that is not there, then its row
// (LH-IDX-4). Before its organization is migrated a mark stays in its place, or its blob would bring it back.
func (s *Server) removeHunt(ctx context.Context, p place, check func(now *record) error) error {
	if !s.phase().readsTables() {
		return s.removeFromBlob(ctx, p, check)
	}
	migrated := !s.phase().fallsBack()
	_, _, err := account.Change[record]{
		Rounds: maxRounds, Pause: true,
		Read: func() (*record, error) {
			now, _, err := s.readTables(ctx, p)
			return now, err
		},
		Decide: func(now *record) (*record, error) {
			if now != nil && now.data == nil {
				now = nil
			}
			if err := check(now); err != nil {
				return nil, err
			}
			return now, nil
		},
		Write: func(now, _ *record) error {
			if !migrated {
				var err error
				if migrated, err = s.migrated(ctx, p.slug); err != nil {
					return err
				}
			}
			if now.row != nil {
				if err := s.unindex(ctx, p, now.row.indexed()); err != nil {
					return err
				}
			}
			if migrated && now.row != nil {
				return s.store.remove(ctx, now.row)
			}
			return s.store.write(ctx, p.mark(now.row, timestamp(s.now())))
		},
	}.Do(ctx)
	if err != nil || !s.phase().writesBoth() {
		return err
	}
	return lagging(s.mirror(ctx, p, nil))
}

// mark is the row that says that a hunt was deleted: no huntJson, and no column that a filter could find.
func (p place) mark(now *row, at string) *row {
	table, partition, key := p.key()
	mark := &row{table: table, partition: partition, key: key,
		columns: map[string]string{columnDeleted: at, columnVersion: currentVersion}}
	if now != nil {
		mark.etag = now.etag
	}
	return mark
}

func (s *Server) removeFromBlob(ctx context.Context, p place, check func(now *record) error) error {
	_, _, err := account.Change[content]{
		Rounds: maxRounds, Pause: true,
		Read: func() (*content, error) { return s.store.contentOf(ctx, p.blob()) },
		Decide: func(blob *content) (*content, error) {
			var now *record
			if blob != nil {
				var err error
				if now, err = blob.find(p); err != nil {
					return nil, err
				}
			}
			if err := check(now); err != nil || blob == nil {
				return nil, err
			}
			blob.put(p, nil)
			return blob, nil
		},
		Write: func(_, next *content) error { return s.store.writeContent(ctx, p, next) },
	}.Do(ctx)
	return err
}
