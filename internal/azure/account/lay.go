package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/storespec/storespec/internal/store"
)

// ErrNoKey is wrapped by Lay's error for a row that is not an entity.
var ErrNoKey = errors.New("without a PartitionKey and a RowKey that are texts")

// Lay writes content into an account: rows as entities, whose columns include both keys, and objects as blobs. What is
// already there stays, unless it has the same name. The error wraps ErrNoKey
// and names the row, or is the store's.
func Lay(ctx context.Context, lease *store.Lease, content *store.Content) error {
	for table, rows := range content.Rows {
		for i, row := range rows {
			partition, hasPartition := row["PartitionKey"].Is.(string)
			key, hasKey := row["RowKey"].Is.(string)
			if !hasPartition || !hasKey {
				return fmt.Errorf("row %d of %s is %w", i+1, table, ErrNoKey)
			}
			if err := lease.Rows().Put(ctx, table, []string{partition, key}, row); err != nil {
				return err
			}
		}
	}
	for container, blobs := range content.Objects {
		for name, blob := range blobs {
			if err := lease.Objects().Put(ctx, container, name, blob); err != nil {
				return err
			}
		}
	}
	return nil
}
