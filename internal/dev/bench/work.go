package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

const (
	partitions = 500 // of 100 rows each: 50,000 rows
	perBatch   = 100
	blobs      = 1000
	blobSize   = 1024
	// many is the number of goroutines compared with one.
	many = 16
)

// client is what a user of the SDKs has.
type client struct {
	table *aztables.Client
	box   *container.Client
	close func() // ends its connections
}

func newClient(connection string) (*client, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: 2 * many, DisableCompression: true}
	options := azcore.ClientOptions{
		Transport: &http.Client{Transport: transport},
		Retry:     policy.RetryOptions{MaxRetries: -1}, // a retry would hide an error
	}
	service, err := aztables.NewServiceClientFromConnectionString(connection,
		&aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, err
	}
	box, err := container.NewClientFromConnectionString(connection, "bench",
		&container.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, err
	}
	return &client{table: service.NewClient("Bench"), box: box, close: transport.CloseIdleConnections}, nil
}

// row is an entity of about 250 bytes that does not compress well.
func row(partition, key string) []byte {
	entity, err := json.Marshal(map[string]any{
		"PartitionKey": partition, "RowKey": key, "Number": rand.IntN(1 << 30), "Flag": true, "Text": text(150),
	})
	if err != nil { // strings and numbers
		panic(err)
	}
	return entity
}

func text(n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rand.IntN(len(letters))]
	}
	return string(b)
}

// prepare makes the table, the container, 50,000 rows and the blobs.
func (c *client) prepare(ctx context.Context) error {
	if _, err := c.table.CreateTable(ctx, nil); err != nil {
		return err
	}
	if _, err := c.box.Create(ctx, nil); err != nil {
		return err
	}
	if err := each(partitions, 4, func(i int) error { return c.transaction(ctx, partition(i), 0) }); err != nil {
		return err
	}
	return each(blobs, 4, func(i int) error { return c.putBlob(ctx, i) })
}

func partition(i int) string { return fmt.Sprintf("q%03d", i) }
func key(i int) string       { return fmt.Sprintf("%08d", i) }

// each calls f with 0 to n-1, a few at a time.
func each(n, workers int, f func(i int) error) error {
	var next atomic.Int64
	return together(workers, func(int) error {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	})
}

// together runs f in n goroutines.
func together(n int, f func(worker int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for w := range n {
		all.Go(func() { errs[w] = f(w) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// transaction upserts 100 rows of a partition, beginning with a key.
func (c *client) transaction(ctx context.Context, partition string, first int) error {
	actions := make([]aztables.TransactionAction, perBatch)
	for i := range actions {
		actions[i] = aztables.TransactionAction{ActionType: aztables.TransactionTypeInsertReplace,
			Entity: row(partition, key(first+i))}
	}
	_, err := c.table.SubmitTransaction(ctx, actions, nil)
	return err
}

func (c *client) upsert(ctx context.Context, partition, key string) error {
	_, err := c.table.UpsertEntity(ctx, row(partition, key),
		&aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
	return err
}

func (c *client) get(ctx context.Context, partition, key string) error {
	_, err := c.table.GetEntity(ctx, partition, key, nil)
	return err
}

func (c *client) query(ctx context.Context, partition string) error {
	filter := "PartitionKey eq '" + partition + "'"
	page, err := c.table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter}).NextPage(ctx)
	if err == nil && len(page.Entities) != perBatch {
		err = fmt.Errorf("a query gave %d rows", len(page.Entities))
	}
	return err
}

func (c *client) putBlob(ctx context.Context, i int) error {
	content := bytes.NewReader([]byte(strings.Repeat("x", blobSize)))
	_, err := c.box.NewBlockBlobClient(fmt.Sprintf("b%d", i)).Upload(ctx, streaming.NopCloser(content), nil)
	return err
}

func (c *client) getBlob(ctx context.Context, i int) error {
	answer, err := c.box.NewBlockBlobClient(fmt.Sprintf("b%d", i)).DownloadStream(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	n, err := io.Copy(io.Discard, answer.Body)
	if err == nil && n != blobSize {
		err = fmt.Errorf("a blob has %d bytes", n)
	}
	return err
}

// operation is a line of the table; C is its client.
type operation[C any] struct {
	name string
	do   func(ctx context.Context, c C, worker int) error
}

func operations() []operation[*client] {
	some := func() (string, string) { return partition(rand.IntN(partitions)), key(rand.IntN(perBatch)) }
	return []operation[*client]{
		{"upsert", func(ctx context.Context, c *client, _ int) error { p, k := some(); return c.upsert(ctx, p, k) }},
		{"point get", func(ctx context.Context, c *client, _ int) error { p, k := some(); return c.get(ctx, p, k) }},
		{"partition query of 100",
			func(ctx context.Context, c *client, _ int) error { p, _ := some(); return c.query(ctx, p) }},
		{"transaction of 100", func(ctx context.Context, c *client, worker int) error {
			return c.transaction(ctx, fmt.Sprintf("t%d", worker), 0)
		}},
		{"blob put, 1 KiB", func(ctx context.Context, c *client,
			_ int) error {
			return c.putBlob(ctx, rand.IntN(blobs))
		}},
		{"blob get, 1 KiB", func(ctx context.Context, c *client,
			_ int) error {
			return c.getBlob(ctx, rand.IntN(blobs))
		}},
	}
}

// rate is how many operations a second workers do together within a time.
func rate(do func(worker int) error, workers int, slot time.Duration) (float64, error) {
	var done atomic.Int64
	start := time.Now()
	err := together(workers, func(worker int) error {
		for time.Since(start) < slot {
			if err := do(worker); err != nil {
				return err
			}
			done.Add(1)
		}
		return nil
	})
	return float64(done.Load()) / time.Since(start).Seconds(), err
}
