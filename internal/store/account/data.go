package account

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"

	"github.com/storespec/storespec/internal/store"
)

// way is the harness's own access to an account. Its clients are created on first use, because many accounts are never
// accessed.
type way struct {
	connection string
	transport  http.RoundTripper // nil: over the network

	once   sync.Once
	err    error
	tables *aztables.ServiceClient
	blobs  *azblob.Client
}

// open connects. Its errors contain no key.
func (w *way) open() error {
	w.once.Do(func() { w.tables, w.blobs, w.err = sdkClients(w.connection, w.transport) })
	return w.err
}

// rows accesses the entities of an account.
type rows struct{ *way }

// Put writes a whole entity, replacing any existing one. The service sets the time of its last change.
func (r rows) Put(ctx context.Context, table string, key []string, columns store.Row) error {
	if err := r.open(); err != nil {
		return err
	}
	encoded, err := encodeRow(key, columns)
	if err != nil {
		return fmt.Errorf("encode a row of %s: %w", table, err)
	}
	client := r.tables.NewClient(table)
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

// Get reads one entity; nil if it does not exist.
func (r rows) Get(ctx context.Context, table string, key []string) (store.Row, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	if err := whole(key); err != nil {
		return nil, fmt.Errorf("read a row of %s: %w", table, err)
	}
	answer, err := r.tables.NewClient(table).GetEntity(ctx, key[0], key[1], nil)
	if hasCode(err, "ResourceNotFound", "EntityNotFound", "TableNotFound",
		"OutOfRangeInput") { // a key with a slash or so: no row can have it
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a row of %s: %w", table, err)
	}
	return decodeRow(answer.Value)
}

// List reads every entity of a table, or of one of its partitions, in key order.
func (r rows) List(ctx context.Context, table string, key []string) ([]store.Row, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	options := &aztables.ListEntitiesOptions{}
	if len(key) > 0 {
		filter := "PartitionKey eq '" + doubleQuotes(key[0]) + "'"
		options.Filter = &filter
	}
	var found []store.Row
	for pager := r.tables.NewClient(table).NewListEntitiesPager(options); pager.More(); {
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
			found = append(found, decoded)
		}
	}
	return found, nil
}

// The service annotates a column in a second member next to it, and an entity in members of its own.
const (
	ofEntity = "odata."
	typeOf   = "@odata.type"
	changed  = "Timestamp"
)

// whole returns an error unless the key is that of an entity.
func whole(key []string) error {
	if len(key) != 2 {
		return fmt.Errorf("the key %s is not a partition key and a row key, with \" / \" between them",
			strings.Join(key, " / "))
	}
	return nil
}

func encodeRow(key []string, columns store.Row) ([]byte, error) {
	if err := whole(key); err != nil {
		return nil, err
	}
	entity := map[string]any{}
	for name, value := range columns {
		if name == changed {
			continue
		}
		entity[name] = value.Is
		if annotation := annotations()[value.Type]; annotation != "" {
			entity[name+typeOf] = annotation
		} else if value.Type == "double" && slices.Contains([]any{"NaN", "Infinity", "-Infinity"}, value.Is) {
			entity[name+typeOf] = "Edm.Double" // JSON has no number for it
		}
	}
	entity["PartitionKey"], entity["RowKey"] = key[0], key[1]
	return json.Marshal(entity)
}

// annotations maps the types that a JSON value does not imply to the service's names for them.
func annotations() map[string]string {
	return map[string]string{"binary": "Edm.Binary", "datetime": "Edm.DateTime", "guid": "Edm.Guid",
		"int64": "Edm.Int64"}
}

// typed returns a column's type as reported by the service: JSON implies bool, string, and numbers with or without a
// fraction; every other type has an annotation.
func typed(value any, annotated string) string {
	if annotated != "" {
		return strings.ToLower(strings.TrimPrefix(annotated, "Edm."))
	}
	switch value := value.(type) {
	case bool:
		return "bool"
	case string:
		return "string"
	case json.Number:
		if _, err := strconv.ParseInt(value.String(), 10, 32); err == nil {
			return "int32"
		}
		return "double"
	}
	return "unknown"
}

