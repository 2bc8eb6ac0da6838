package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/lease"

	"github.com/storespec/storespec/internal/azuresign"
)

const (
	// cleaners is how many requests clean one account at the same time. Azurite is one thread, so
	// more only queue there; at a real account it hides the round trip.
	cleaners = 8
	// maxTransaction is the service's limit of entities in one entity group transaction.
	maxTransaction = 100
	// minTransaction is from where on a transaction is cheaper than single deletes.
	minTransaction = 3
)

// wiper empties one account, keeping its tables and containers.
type wiper struct {
	config *accountConfig
	client *http.Client
	tables *aztables.ServiceClient
	blobs  *azblob.Client
	keep   string
}

// newWiper makes the clients for a connection string.
func newWiper(connection string, transport http.RoundTripper) (*wiper, error) {
	config, err := parseConnectionString(connection)
	if err != nil {
		return nil, err
	}
	options := DirectOptions(transport)
	tables, err := aztables.NewServiceClientFromConnectionString(connection, &aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, fmt.Errorf("table client: %w", err)
	}
	blobs, err := azblob.NewClientFromConnectionString(connection, &azblob.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, fmt.Errorf("blob client: %w", err)
	}
	return &wiper{config: config, client: &http.Client{Transport: transport}, tables: tables, blobs: blobs}, nil
}

// wipe deletes all entities and all blobs of an account, but looks into no container named keep.
func wipe(ctx context.Context, connection string, transport http.RoundTripper, keep string) error {
	w, err := newWiper(connection, transport)
	if err != nil {
		return err
	}
	w.keep = keep
	c := newCrew(ctx, cleaners)
	c.do(func(ctx context.Context) error { return w.eachTable(ctx, c) })
	c.do(func(ctx context.Context) error { return w.eachContainer(ctx, c) })
	return c.wait()
}

func (w *wiper) eachTable(ctx context.Context, c *crew) error {
	pager := w.tables.NewListTablesPager(nil)
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("list tables: %w", terse(err))
		}
		for _, t := range page.Tables {
			c.do(func(ctx context.Context) error { return w.wipeTable(ctx, c, *t.Name) })
		}
	}
	return nil
}

// wipeTable lists a table's keys and deletes each page while the next one is fetched: a continuation
// token is a key, so it stays good when rows before it are gone.
func (w *wiper) wipeTable(ctx context.Context, c *crew, name string) error {
	table := w.tables.NewClient(name)
	pager := table.NewListEntitiesPager(&aztables.ListEntitiesOptions{
		Select: to.Ptr("PartitionKey,RowKey"),
		Format: to.Ptr(aztables.MetadataFormatNone),
	})
	for pager.More() {
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
			for len(rows) > 0 {
				some := rows[:min(len(rows), maxTransaction)]
				rows = rows[len(some):]
				c.do(func(ctx context.Context) error { return w.deleteRows(ctx, c, name, partition, some) })
			}
		}
	}
	return nil
}

// deleteRows deletes rows of one partition, one by one when they are few, or when a transaction
// fails, such as for a row that is already gone.
func (w *wiper) deleteRows(ctx context.Context, c *crew, table, partition string, rows []string) error {
	if len(rows) >= minTransaction && partition != "" {
		done, err := w.deleteTogether(ctx, table, partition, rows)
		if done || err != nil {
			return err
		}
	}
	for _, row := range rows {
		c.do(func(ctx context.Context) error {
			var err error
			if partition == "" {
				err = w.deleteUnpartitioned(ctx, table, row)
			} else {
				_, err = w.tables.NewClient(table).DeleteEntity(ctx, partition, row, nil)
			}
			if err != nil && !gone(err) {
				return fmt.Errorf("delete entity: %w", terse(err))
			}
			return nil
		})
	}
	return nil
}

// deleteTogether deletes rows in one entity group transaction; false: the service refused it.
func (w *wiper) deleteTogether(ctx context.Context, table, partition string, rows []string) (bool, error) {
	actions := make([]aztables.TransactionAction, 0, len(rows))
	for _, row := range rows {
		// The SDK escapes quotes in single requests, but not in transactions.
		entity, err := json.Marshal(aztables.Entity{PartitionKey: doubleQuotes(partition), RowKey: doubleQuotes(row)})
		if err != nil {
			return false, fmt.Errorf("delete entities: %w", err)
		}
		actions = append(actions, aztables.TransactionAction{ActionType: aztables.TransactionTypeDelete, Entity: entity})
	}
	_, err := w.tables.NewClient(table).SubmitTransaction(ctx, actions, nil)
	return err == nil, ctx.Err()
}

