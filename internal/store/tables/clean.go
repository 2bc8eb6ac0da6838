package tables

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
)

const (
	// atOnce is how many tables are cleaned at a time.
	atOnce = 8
	// batch is how many items BatchWriteItem takes.
	batch = 25
)

// wipe deletes all items of the namespace's tables, which stay.
func (r rows) wipe(ctx context.Context) error {
	names, err := r.tables(ctx, r.own)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, name := range names {
		group.Go(func() error { return r.empty(ctx, name) })
	}
	return group.Wait()
}

// empty deletes all items of a table.
func (r rows) empty(ctx context.Context, table string) error {
	d, err := r.describe(ctx, table)
	if err != nil || d == nil {
		return err
	}
	names, projection := map[string]string{}, ""
	for i, name := range d.Key {
		placeholder := fmt.Sprint("#k", i)
		names[placeholder] = name
		if i > 0 {
			projection += ", "
		}
		projection += placeholder
	}
	var requests []any
	err = r.pages(ctx, "Scan", map[string]any{"TableName": table, "ConsistentRead": true,
		"ProjectionExpression": projection, "ExpressionAttributeNames": names},
		func(key value.Item) {
			requests = append(requests, map[string]any{"DeleteRequest": map[string]any{"Key": key}})
		})
	for len(requests) > 0 && err == nil {
		n := min(batch, len(requests))
		var answer struct{ UnprocessedItems map[string][]any }
		err = r.do(ctx, "BatchWriteItem", map[string]any{"RequestItems": map[string]any{table: requests[:n]}}, &answer)
		requests = append(requests[n:], answer.UnprocessedItems[table]...)
	}
	return err
}