func decodeRow(encoded []byte) (store.Row, error) {
	var decoded map[string]any
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber() // 3 and 3.0 are different column types
	if err := decoder.Decode(&decoded); err != nil {
		return nil, fmt.Errorf("decode a row: %w", err)
	}
	row := store.Row{}
	for name, value := range decoded {
		if strings.HasPrefix(name, ofEntity) || strings.Contains(name, "@"+ofEntity) {
			continue
		}
		annotated, _ := decoded[name+typeOf].(string)
		row[name] = store.Value{Is: value, Type: typed(value, annotated)}
	}
	return row, nil
}

// KeyColumns returns the two columns that are the key of every entity.
func (rows) KeyColumns(context.Context, string) ([]string, error) {
	return []string{"PartitionKey", "RowKey"}, nil
}

// Resources returns the names of the tables.
func (r rows) Resources(ctx context.Context) ([]string, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	var names []string
	for pager := r.tables.NewListTablesPager(nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the tables of a lane: %w", err)
		}
		for _, table := range page.Tables {
			names = append(names, *table.Name)
		}
	}
	return names, nil
}

// blobs accesses the blobs of an account.
type blobs struct{ *way }

// Put writes a whole blob.
func (b blobs) Put(ctx context.Context, container, name string, content []byte) error {
	if err := b.open(); err != nil {
		return err
	}
	_, err := b.blobs.UploadBuffer(ctx, container, name, content, nil)
	if bloberror.HasCode(err, bloberror.ContainerNotFound) {
		_, err = b.blobs.CreateContainer(ctx, container, nil)
		if err != nil && !bloberror.HasCode(err, bloberror.ContainerAlreadyExists) {
			return fmt.Errorf("create the container %s: %w", container, err)
		}
		_, err = b.blobs.UploadBuffer(ctx, container, name, content, nil)
	}
	if err != nil {
		return fmt.Errorf("write a blob of %s: %w", container, err)
	}
	return nil
}

// Get reads a blob; nil if it does not exist.
func (b blobs) Get(ctx context.Context, container, name string) ([]byte, error) {
	if err := b.open(); err != nil {
		return nil, err
	}
	answer, err := b.blobs.DownloadStream(ctx, container, name, nil)
	if bloberror.HasCode(err, bloberror.BlobNotFound, bloberror.ContainerNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a blob of %s: %w", container, err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, fmt.Errorf("read a blob of %s: %w", container, err)
	}
	return append([]byte{}, content...), nil // never nil: an empty blob exists
}

// List returns the names of a container's blobs; none if the container does not exist.
func (b blobs) List(ctx context.Context, container string) ([]string, error) {
	if err := b.open(); err != nil {
		return nil, err
	}
	var names []string
	for pager := b.blobs.NewListBlobsFlatPager(container, nil); pager.More(); {
		page, err := pager.NextPage(ctx)
		if bloberror.HasCode(err, bloberror.ContainerNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("list the blobs of %s: %w", container, err)
		}
		for _, item := range page.Segment.BlobItems {
			names = append(names, *item.Name)
		}
	}
	return names, nil
}

// Delete deletes an existing blob.
func (b blobs) Delete(ctx context.Context, container, name string) error {
	if err := b.open(); err != nil {
		return err
	}
	if _, err := b.blobs.DeleteBlob(ctx, container, name, nil); err != nil {
		return fmt.Errorf("delete a blob of %s: %w", container, err)
	}
	return nil
}

// hasCode reports whether the table service answered with one of these error codes.
func hasCode(err error, codes ...string) bool {
	failed, ok := errors.AsType[*azcore.ResponseError](err)
	return ok && slices.Contains(codes, failed.ErrorCode)
}
