package lovehunt

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// clean removes hunts past their retention when the server starts and then regularly, until ctx ends.
func (s *Server) clean(ctx context.Context, log *slog.Logger) {
	defer close(s.stopped)
	if s.config.Retention == 0 {
		return
	}
	every := time.NewTicker(s.config.CleanupEvery)
	defer every.Stop()
	for {
		removed, err := s.cleanOnce(ctx, false)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			log.Warn("removing old hunts failed; it is tried again", "error", err)
		case removed > 0:
			log.Info("removed old hunts", "count", removed)
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
	}
}

// cleanOnce removes the hunts whose last day is longer ago than the retention, or only counts them.
func (s *Server) cleanOnce(ctx context.Context, dryRun bool) (removed int, err error) {
	limit := s.now().UTC().Add(-s.config.Retention).Format(time.DateOnly)
	found, err := s.list(ctx, kindHunt, selection{})
	if err != nil {
		return 0, err
	}
	check := func(now *record) error {
		if now == nil || text(now.data, columnEnd) >= limit {
			return errKept
		}
		return nil
	}
	for _, r := range found.records {
		err := check(r.record)
		if err == nil && !dryRun {
			err = s.removeHunt(ctx, r.place, check)
		}
		switch {
		case err == nil:
			removed++
		case !errors.Is(err, errKept):
			return removed, err
		}
	}
	return removed, nil
}

// errKept: the hunt is not past its retention, or not there.
var errKept = errors.New("the hunt is kept")
