package actions

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/storespec/storespec/reference/account"
	"github.com/storespec/storespec/reference/web"
)

// upsert is POST /api/ActionsUpsert: one record.
func (s *Server) upsert(ctx context.Context, body []byte) (web.Reply, error) {
	r, refused := parseRecord(body)
	if refused != nil {
		return nil, refused
	}
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

// saved is what came of a record.
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

// save writes a record if it is new or says something else than the row does: one read when nothing changed, one read
// and one conditional write when something did, and one more of each after every write that another request won.
// writeID names this save, and tried is what a write under that name would have come to, if one was tried. Errors: account.ErrUnavailable; ErrTooLarge; ErrChanged when others won maxAttempts times.
func (s *Server) save(ctx context.Context, r record, writeID string, tried saved) (saved, error) {
	done, err := s.turns.take(ctx, r.key)
	if err != nil {
		return saved{}, err
	}
	defer done()
	for lost := range maxAttempts {
		began := time.Now()
		old, err := s.former(ctx, r.key)
		if err != nil {
			return saved{}, err
		}
		// The SDK repeats a write whose answer was lost, and the repetition finds that it was done.
		if old != nil && old.writeID == writeID {
			return tried, nil
		}
		if old != nil && old.hash == r.hash {
			return saved{synced: old.synced}, nil
		}
		next := r.following(old, s.now(), writeID)
		tried = saved{updated: true, created: old == nil, synced: next.synced}
		if err = s.replace(ctx, old, next); !errors.Is(err, account.ErrChanged) {
			return tried, err
		}
		if err := account.PauseAfter(ctx, lost, time.Since(began)); err != nil {
			return saved{}, err
		}
	}
	return saved{}, account.ErrChanged
}

// former is the row that a record is compared with; nil when there is none. Its payload is read only if it is to be archived.
func (s *Server) former(ctx context.Context, k key) (*row, error) {
	if s.config.HistoryContainer == "" {
		return s.store.readState(ctx, k)
	}
	return s.store.read(ctx, k)
}

// replace writes a row over the one that was read, nil if there was none; that one is archived first (HIST-1).
func (s *Server) replace(ctx context.Context, old, next *row) error {
	if err := s.keep(ctx, old); err != nil {
		return err
	}
	defer s.cache.forget(ctx, next.key) // also when the answer was lost: it may have been written
	return s.store.write(ctx, next)
}

// keep archives a row that is about to be replaced, when old payloads are kept. One that another request replaced
// meanwhile was archived by that one too, under the same name.
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
