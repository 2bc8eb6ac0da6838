package lovehunt

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/storespec/storespec/reference/account"
)

// row reads one row; nil when there is none.
func (s *store) row(ctx context.Context, table, partition, key string) (*row, error) {
	var answer aztables.GetEntityResponse
	found, err := s.inTables(ctx, "reading a row of", table, func(t *aztables.Client) (err error, absent bool) {
		format := aztables.MetadataFormatNone // the ETag is also in a header; the other metadata is not needed
		answer, err = t.GetEntity(ctx, partition, key, &aztables.GetEntityOptions{Format: &format})
		return err, account.Absent(err)
	})
	if err != nil || !found {
		return nil, err
	}
	return decodeRow(table, answer.Value, string(answer.ETag))
}

// write inserts a row that has no ETag, and replaces the one whose ETag it has; the row then has its new one. Errors:
// account.ErrChanged when the key is taken, or the row has changed since it was read; account.ErrTooLarge.
func (s *store) write(ctx context.Context, r *row) error {
	if r.etag == "" {
		return s.insert(ctx, r)
	}
	match := azcore.ETag(r.etag)
	_, err := s.inTables(ctx, "replacing a row of", r.table, func(t *aztables.Client) (error, bool) {
		answer, err := t.UpdateEntity(ctx, r.entity(),
			&aztables.UpdateEntityOptions{IfMatch: &match, UpdateMode: aztables.UpdateModeReplace})
		if err == nil {
			r.etag = string(answer.ETag)
		}
		return err, false
	})
	return err
}

func (s *store) insert(ctx context.Context, r *row) error {
	// Go SDK: AddEntity has no option for this header, without which the store returns the whole row.
	ctx = policy.WithHTTPHeader(ctx, http.Header{"Prefer": {"return-no-content"}})
	_, err := s.inTables(ctx, "inserting a row of", r.table, func(t *aztables.Client) (error, bool) {
		answer, err := t.AddEntity(ctx, r.entity(), nil)
		if err == nil {
			r.etag = string(answer.ETag)
		}
		return err, false
	})
	return err
}

// put writes a row whatever stands there: only for HuntIndex, whose rows are copies.
func (s *store) put(ctx context.Context, r *row) error {
	_, err := s.inTables(ctx, "putting a row of", r.table, func(t *aztables.Client) (error, bool) {
		_, err := t.UpsertEntity(ctx, r.entity(), &aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
		return err, false
	})
	return err
}

// remove deletes a row that was read, if it is unchanged, and one without an ETag whatever its version; a row that is
// not there is fine. Errors: account.ErrChanged.
func (s *store) remove(ctx context.Context, r *row) error {
	match := azcore.ETagAny
	if r.etag != "" {
		match = azcore.ETag(r.etag)
	}
	_, err := s.inTables(ctx, "deleting a row of", r.table, func(t *aztables.Client) (error, bool) {
		_, err := t.DeleteEntity(ctx, r.partition, r.key, &aztables.DeleteEntityOptions{IfMatch: &match})
		return err, account.Absent(err)
	})
	return err
}

// query returns the rows that match a filter in the order of their keys: one call for each page.
func (s *store) query(ctx context.Context, table, filter string) ([]*row, error) {
	var rows []*row
	pages := s.tables.NewClient(table).NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter})
	for pages.More() {
		var page aztables.ListEntitiesResponse
		_, err := s.inTables(ctx, "querying", table, func(*aztables.Client) (err error, absent bool) {
			page, err = pages.NextPage(ctx)
			return err, false
		})
		if err != nil {
			return nil, err
		}
		for _, data := range page.Entities {
			r, err := decodeRow(table, data, "")
			if err != nil {
				return nil, err
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

const columnETag = "odata.etag" // of a row in a page

// errCorrupt: a row is not a row at all.
var errCorrupt = errors.New("malformed row")

// decodeRow keeps the columns that are texts, which all of the design's are.
func decodeRow(table string, data []byte, etag string) (*row, error) {
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, errCorrupt
	}
	r := &row{table: table, etag: etag, columns: map[string]string{}}
	for name, value := range all {
		text, ok := value.(string)
		switch {
		case !ok || strings.Contains(name, "@"), name == "Timestamp":
		case name == columnPartition:
			r.partition = text
		case name == columnRow:
			r.key = text
		case name == columnETag && etag == "":
			r.etag = text
		case !strings.HasPrefix(name, "odata."):
			r.columns[name] = text
		}
	}
	return r, nil
}

// entity is the row in the JSON of the service.
func (r *row) entity() []byte {
	columns := map[string]string{columnPartition: r.partition, columnRow: r.key}
	maps.Copy(columns, r.columns)
	data, _ := json.Marshal(columns) // texts can always be encoded
	return data
}
