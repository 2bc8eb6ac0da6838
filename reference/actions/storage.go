package actions

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/storespec/storespec/reference/account"
)

// store is one table, and one container if anything is archived. Every operation is one storage call. Reads first make
// sure that the table exists, which no write comes before, and archive that the container does. "Not found" is not an
// error: reads return nil.
type store struct {
	table     *aztables.Client
	blobs     *container.Client // nil: nothing is archived
	http      *http.Client
	existing  bool // a missing table is an error
	tableMade account.Provision
	blobsMade account.Provision
}

// ErrNoTable is the error of a purge whose table does not exist.
var ErrNoTable = errors.New("the table does not exist")

func openStore(c Config) (*store, error) {
	options, client := account.Connect(c.Patience, c.Storage)
	s := &store{http: client}
	forTables := options
	forTables.PerCallPolicies = append(slices.Clone(options.PerCallPolicies), selecting{})
	tables, err := aztables.NewServiceClientFromConnectionString(c.TableConnection,
		&aztables.ClientOptions{ClientOptions: forTables})
	if err != nil {
		// Go SDK: its error may quote the key, here and below.
		return nil, errors.New("ACTIONS_TABLE_CONNECTION is not a connection string")
	}
	s.table = tables.NewClient(c.Table)
	if c.HistoryContainer == "" {
		return s, nil
	}
	s.blobs, err = container.NewClientFromConnectionString(c.BlobConnection, c.HistoryContainer,
		&container.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, errors.New("AzureWebJobsStorage is not a connection string")
	}
	return s, nil
}

func (s *store) close() { s.http.CloseIdleConnections() }

// ready creates the table once per process (GA-PRV-1).
func (s *store) ready(ctx context.Context) error {
	if s.existing {
		return nil
	}
	return s.tableMade.Once(ctx, func(ctx context.Context) error {
		_, err := s.table.CreateTable(ctx, nil)
		return account.Created("creating the table", err)
	})
}

// readyToArchive creates the container once per process.
func (s *store) readyToArchive(ctx context.Context) error {
	return s.blobsMade.Once(ctx, func(ctx context.Context) error {
		_, err := s.blobs.Create(ctx, nil)
		return account.Created("creating the container", err)
	})
}

// read is a point read; nil when there is no such row.
func (s *store) read(ctx context.Context, k key) (*row, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	format := aztables.MetadataFormatNone // the ETag is also in a header; the other metadata is not needed
	answer, err := s.table.GetEntity(ctx, k.partition, k.row, &aztables.GetEntityOptions{Format: &format})
	if account.Absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, account.Failed("reading a row", err)
	}
	return decodeRow(answer.Value, string(answer.ETag))
}

// readState is read without the key and the payload, which comparisons do not need and which may be most of a MiB.
func (s *store) readState(ctx context.Context, k key) (*row, error) {
	columns := []string{columnSynced, columnHash, columnWrite}
	return s.read(context.WithValue(ctx, selection{}, strings.Join(columns, ",")), k)
}

// selection is a context key: the columns that a point read returns.
type selection struct{}

// selecting requests the columns in a context (REST documentation, "Query entities": $select). Go SDK: GetEntity has no
// option for them.
type selecting struct{}

func (selecting) Do(req *policy.Request) (*http.Response, error) {
	if columns, ok := req.Raw().Context().Value(selection{}).(string); ok {
		query := req.Raw().URL.Query()
		query.Set("$select", columns)
		req.Raw().URL.RawQuery = query.Encode()
	}
	return req.Next()
}

// write inserts a row that has no ETag, and replaces the one whose ETag it has. It never writes blindly. Errors:
// account.ErrChanged when the key exists, or the row has changed since it was read; account.ErrTooLarge.
func (s *store) write(ctx context.Context, r *row) error {
	entity, err := r.columns()
	if err != nil {
		return err
	}
	if r.etag == "" {
		// Go SDK: AddEntity has no option for this header, without which the store returns the whole row.
		ctx = policy.WithHTTPHeader(ctx, http.Header{"Prefer": {"return-no-content"}})
		if _, err := s.table.AddEntity(ctx, entity, nil); err != nil {
			return account.Failed("inserting a row", err)
		}
		return nil
	}
	match := azcore.ETag(r.etag)
	_, err = s.table.UpdateEntity(ctx, entity,
		&aztables.UpdateEntityOptions{IfMatch: &match, UpdateMode: aztables.UpdateModeReplace})
	if err != nil {
		return account.Failed("replacing a row", err)
	}
	return nil
}

