package familyscheduler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// A counter row is read, added to, and written under If-Match; who loses reads again. Each row remembers the operations
// that it counted last, so that one that is repeated, by its client or by the SDK, is counted once.

const (
	// maxCounts bounds the rounds for one counter; the time for storage usually ends before.
	maxCounts = 100
	// A round that is lost is followed by a pause of some rounds' length, at random: up to 2, 4, 8, … 64 of them, so that
	// a crowd spreads, however fast the store is.
	maxPausedRounds = 64
	maxCountPause   = time.Second
	// maxRecentOps is how far back a repeated operation is recognized. 200 ids of 22 characters are 4.6 KB of a column's
	// 64 KiB.
	maxRecentOps = 200
)

// counted is what every counter row has beside its counters.
type counted struct {
	UpdatedAt string `json:"updatedAt"`
	RecentOps string `json:"recentOps,omitempty"` // operation ids with spaces between them, the newest last
}

func (c *counted) tally() *counted { return c }

// note remembers an operation; false when it was counted before.
func (c *counted) note(op string, now time.Time) bool {
	ops := strings.Fields(c.RecentOps)
	if slices.Contains(ops, op) {
		return false
	}
	ops = append(ops, op)
	c.RecentOps = strings.Join(ops[max(0, len(ops)-maxRecentOps):], " ")
	c.UpdatedAt = timestamp(now)
	return true
}

// counter is a pointer to a row type with a counted in it.
type counter[T any] interface {
	row[T]
	tally() *counted
}

// count adds an operation to a counter row: 1 read and 1 write, and one more of each after every write that another
// request won. Errors: errUnavailable, also when others keep winning.
func count[T any, P counter[T]](ctx context.Context, s *Server, table string, key entity, op string, add func(P)) error {
	for lost := range maxCounts {
		began := time.Now()
		found, err := getRow[T, P](ctx, s.store, table, key)
		if err != nil {
			return err
		}
		write := mergeRow
		if found == nil {
			found, write = P(new(T)), insertRow
			*found.header() = key
		}
		if !found.tally().note(op, s.now()) {
			return nil
		}
		add(found)
		if err := write(ctx, s.store, table, found); !errors.Is(err, errChanged) {
			return err
		}
		if err := pauseAfter(ctx, lost, time.Since(began)); err != nil {
			return err
		}
	}
	return fmt.Errorf("counting in %s: %w: it keeps changing", table, errUnavailable)
}

// pauseAfter waits for a random time that grows with the number of lost rounds and with how long the last one took.
func pauseAfter(ctx context.Context, lost int, round time.Duration) error {
	rounds := min(2<<min(lost, 8), maxPausedRounds)
	timer := time.NewTimer(rand.N(min(time.Duration(rounds)*round, maxCountPause)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return failed("waiting for a counter", ctx.Err())
	}
}

// plus adds to a counter, which is an Edm.Int32: at its end it stays there.
func plus(n *int32, by int) {
	*n = int32(min(int64(*n)+int64(max(0, min(by, math.MaxInt32))), math.MaxInt32))
}
