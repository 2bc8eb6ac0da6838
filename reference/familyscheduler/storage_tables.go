package familyscheduler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/reference/account"
)

// row is a pointer to one of the row types of schema.go.
type row[T any] interface {
	*T
	keyed
}

type keyed interface{ header() *entity }

// getRow is a point read; nil when there is no such row.
func getRow[T any, P row[T]](ctx context.Context, s *store, table string, key entity) (P, error) {
	what := "reading a row of " + table
	answer, err := s.table(table).GetEntity(ctx, key.PartitionKey, key.RowKey, withoutMetadata())
	if account.Absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, account.Failed(what, err)
	}
	found, err := decodeRow[T, P](answer.Value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	found.header().ETag = string(answer.ETag)
	return found, nil
}

// withoutMetadata leaves out what is not needed of a row: its address, its types, and its ETag, which is also in a
// header.
func withoutMetadata() *aztables.GetEntityOptions {
	format := aztables.MetadataFormatNone
	return &aztables.GetEntityOptions{Format: &format}
}

// queryPartition reads the rows of one partition that match a filter (none: all of them), in the order of their row
// keys, page by page.
func queryPartition[T any, P row[T]](ctx context.Context, s *store, table, partitionKey, filter string) ([]P, error) {
	what := "querying " + table
	where := columnPartition + " eq " + literal(partitionKey)
	if filter != "" {
		where += " and " + filter
	}
	pages := s.table(table).NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &where})
	var rows []P
	for pages.More() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return nil, account.Failed(what, err)
		}
		for _, data := range page.Entities {
			found, err := decodeRow[T, P](data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", what, err)
			}
			rows = append(rows, found)
		}
	}
	return rows, nil
}

func decodeRow[T any, P row[T]](data []byte) (P, error) {
	found := P(new(T))
	if err := json.Unmarshal(data, found); err != nil {
		return nil, errors.New("a row's columns have other types than the design's")
	}
	found.header().asRead = string(data)
	return found, nil
}

// literal is a text in an OData filter.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// insertRow adds a row; account.ErrChanged when its key is taken.
func insertRow(ctx context.Context, s *store, table string, r keyed) error {
	// Go SDK: AddEntity has no option for this header, without which the store returns the whole row.
	ctx = policy.WithHTTPHeader(ctx, http.Header{"Prefer": {"return-no-content"}})
	if _, err := s.table(table).AddEntity(ctx, columns(r), nil); err != nil {
		return account.Failed("inserting a row of "+table, err)
	}
	return nil
}

// update says what an update does with the columns that a row no longer has. Columns that its type does not know stay
// in either case.
type update int

const (
	merge   update = iota // they stay
	replace               // they are removed: only a replace removes a column
)

// writeRow is the only conditional write: a new row (one without an ETag) is inserted, one that was read is updated
// under If-Match. account.ErrChanged when its key exists, or it has changed since it was read.
func writeRow[T any, P row[T]](ctx context.Context, s *store, table string, r P, how update) error {
	if r.header().ETag == "" {
		return insertRow(ctx, s, table, r)
	}
	match := azcore.ETag(r.header().ETag)
	options := &aztables.UpdateEntityOptions{IfMatch: &match, UpdateMode: aztables.UpdateModeMerge}
	data := columns(r)
	if how == replace {
		options.UpdateMode = aztables.UpdateModeReplace
		data = wholeRow(r)
	}
	if _, err := s.table(table).UpdateEntity(ctx, data, options); err != nil {
		return account.Failed("updating a row of "+table, err)
	}
	return nil
}

// upsertRow writes a row unconditionally, leaving columns alone that it does not name.
func upsertRow(ctx context.Context, s *store, table string, r keyed) error {
	if _, err := s.table(table).UpsertEntity(ctx, columns(r),
		&aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeMerge}); err != nil {
		return account.Failed("upserting a row of "+table, err)
	}
	return nil
}

// moveRow moves a row that was read before to another key within its partition: one entity group transaction deletes
// the old one, if it is unchanged, and inserts the new one. account.ErrChanged when either fails.
func moveRow[T any, P row[T]](ctx context.Context, s *store, table string, old entity, r P) error {
	match := azcore.ETag(old.ETag)
	oldKey := columns(&entity{PartitionKey: old.PartitionKey, RowKey: old.RowKey})
	_, err := s.table(table).SubmitTransaction(ctx, []aztables.TransactionAction{
		{ActionType: aztables.TransactionTypeDelete, Entity: oldKey, IfMatch: &match},
		{ActionType: aztables.TransactionTypeAdd, Entity: wholeRow(r)},
	}, nil)
	if err != nil {
		return account.Failed("moving a row of "+table, err)
	}
	return nil
}

// columns returns a row as JSON, without its ETag. The types of schema.go hold only what JSON can express, here and
// below.
func columns(r keyed) []byte {
	head := r.header()
	etag := head.ETag
	head.ETag = ""
	data, _ := json.Marshal(r)
	head.ETag = etag
	return data
}

// wholeRow is columns plus those that the row had when it was read and that its type does not know: a replace or a move
// would lose them.
func wholeRow[T any, P row[T]](r P) []byte {
	whole := unknownColumns[T, P](r.header().asRead)
	_ = json.Unmarshal(columns(r), &whole) // adds to the map
	data, _ := json.Marshal(whole)
	return data
}

// unknownColumns returns the columns of a row, as it was read, that its type does not know: those left after removing
// the columns that the type writes.
func unknownColumns[T any, P row[T]](asRead string) map[string]json.RawMessage {
	known := P(new(T))
	var unknown, ours map[string]json.RawMessage
	_ = json.Unmarshal([]byte(asRead), known)
	_ = json.Unmarshal([]byte(asRead), &unknown)
	_ = json.Unmarshal(columns(known), &ours)
	maps.DeleteFunc(unknown, func(name string, _ json.RawMessage) bool {
		column, _, _ := strings.Cut(name, "@") // an annotation goes with its column
		_, named := ours[column]
		return named || column == columnTimestamp || strings.HasPrefix(name, "odata.")
	})
	return unknown
}
