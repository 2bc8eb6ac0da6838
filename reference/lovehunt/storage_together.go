package lovehunt

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/reference/account"
)

// maxTogether leaves room in the 4 MiB of a transaction's body for more than the entities (REST documentation,
// "Performing entity group transactions").
const maxTogether = 3 << 20

// how rows are written together.
type how aztables.TransactionType

const (
	inserting = how(aztables.TransactionTypeAdd)           // a row that is there already is left as it is
	putting   = how(aztables.TransactionTypeInsertReplace) // whatever is there: only for HuntIndex
)

// writeTogether writes rows of one partition in as few entity group transactions as the limits allow. Where one fails
// because a row is there already, its rows are inserted one by one. It returns how many were written.
func (s *store) writeTogether(ctx context.Context, rows []*row, way how) (written int, err error) {
	for len(rows) > 0 {
		n, size := 0, 0
		for n < len(rows) && n < maxTransaction && (n == 0 || size+len(rows[n].entity()) <= maxTogether) {
			size += len(rows[n].entity())
			n++
		}
		done, err := s.transaction(ctx, rows[:n], way)
		written += done
		if err != nil {
			return written, err
		}
		rows = rows[n:]
	}
	return written, nil
}

func (s *store) transaction(ctx context.Context, rows []*row, way how) (written int, err error) {
	if len(rows) > 1 {
		actions := make([]aztables.TransactionAction, len(rows))
		for i, r := range rows {
			actions[i] = aztables.TransactionAction{ActionType: aztables.TransactionType(way), Entity: r.entity()}
		}
		_, err = s.inTables(ctx, "writing rows together in", rows[0].table, func(t *aztables.Client) (error, bool) {
			_, err := t.SubmitTransaction(ctx, actions, nil)
			return err, false
		})
		if !errors.Is(err, account.ErrChanged) {
			return len(rows), err
		}
	}
	for _, r := range rows {
		one := s.insert
		if way == putting {
			one = s.put
		}
		err := one(ctx, r)
		if err == nil {
			written++
		} else if !errors.Is(err, account.ErrChanged) {
			return written, err
		}
	}
	return written, nil
}
