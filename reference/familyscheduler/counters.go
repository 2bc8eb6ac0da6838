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

// A counter row is read, incremented, and written under If-Match; a request that loses reads again. Each row remembers
// the operations that it counted last, so that an operation repeated by its client or by the SDK is counted once.

const (
	// maxCounts bounds the rounds for one counter; the storage deadline usually comes first.
	maxCounts = 100
	// maxRecentOps is how far back a repeated operation is recognized. 200 ids of 22 characters are 4.6 KB of a
	// column's 64 KiB.
	maxRecentOps = 200
)

func (c *counted) tally() *counted { return c }

// note records an operation; it returns false when it was counted before.
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

// count adds an operation to a counter row: 1 read and 1 write, and at most one more of each after every write that
// another request won; those that lost are written together (together.go). Errors: account.ErrUnavailable, also when
// others keep winning.
func count[T any, P counter[T]](ctx context.Context, s *Server, table string, key entity, op string,
	add func(P)) error {
	mine := &increment{op: op, add: func(row any) { add(row.(P)) }}
	err := s.counts.write(ctx, fmt.Sprintf("%s %q", table, key), mine, func(batch []*increment) error {
		row, err := getRow[T, P](ctx, s.store, table, key)
		if err != nil {
			return err
		}
		if row == nil {
			row = P(new(T))
			*row.header() = key
		}
		counts := false
		for _, one := range batch {
			if row.tally().note(one.op, s.now()) {
				one.add(row)
				counts = true
			}
		}
		if !counts {
			return nil
		}
		return writeRow[T, P](ctx, s.store, table, row, merge)
	})
	if errors.Is(err, account.ErrChanged) {
		return fmt.Errorf("counting in %s: %w: it keeps changing", table, account.ErrUnavailable)
	}
	return err
}

// plus adds to a counter, an Edm.Int32, which stops at its maximum.
func plus(n *int32, by int) {
	*n += int32(min(max(0, by), math.MaxInt32-int(*n)))
}
