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
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/internal/dev/load"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
)

const (
	blobs    = 1000
	blobSize = 1024
)

// client is what a user of Azure's SDKs has.
type client struct {
	http  *http.Client
	table *aztables.Client
	box   *container.Client
	fresh int // rows that were inserted
}

func newClient(connection string) (c *client, err error) {
	c = &client{http: load.HTTP(2 * many)}
	c.table, c.box, err = load.Azure(c.http, connection, "Bench", "bench")
	return c, err
}

func (b *bench) measureAzure(ctx context.Context) (*measured, error) {
	m, err := measure(ctx, b, service[*client]{
		emulate: []string{"--azure-blob", ":0", "--azure-table", ":0"},
		start:   []string{"--azure-blob", "", "--azure-table"},
		store:   "azurite",
		connect: func(p *peer) (*client, error) { return newClient(p.at.Azure) },
		prepare: (*client).prepare,
		operations: []operation[*client]{{"upsert", (*client).upsertAny}, {"point get", (*client).getAny},
			{"partition query of 100", (*client).query}, {"transaction of 100", (*client).overwrite},
			{"blob put, 1 KiB", (*client).putAnyBlob}, {"blob get, 1 KiB", (*client).getBlob}},
		create: (*client).create,
		batch:  perBatch,
		fill:   (*client).fill,
		grown:  []func(*client, context.Context, int) error{(*client).get, (*client).upsert, (*client).insert},
	})
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	azurite, err := b.startStore(ctx, "azurite")
	if azurite == nil || err != nil {
		return m, err
	}
	m.starts = append(m.starts, start{azurite.name, time.Since(begin)})
	return m, azurite.stop()
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

func (c *client) create(ctx context.Context) error {
	_, err := c.table.CreateTable(ctx, nil)
	return err
}

// prepare makes the table, the container, 50,000 rows and the blobs.
func (c *client) prepare(ctx context.Context) error {
	if err := c.create(ctx); err != nil {
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

func (c *client) overwrite(ctx context.Context, worker int) error {
	return c.transaction(ctx, fmt.Sprintf("t%d", worker), 0)
}

func (c *client) upsertAny(ctx context.Context, _ int) error { return c.upsertRow(ctx, row(anyRow())) }

func (c *client) upsertRow(ctx context.Context, row []byte) error {
	_, err := c.table.UpsertEntity(ctx, row, &aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
	return err
}

func (c *client) getAny(ctx context.Context, _ int) error {
	partition, key := anyRow()
	_, err := c.table.GetEntity(ctx, partition, key, nil)
	return err
}

// fill, get, upsert and insert work on the partition that grows.
func (c *client) fill(ctx context.Context, first int) error {
	return c.transaction(ctx, growing, first)
}

func (c *client) get(ctx context.Context, i int) error {
	_, err := c.table.GetEntity(ctx, growing, key(i), nil)
	return err
}

func (c *client) upsert(ctx context.Context, i int) error {
	return c.upsertRow(ctx, row(growing, key(i)))
}

func (c *client) insert(ctx context.Context, i int) error {
	c.fresh++
	_, err := c.table.AddEntity(ctx, row(growing, fmt.Sprintf("%s-%d", key(i), c.fresh)), nil)
	return err
}

func (c *client) query(ctx context.Context, _ int) error {
	filter := "PartitionKey eq '" + partition(rand.IntN(partitions)) + "'"
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

func (c *client) putAnyBlob(ctx context.Context, _ int) error {
	return c.putBlob(ctx, rand.IntN(blobs))
}

func (c *client) getBlob(ctx context.Context, _ int) error {
	answer, err := c.box.NewBlockBlobClient(fmt.Sprintf("b%d", rand.IntN(blobs))).DownloadStream(ctx, nil)
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

// leasing is what it costs to lease a used lane of the embedded store, cleaning included.
type leasing struct{ median, worst time.Duration }

func measureLease(ctx context.Context) (_ leasing, err error) {
	opened, err := stores.Open(ctx, store.Options{Name: "embedded"})
	if err != nil {
		return leasing{}, err
	}
	defer func() { err = errors.Join(err, opened.Close(context.WithoutCancel(ctx))) }()
	var times []time.Duration
	for i := range 500 {
		begin := time.Now()
		l, err := opened.Lease(ctx)
		if err != nil {
			return leasing{}, err
		}
		times = append(times, time.Since(begin))
		c, err := newClient(l.Direct()["connection"])
		if err == nil && i == 0 {
			err = c.create(ctx)
		}
		if err == nil {
			err = c.transaction(ctx, "p", 0)
		}
		if err != nil {
			return leasing{}, err
		}
		c.http.CloseIdleConnections()
		l.Release()
	}
	return leasing{median: median(times), worst: slices.Max(times)}, nil
}
