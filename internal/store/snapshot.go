package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// snapshot is the content of a namespace at one moment.
type snapshot interface {
	Restore() error
	Discard() error
}

// snapshots are those of one lease.
type snapshots struct {
	take func() (snapshot, error) // nil: the store takes none

	mu   sync.Mutex
	kept []snapshot
}

// Snapshot keeps what Clean would delete, and returns what brings it back: the same entities and blobs,
// with the same ETags and times, and nothing else. It can be called many times, until Clean or Release.
// Tables and containers made meanwhile stay. Nobody may write to the namespace while it is taken; a
// request under way while it is restored is not seen afterwards. The error wraps ErrNoSnapshots when the
// store cannot, which is no fault of the store.
func (l *Lease) Snapshot(ctx context.Context) (restore func(context.Context) error, err error) {
	if l.snapshots.take == nil {
		return nil, fmt.Errorf("snapshot of account %s: %w", l.Account, ErrNoSnapshots)
	}
	if err := errors.Join(ctx.Err(), l.Check()); err != nil {
		return nil, fmt.Errorf("snapshot of account %s: %w", l.Account, err)
	}
	taken, err := l.snapshots.take()
	if err != nil {
		return nil, err
	}
	l.snapshots.mu.Lock()
	defer l.snapshots.mu.Unlock()
	l.snapshots.kept = append(l.snapshots.kept, taken)
	return func(ctx context.Context) error {
		if err := errors.Join(ctx.Err(), l.Check()); err != nil {
			return fmt.Errorf("restore account %s: %w", l.Account, err)
		}
		return taken.Restore()
	}, nil
}

// discard frees all snapshots.
func (s *snapshots) discard() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, taken := range s.kept {
		errs = append(errs, taken.Discard())
	}
	s.kept = nil
	return errors.Join(errs...)
}
