package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"

	"github.com/storespec/storespec/internal/store"
)

// data is the harness's own way to a lane's rows and blobs: straight to the store, never counted.
type data struct {
	tables    *aztables.ServiceClient
	blobs     *azblob.Client
	container string
}

// row is an entity as the store holds it, keys and system members included.
type row map[string]any

// openData connects to a lane's store over transport, or over the network when it is nil. Where the store gives no
// answer, the errors of its methods wrap store.ErrUnavailable.
func openData(connection, container string, transport http.RoundTripper) (*data, error) {
	options := store.DirectOptions(transport)
	tables, err := aztables.NewServiceClientFromConnectionString(connection, &aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, fmt.Errorf("open the tables of a lane: %w", err)
	}
	blobs, err := azblob.NewClientFromConnectionString(connection, &azblob.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, fmt.Errorf("open the blobs of a lane: %w", err)
	}
	return &data{tables: tables, blobs: blobs, container: container}, nil
}

// putRow writes a whole row, whatever was there. The table is made when it is missing: a scenario
// may lay out rows before the target has provisioned anything.
func (d *data) putRow(ctx context.Context, table, partition, key string, columns map[string]any) error {
	entity := maps.Clone(columns)
	if entity == nil {
		entity = map[string]any{}
	}
	entity["PartitionKey"], entity["RowKey"] = partition, key
	encoded, err := json.Marshal(entity)
	if err != nil {
		return fmt.Errorf("encode a row of %s: %w", table, err)
	}
	client := d.tables.NewClient(table)
	options := &aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace}
	_, err = client.UpsertEntity(ctx, encoded, options)
	if hasCode(err, "TableNotFound") {
		if _, err := client.CreateTable(ctx, nil); err != nil && !hasCode(err, "TableAlreadyExists") {
			return fmt.Errorf("create the table %s: %w", table, err)
		}
		_, err = client.UpsertEntity(ctx, encoded, options)
	}
	if err != nil {
		return fmt.Errorf("write a row of %s: %w", table, err)
	}
	return nil
}

// row reads one row; nil when it is not there.
func (d *data) row(ctx context.Context, table, partition, key string) (row, error) {
	answer, err := d.tables.NewClient(table).GetEntity(ctx, partition, key, nil)
	if hasCode(err, "ResourceNotFound") || hasCode(err, "EntityNotFound") || hasCode(err, "TableNotFound") {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a row of %s: %w", table, err)
	}
	return decodeRow(answer.Value)
}

// rows reads every row of a table, or of one partition of it when partition is not nil, in key order.
func (d *data) rows(ctx context.Context, table string, partition *string) ([]row, error) {
	options := &aztables.ListEntitiesOptions{}
	if partition != nil {
		filter := "PartitionKey eq '" + quoted(*partition) + "'"
		options.Filter = &filter
	}
	var rows []row
	for pager := d.tables.NewClient(table).NewListEntitiesPager(options); pager.More(); {
		page, err := pager.NextPage(ctx)
		if hasCode(err, "TableNotFound") {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("list the rows of %s: %w", table, err)
		}
		for _, encoded := range page.Entities {
			decoded, err := decodeRow(encoded)
			if err != nil {
				return nil, err
			}
			rows = append(rows, decoded)
		}
	}
	return rows, nil
}

func decodeRow(encoded []byte) (row, error) {
	var decoded row
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber() // 3 and 3.0 are two types of column
	if err := decoder.Decode(&decoded); err != nil {
		return nil, fmt.Errorf("decode a row: %w", err)
	}
	return decoded, nil
}

func (d *data) tableNames(ctx context.Context) (map[string]bool, error) {
	names := map[string]bool{}
	for pager := d.tables.NewListTablesPager(nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the tables of a lane: %w", err)
		}
		for _, table := range page.Tables {
			names[*table.Name] = true
		}
	}
	return names, nil
}

// putBlob writes a whole blob of the state container, which is made when it is missing.
func (d *data) putBlob(ctx context.Context, name string, content []byte) error {
	_, err := d.blobs.UploadBuffer(ctx, d.container, name, content, nil)
	if bloberror.HasCode(err, bloberror.ContainerNotFound) {
		if _, err := d.blobs.CreateContainer(ctx, d.container, nil); err != nil && !bloberror.HasCode(err, bloberror.ContainerAlreadyExists) {
			return fmt.Errorf("create the container %s: %w", d.container, err)
		}
		_, err = d.blobs.UploadBuffer(ctx, d.container, name, content, nil)
	}
	if err != nil {
		return fmt.Errorf("write a blob of %s: %w", d.container, err)
	}
	return nil
}

// blob reads a blob of the state container; nil when it is not there.
func (d *data) blob(ctx context.Context, name string) ([]byte, error) {
	answer, err := d.blobs.DownloadStream(ctx, d.container, name, nil)
	if bloberror.HasCode(err, bloberror.BlobNotFound, bloberror.ContainerNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a blob of %s: %w", d.container, err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("read a blob of %s: %w", d.container, err)
	}
	return append([]byte{}, content...), nil // never nil: an empty blob is there
}

// blobNames lists the blobs of the state container; none when it is not there.
func (d *data) blobNames(ctx context.Context) ([]string, error) {
	var names []string
	for pager := d.blobs.NewListBlobsFlatPager(d.container, nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if bloberror.HasCode(err, bloberror.ContainerNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("list the blobs of %s: %w", d.container, err)
		}
		for _, item := range page.Segment.BlobItems {
			names = append(names, *item.Name)
		}
	}
	return names, nil
}

func (d *data) dropBlob(ctx context.Context, name string) error {
	if _, err := d.blobs.DeleteBlob(ctx, d.container, name, nil); err != nil {
		return fmt.Errorf("delete a blob of %s: %w", d.container, err)
	}
	return nil
}

// hasCode reports whether the table service answered with that error code.
func hasCode(err error, code string) bool {
	failed, ok := errors.AsType[*azcore.ResponseError](err)
	return ok && failed.ErrorCode == code
}

// quoted is a text inside the quotes of a $filter literal.
func quoted(text string) string { return strings.ReplaceAll(text, "'", "''") }
