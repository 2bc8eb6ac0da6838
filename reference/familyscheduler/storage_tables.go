package familyscheduler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
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
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
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

// withoutMetadata leaves out of a row what says nothing here: its address, its types, and its ETag, which is also a header.
func withoutMetadata() *aztables.GetEntityOptions {
	format := aztables.MetadataFormatNone
	return &aztables.GetEntityOptions{Format: &format}
}

// queryPartition reads the rows of one partition that a filter keeps (none: all of them), in the order of their row
// keys, page after page.
func queryPartition[T any, P row[T]](ctx context.Context, s *store, table, partitionKey, filter string) ([]P, error) {
	what := "querying " + table
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	where := "PartitionKey eq " + literal(partitionKey)
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
	if err := s.ready(ctx); err != nil {
		return err
	}
	data, err := columns(r)
	if err != nil {
		return err
	}
	ctx = policy.WithHTTPHeader(ctx, http.Header{"Prefer": {"return-no-content"}}) // else the row comes back whole
	answer, err := s.table(table).AddEntity(ctx, data, nil)
	if err != nil {
		return account.Failed("inserting a row of "+table, err)
	}
	r.header().ETag = string(answer.ETag)
	return nil
}

// replaceRow writes a row that was read before, and removes the columns that it no longer has; those that its type does
// not name stay. account.ErrChanged when the row is no longer the one that was read.
func replaceRow(ctx context.Context, s *store, table string, r keyed) error {
	data, err := wholeRow(r)
	if err != nil {
		return err
	}
	return updateRow(ctx, s, table, r, data, aztables.UpdateModeReplace)
}

// mergeRow is replaceRow, but leaves columns alone that the row does not name.
func mergeRow(ctx context.Context, s *store, table string, r keyed) error {
	data, err := columns(r)
	if err != nil {
		return err
	}
	return updateRow(ctx, s, table, r, data, aztables.UpdateModeMerge)
}

func updateRow(ctx context.Context, s *store, table string, r keyed, data []byte, mode aztables.UpdateMode) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	match := azcore.ETag(r.header().ETag)
	answer, err := s.table(table).UpdateEntity(ctx, data, &aztables.UpdateEntityOptions{IfMatch: &match, UpdateMode: mode})
	if err != nil {
		return account.Failed("updating a row of "+table, err)
	}
	r.header().ETag = string(answer.ETag)
	return nil
}

// upsertRow writes a row whatever is there, leaving columns alone that it does not name.
func upsertRow(ctx context.Context, s *store, table string, r keyed) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	data, err := columns(r)
	if err != nil {
		return err
	}
	if _, err := s.table(table).UpsertEntity(ctx, data, &aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeMerge}); err != nil {
		return account.Failed("upserting a row of "+table, err)
	}
	return nil
}

// moveRow gives a row that was read before another key within its partition: one entity group transaction deletes the old one, if it is
// still the one that was read, and inserts the new one. account.ErrChanged when either cannot be done.
func moveRow(ctx context.Context, s *store, table string, old entity, r keyed) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	match := azcore.ETag(old.ETag)
	oldKey, err := columns(&entity{PartitionKey: old.PartitionKey, RowKey: old.RowKey})
	if err != nil {
		return err
	}
	data, err := wholeRow(r)
	if err != nil {
		return err
	}
	_, err = s.table(table).SubmitTransaction(ctx, []aztables.TransactionAction{
		{ActionType: aztables.TransactionTypeDelete, Entity: oldKey, IfMatch: &match},
		{ActionType: aztables.TransactionTypeAdd, Entity: data},
	}, nil)
	if err != nil {
		return account.Failed("moving a row of "+table, err)
	}
	return nil
}

// columns is a row as JSON, without its ETag.
func columns(r keyed) ([]byte, error) {
	head := r.header()
	etag := head.ETag
	head.ETag = ""
	data, err := json.Marshal(r)
	head.ETag = etag
	if err != nil {
		return nil, fmt.Errorf("encoding a row: %w", err)
	}
	return data, nil
}

// wholeRow is columns with those beside them that the row had when it was read and that its type does not name: a
// replace or a move would lose them.
func wholeRow(r keyed) ([]byte, error) {
	data, err := columns(r)
	if err != nil || r.header().asRead == "" {
		return data, err
	}
	asRead := reflect.New(reflect.TypeOf(r).Elem()).Interface().(keyed)
	var all, known, now map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal([]byte(r.header().asRead), &all), json.Unmarshal([]byte(r.header().asRead), asRead)); err != nil {
		return nil, fmt.Errorf("decoding a row that was read: %w", err)
	}
	old, err := columns(asRead)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(json.Unmarshal(old, &known), json.Unmarshal(data, &now)); err != nil {
		return nil, fmt.Errorf("decoding a row: %w", err)
	}
	maps.DeleteFunc(all, func(name string, _ json.RawMessage) bool {
		column, _, _ := strings.Cut(name, "@") // an annotation goes with its column
		_, ours := known[column]
		return ours || column == "Timestamp" || strings.HasPrefix(name, "odata.")
	})
	maps.Copy(all, now)
	whole, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("encoding a row: %w", err)
	}
	return whole, nil
}