// writeTogether writes rows of one partition, each as write does, in one entity group transaction: all of them or none.
// entities holds the rows' columns.
func (s *store) writeTogether(ctx context.Context, rows []*row, entities [][]byte) error {
	actions := make([]aztables.TransactionAction, len(entities))
	for i, entity := range entities {
		actions[i] = aztables.TransactionAction{ActionType: aztables.TransactionTypeAdd, Entity: entity}
		if etag := rows[i].etag; etag != "" {
			match := azcore.ETag(etag)
			actions[i].ActionType, actions[i].IfMatch = aztables.TransactionTypeUpdateReplace, &match
		}
	}
	if _, err := s.table.SubmitTransaction(ctx, actions, nil); err != nil {
		return account.Failed("writing rows together", err)
	}
	return nil
}

// remove deletes a row that was read, if it is unchanged; one that is already gone is fine. Errors: account.ErrChanged
// when it was written since.
func (s *store) remove(ctx context.Context, r *row) error {
	match := azcore.ETag(r.etag)
	_, err := s.table.DeleteEntity(ctx, r.partition, r.row, &aztables.DeleteEntityOptions{IfMatch: &match})
	if err != nil && !account.Absent(err) {
		return account.Failed("deleting a row", err)
	}
	return nil
}

// position is where a query continues; the zero value is its beginning, and also its end.
type position struct{ NextPartition, NextRow string }

func (p position) none() bool { return p == position{} }

// query selects rows, in key order.
type query struct {
	filter string // OData; "": all rows
	limit  int    // rows of a page, up to maxPageSize; 0: as many as the store returns
	// keysAndTimes leaves out the payloads.
	keysAndTimes bool
}

// ofOwner selects the rows of one partition.
func ofOwner(partition string) string { return columnPartition + " eq " + literal(partition) }

// syncedBefore selects the rows last written before an instant.
func syncedBefore(t time.Time) string { return columnSynced + " lt datetime" + literal(timestamp(t)) }

// literal is a text in an OData filter.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// page is one page of a query: one call. The rows may be fewer than the limit, even none, though there are more.
func (s *store) page(ctx context.Context, q query, from position) ([]*row, position, error) {
	if err := s.ready(ctx); err != nil {
		return nil, position{}, err
	}
	options := &aztables.ListEntitiesOptions{NextPartitionKey: orNil(from.NextPartition),
		NextRowKey: orNil(from.NextRow), Filter: orNil(q.filter)}
	if q.limit > 0 {
		top := int32(q.limit)
		options.Top = &top
	}
	if q.keysAndTimes {
		options.Select = orNil(columnPartition + "," + columnSynced)
	}
	answer, err := s.table.NewListEntitiesPager(options).NextPage(ctx)
	if s.existing && account.NoTable(err) {
		return nil, position{}, ErrNoTable
	}
	if err != nil {
		return nil, position{}, account.Failed("querying the table", err)
	}
	rows := make([]*row, len(answer.Entities))
	for i, entity := range answer.Entities {
		if rows[i], err = decodeRow(entity, ""); err != nil {
			return nil, position{}, fmt.Errorf("querying the table: %w", err)
		}
	}
	return rows, position{orEmpty(answer.NextPartitionKey), orEmpty(answer.NextRowKey)}, nil
}

func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// archive writes a blob, unless there is one of that name: names are made from the content, or from an ID that no
// other has, so that it is this blob, written by another server or by an attempt of this call whose answer was lost.
func (s *store) archive(ctx context.Context, name string, data []byte) error {
	if err := s.readyToArchive(ctx); err != nil {
		return err
	}
	absent := azcore.ETagAny
	err := account.Upload(ctx, s.blobs.NewBlockBlobClient(name), "application/json", data,
		&blob.ModifiedAccessConditions{IfNoneMatch: &absent})
	if err == nil || bloberror.HasCode(err, bloberror.BlobAlreadyExists) {
		return nil
	}
	return account.Failed("archiving", err)
}
