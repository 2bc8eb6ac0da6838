package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"
	"golang.org/x/sync/errgroup"

	"github.com/storespec/storespec/internal/emulator/azureauth"
)

const (
	// cleaners is how many requests clean one account concurrently. Azurite is single-threaded, so more would only
	// queue there; with a real account it hides the round trip.
	cleaners = 8
	// maxTransaction is the service's limit on entities in one entity group transaction.
	maxTransaction = 100
	// minTransaction is the number of rows from which a transaction is cheaper than single deletes.
	minTransaction = 3
)

// wiper empties one account.
type wiper struct {
	config *accountConfig
	client *http.Client
	tables *aztables.ServiceClient
	blobs  *azblob.Client
	crew   *crew
}

// wipe deletes all entities and blobs of an account, but skips the container named keep.
func wipe(ctx context.Context, connection string, transport http.RoundTripper, keep string) error {
	w, ctx, err := newWiper(ctx, connection, transport)
	if err != nil {
		return err
	}
	return w.each(ctx, w.wipeTable, func(ctx context.Context, container string) error {
		if container == keep {
			return nil
		}
		return w.wipeContainer(ctx, container)
	})
}

// drop deletes all tables and containers of an account of Azurite, which forgets them at once. Azure takes a while.
func drop(ctx context.Context, connection string, transport http.RoundTripper) error {
	w, ctx, err := newWiper(ctx, connection, transport)
	if err != nil {
		return err
	}
	return w.each(ctx, w.dropTable, w.dropContainer)
}

// newWiper returns a wiper and the context of all its tasks.
func newWiper(ctx context.Context, connection string, transport http.RoundTripper) (*wiper, context.Context, error) {
	config, err := parseConnectionString(connection)
	if err != nil {
		return nil, nil, err
	}
	tables, blobs, err := sdkClients(connection, transport)
	if err != nil {
		return nil, nil, err
	}
	c, ctx := newCrew(ctx, cleaners)
	return &wiper{config, &http.Client{Transport: transport}, tables, blobs, c}, ctx, nil
}

// each calls two functions with the names of all tables and of all containers, and waits until all is done.
func (w *wiper) each(ctx context.Context, table, container func(ctx context.Context, name string) error) error {
	w.crew.do(ctx, func(ctx context.Context) error { return w.eachTable(ctx, table) })
	w.crew.do(ctx, func(ctx context.Context) error { return w.eachContainer(ctx, container) })
	return w.crew.Wait()
}

func (w *wiper) eachTable(ctx context.Context, do func(ctx context.Context, name string) error) error {
	for pager := w.tables.NewListTablesPager(nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("list tables: %w", terse(err))
		}
		for _, t := range page.Tables {
			w.crew.do(ctx, func(ctx context.Context) error { return do(ctx, *t.Name) })
		}
	}
	return nil
}

// wipeTable lists a table's keys and deletes each page while the next one is fetched: a continuation token is a key, so
// it stays valid when earlier rows are gone.
func (w *wiper) wipeTable(ctx context.Context, name string) error {
	keys := &aztables.ListEntitiesOptions{Select: to.Ptr("PartitionKey,RowKey"),
		Format: to.Ptr(aztables.MetadataFormatNone)}
	for pager := w.tables.NewClient(name).NewListEntitiesPager(keys); pager.More(); {
		page, err := pager.NextPage(ctx)
		if gone(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list entities of table %s: %w", name, terse(err))
		}
		partitions := map[string][]string{}
		for _, raw := range page.Entities {
			var key struct{ PartitionKey, RowKey string }
			if err := json.Unmarshal(raw, &key); err != nil {
				return fmt.Errorf("list entities of table %s: %w", name, err)
			}
			partitions[key.PartitionKey] = append(partitions[key.PartitionKey], key.RowKey)
		}
		for partition, rows := range partitions {
			for some := range slices.Chunk(rows, maxTransaction) {
				w.crew.do(ctx, func(ctx context.Context) error { return w.deleteRows(ctx, name, partition, some) })
			}
		}
	}
	return nil
}

// deleteRows deletes rows of one partition. It deletes them one by one if they are few, or if a transaction fails, for
// example because a row is already gone.
func (w *wiper) deleteRows(ctx context.Context, table, partition string, rows []string) error {
	if len(rows) >= minTransaction && partition != "" {
		if done, err := w.deleteTogether(ctx, table, partition, rows); done || err != nil {
			return err
		}
	}
	for _, row := range rows {
		w.crew.do(ctx, func(ctx context.Context) error {
			if err := w.deleteRow(ctx, table, partition, row); err != nil && !gone(err) {
				return fmt.Errorf("delete entity: %w", terse(err))
			}
			return nil
		})
	}
	return nil
}

// deleteTogether deletes rows in one entity group transaction; it returns false if the service refused it.
func (w *wiper) deleteTogether(ctx context.Context, table, partition string, rows []string) (bool, error) {
	actions := make([]aztables.TransactionAction, len(rows))
	for i, row := range rows {
		// The SDK escapes quotes in single requests, but not in transactions.
		entity, err := json.Marshal(aztables.Entity{PartitionKey: doubleQuotes(partition), RowKey: doubleQuotes(row)})
		if err != nil {
			return false, fmt.Errorf("delete entities: %w", err)
		}
		actions[i] = aztables.TransactionAction{ActionType: aztables.TransactionTypeDelete, Entity: entity}
	}
	_, err := w.tables.NewClient(table).SubmitTransaction(ctx, actions, nil)
	return err == nil, ctx.Err()
}

