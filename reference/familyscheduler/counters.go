package familyscheduler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/reference/account"
)

// A counter row is read, added to, and written under If-Match; who loses reads again. Each row remembers the operations
// that it counted last, so that one that is repeated, by its client or by the SDK, is counted once.

const (
	// maxCounts bounds the rounds for one counter; the time for storage usually ends before.
	maxCounts = 100
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
// request won. Errors: account.ErrUnavailable, also when others keep winning.
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
		if err := write(ctx, s.store, table, found); !errors.Is(err, account.ErrChanged) {
			return err
		}
		if err := account.PauseAfter(ctx, lost, time.Since(began)); err != nil {
			return err
		}
	}
	return fmt.Errorf("counting in %s: %w: it keeps changing", table, account.ErrUnavailable)
}

// plus adds to a counter, which is an Edm.Int32: at its end it stays there.
func plus(n *int32, by int) {
	*n = int32(min(int64(*n)+int64(max(0, min(by, math.MaxInt32))), math.MaxInt32))
}