// deleteUnpartitioned deletes an entity whose PartitionKey is empty. The service allows such a key,
// the SDK does not: it inserts such an entity and refuses to delete it.
func (w *wiper) deleteUnpartitioned(ctx context.Context, table, row string) error {
	address := fmt.Sprintf("%s/%s(PartitionKey='',RowKey='%s')", w.config.table, table, url.PathEscape(doubleQuotes(row)))
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, address, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("If-Match", "*")
	r.Header.Set("X-Ms-Version", "2019-02-02")
	r.Header.Set("X-Ms-Date", time.Now().UTC().Format(http.TimeFormat))
	r.Header.Set("Authorization", azuresign.Authorization(azuresign.SharedKeyLite, azuresign.Table, w.config.account, w.config.key, r, r.URL.EscapedPath(), ""))
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

func (w *wiper) eachContainer(ctx context.Context, c *crew) error {
	pager := w.blobs.NewListContainersPager(nil)
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("list containers: %w", terse(err))
		}
		for _, item := range page.ContainerItems {
			if *item.Name != w.keep {
				c.do(func(ctx context.Context) error { return w.wipeContainer(ctx, c, *item.Name) })
			}
		}
	}
	return nil
}

func (w *wiper) wipeContainer(ctx context.Context, c *crew, name string) error {
	pager := w.blobs.NewListBlobsFlatPager(name, nil)
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if gone(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("list blobs of container %s: %w", name, terse(err))
		}
		for _, item := range page.Segment.BlobItems {
			c.do(func(ctx context.Context) error { return w.deleteBlob(ctx, name, *item.Name) })
		}
	}
	return nil
}

// deleteBlob deletes a blob and its snapshots, and breaks the lease that somebody left on it.
func (w *wiper) deleteBlob(ctx context.Context, container, name string) error {
	b := w.blobs.ServiceClient().NewContainerClient(container).NewBlobClient(name)
	opts := &blob.DeleteOptions{DeleteSnapshots: to.Ptr(blob.DeleteSnapshotsOptionTypeInclude)}
	_, err := b.Delete(ctx, opts)
	if bloberror.HasCode(err, bloberror.LeaseIDMissing) {
		breaker, lerr := lease.NewBlobClient(b, nil)
		if lerr != nil {
			return fmt.Errorf("break the lease of a blob: %w", lerr)
		}
		if _, lerr = breaker.BreakLease(ctx, &lease.BlobBreakOptions{BreakPeriod: to.Ptr[int32](0)}); lerr != nil && !gone(lerr) {
			return fmt.Errorf("break the lease of a blob: %w", terse(lerr))
		}
		_, err = b.Delete(ctx, opts)
	}
	if err != nil && !gone(err) {
		return fmt.Errorf("delete blob of container %s: %w", container, terse(err))
	}
	return nil
}

// gone reports whether the thing to be deleted was not there any more.
func gone(err error) bool {
	var response *azcore.ResponseError
	return errors.As(err, &response) && response.StatusCode == http.StatusNotFound
}

// terse is an SDK's error in one line without the request's address, which names keys and blobs.
func terse(err error) error {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return fmt.Errorf("status %d %s", response.StatusCode, response.ErrorCode)
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

// crew runs tasks, a few at a time, until all are done or one failed. A task may add more.
type crew struct {
	ctx    context.Context // of all tasks; ended by the first error
	cancel context.CancelCauseFunc
	places chan struct{}
	tasks  sync.WaitGroup
}

func newCrew(ctx context.Context, size int) *crew {
	c := &crew{places: make(chan struct{}, size)}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	return c
}

func (c *crew) do(task func(context.Context) error) {
	c.tasks.Go(func() {
		select {
		case c.places <- struct{}{}:
			defer func() { <-c.places }()
		case <-c.ctx.Done():
			return
		}
		if err := task(c.ctx); err != nil {
			c.cancel(err)
		}
	})
}

// wait returns the first error, or the context's.
func (c *crew) wait() error {
	c.tasks.Wait()
	err := context.Cause(c.ctx)
	c.cancel(nil)
	return err
}