// deleteRow deletes an entity, without the SDK if its PartitionKey is empty. The service allows such a key, but the SDK
// does not: it inserts such an entity and refuses to delete it.
func (w *wiper) deleteRow(ctx context.Context, table, partition, row string) error {
	if partition != "" {
		_, err := w.tables.NewClient(table).DeleteEntity(ctx, partition, row, nil)
		return err
	}
	address := fmt.Sprintf("%s/%s(PartitionKey='',RowKey='%s')", w.config.table, table,
		url.PathEscape(doubleQuotes(row)))
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, address, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("If-Match", "*")
	r.Header.Set("X-Ms-Version", "2019-02-02")
	r.Header.Set("X-Ms-Date", time.Now().UTC().Format(http.TimeFormat))
	r.Header.Set("Authorization", azureauth.Authorization(azureauth.SharedKeyLite, azureauth.Table, w.config.account,
		w.config.key, r, r.URL.EscapedPath(), ""))
	answer, err := w.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusNoContent {
		return runtime.NewResponseError(answer)
	}
	return nil
}

// doubleQuotes escapes a key for an OData string literal.
func doubleQuotes(key string) string { return strings.ReplaceAll(key, "'", "''") }

func (w *wiper) eachContainer(ctx context.Context, do func(ctx context.Context, name string) error) error {
	for pager := w.blobs.NewListContainersPager(nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("list containers: %w", terse(err))
		}
		for _, item := range page.ContainerItems {
			w.crew.do(ctx, func(ctx context.Context) error { return do(ctx, *item.Name) })
		}
	}
	return nil
}

func (w *wiper) wipeContainer(ctx context.Context, name string) error {
	for pager := w.blobs.NewListBlobsFlatPager(name, nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if gone(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list blobs of container %s: %w", name, terse(err))
		}
		for _, item := range page.Segment.BlobItems {
			w.crew.do(ctx, func(ctx context.Context) error { return w.deleteBlob(ctx, name, *item.Name) })
		}
	}
	return nil
}

// deleteBlob deletes a blob and its snapshots, and breaks any lease left on it.
func (w *wiper) deleteBlob(ctx context.Context, container, name string) error {
	b := w.blobs.ServiceClient().NewContainerClient(container).NewBlobClient(name)
	opts := &blob.DeleteOptions{DeleteSnapshots: to.Ptr(blob.DeleteSnapshotsOptionTypeInclude)}
	_, err := b.Delete(ctx, opts)
	if bloberror.HasCode(err, bloberror.LeaseIDMissing) {
		breaker, lerr := lease.NewBlobClient(b, nil)
		if lerr != nil {
			return fmt.Errorf("break the lease of a blob: %w", lerr)
		}
		if _, lerr = breaker.BreakLease(ctx, &lease.BlobBreakOptions{BreakPeriod: to.Ptr[int32](0)}); lerr != nil &&
			!gone(lerr) {
			return fmt.Errorf("break the lease of a blob: %w", terse(lerr))
		}
		_, err = b.Delete(ctx, opts)
	}
	if err != nil && !gone(err) {
		return fmt.Errorf("delete blob of container %s: %w", container, terse(err))
	}
	return nil
}

func (w *wiper) dropTable(ctx context.Context, name string) error {
	if _, err := w.tables.DeleteTable(ctx, name, nil); err != nil && !gone(err) {
		return fmt.Errorf("delete table %s: %w", name, terse(err))
	}
	return nil
}

func (w *wiper) dropContainer(ctx context.Context, name string) error {
	if _, err := w.blobs.DeleteContainer(ctx, name, nil); err != nil && !gone(err) {
		return fmt.Errorf("delete container %s: %w", name, terse(err))
	}
	return nil
}

// gone reports whether the thing to be deleted no longer existed.
func gone(err error) bool {
	response, ok := errors.AsType[*azcore.ResponseError](err)
	return ok && response.StatusCode == http.StatusNotFound
}

// terse returns an SDK error in one line without the request's address, which contains keys and blob names.
func terse(err error) error {
	if response, ok := errors.AsType[*azcore.ResponseError](err); ok {
		return fmt.Errorf("status %d %s", response.StatusCode, response.ErrorCode)
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}

// crew runs tasks, a few at a time, until all are done or one failed. A task may add more tasks.
type crew struct {
	*errgroup.Group
	places chan struct{}
}

// newCrew returns a crew and the context of all its tasks, which the first error cancels.
func newCrew(ctx context.Context, size int) (*crew, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	return &crew{group, make(chan struct{}, size)}, ctx
}

func (c *crew) do(ctx context.Context, task func(context.Context) error) {
	c.Go(func() error {
		select {
		case c.places <- struct{}{}:
			defer func() { <-c.places }()
			return task(ctx)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
}
