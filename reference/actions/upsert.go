package actions

import (
	"context"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// upsert is POST /api/ActionsUpsert: one record.
func (s *Server) upsert(ctx context.Context, r record) (web.Reply, error) {
	done, err := s.save(ctx, r, s.newID(), saved{})
	if err != nil {
		return nil, err
	}
	answer := map[string]any{
		"updated": done.updated, "owner": r.owner, "name": r.name, "lastSyncedUtc": timestamp(done.synced),
	}
	if !done.updated {
		return web.JSON{Status: http.StatusOK, Value: answer}, nil
	}
	answer["created"] = done.created
	return web.JSON{Status: done.status(), Value: answer}, nil
}

// readRecord reads the body of a single record.
func readRecord(body []byte) (record, error) {
	r, refused := parseRecord(body)
	if refused != nil {
		return record{}, refused
	}
	return r, nil
}

// saved is the outcome for a record.
type saved struct {
	updated bool // it was written
	created bool // it is new
	synced  time.Time
}

func (done saved) status() int {
	if done.created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// save writes a record if it is new or differs from the row: one read when nothing changed, one read and one
// conditional write when something did, and one more of each after every write that another request won. writeID
// identifies this save, and tried is the outcome of a write with that ID, if one was attempted. Errors:
// account.ErrUnavailable; ErrTooLarge; ErrChanged when others won maxAttempts times.
func (s *Server) save(ctx context.Context, r record, writeID string, tried saved) (done saved, err error) {
	leave, err := s.turns.take(ctx, r.key)
	if err != nil {
		return saved{}, err
	}
	defer leave()
	_, _, err = account.Change[row]{
		Rounds: maxAttempts, Pause: true,
		Read: func() (*row, error) { return s.former(ctx, r.key) },
		Decide: func(old *row) (*row, error) {
			switch {
			// Go SDK: it repeats a write whose answer was lost, and the repetition finds it already done.
			case old != nil && old.writeID == writeID:
				done = tried
				return nil, nil
			case old != nil && old.hash == r.hash:
				done = saved{synced: old.synced}
				return nil, nil
			}
			next := r.following(old, s.now(), writeID)
			tried = saved{updated: true, created: old == nil, synced: next.synced}
			done = tried
			return next, nil
		},
		Write: func(old, next *row) error { return s.replace(ctx, old, next) },
	}.Do(ctx)
	return done, err
}

// former returns the row that a record is compared with; nil when there is none. Its payload is read only if it is to
// be archived.
func (s *Server) former(ctx context.Context, k key) (*row, error) {
	if s.config.HistoryContainer == "" {
		return s.store.readState(ctx, k)
	}
	return s.store.read(ctx, k)
}

// replace writes a row over the one that was read, nil if there was none; the old one is archived first (GA-HIST-1).
func (s *Server) replace(ctx context.Context, old, next *row) error {
	if err := s.keep(ctx, old); err != nil {
		return err
	}
	defer s.cache.forget(ctx, next.key) // also when the answer was lost: it may have been written
	return s.store.write(ctx, next)
}

// keep archives a row that is about to be replaced, if old payloads are kept. If another request replaced the row
// meanwhile, it archived it too, under the same name.
func (s *Server) keep(ctx context.Context, old *row) error {
	if old == nil || s.config.HistoryContainer == "" {
		return nil
	}
	content, err := old.record()
	if err != nil {
		return err
	}
	return s.store.archive(ctx, historyBlob(old, content), content)
}
