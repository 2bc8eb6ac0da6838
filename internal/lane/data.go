package lane

import (
	"context"
	"fmt"

	"github.com/storespec/storespec/internal/matching"
	"github.com/storespec/storespec/internal/store"
)

// data is the harness's own access to a lane's rows and objects: directly to the store, never counted. If the store
// does not answer, the errors of its methods wrap store.ErrUnavailable.
type data struct {
	Tables    store.Rows
	blobs     store.Objects
	container string
}

// Row is a row as the store holds it, including its keys.
type Row store.Row

// PutRow writes a whole row, replacing any existing one.
func (d *data) PutRow(ctx context.Context, table, partition, key string, columns map[string]any) error {
	values := store.Row{}
	for name, value := range columns {
		values.Set(name, value)
	}
	return d.Tables.Put(ctx, table, []string{partition, key}, values)
}

// Row reads one row; nil if it does not exist.
func (d *data) Row(ctx context.Context, table, partition, key string) (Row, error) {
	found, err := d.Tables.Get(ctx, table, []string{partition, key})
	return Row(found), err
}

// Rows reads every row of a table, or of one partition of it if partition is not nil, in key order.
func (d *data) Rows(ctx context.Context, table string, partition *string) ([]Row, error) {
	var key []string
	if partition != nil {
		key = []string{*partition}
	}
	found, err := d.Tables.List(ctx, table, key)
	rows := make([]Row, len(found))
	for i := range found {
		rows[i] = Row(found[i])
	}
	return rows, err
}

// TableNames lists the existing tables.
func (d *data) TableNames(ctx context.Context) ([]string, error) { return d.Tables.Resources(ctx) }

// PutBlob writes a whole blob of the state container.
func (d *data) PutBlob(ctx context.Context, name string, content []byte) error {
	return d.blobs.Put(ctx, d.container, name, content)
}

// Blob reads a blob of the state container; nil if it does not exist.
func (d *data) Blob(ctx context.Context, name string) ([]byte, error) {
	return d.blobs.Get(ctx, d.container, name)
}

// BlobNames lists the blobs of the state container; none if the container does not exist.
func (d *data) BlobNames(ctx context.Context) ([]string, error) {
	return d.blobs.List(ctx, d.container)
}

// DropBlob deletes a blob of the state container.
func (d *data) DropBlob(ctx context.Context, name string) error {
	return d.blobs.Delete(ctx, d.container, name)
}

// Members returns the columns of a row by name, without their types.
func (r Row) Members() map[string]any {
	members := map[string]any{}
	for name, value := range r {
		members[name] = value.Is
	}
	return members
}

// HasColumn compares the type and the value of a column with a line of a table: kind is the store's name for the type,
// or "time" for a string that is a UTC time, and value is a cell as matching.Matches reads it, or "optional" for a
// column that may be missing. The error describes the actual column.
func (r Row) HasColumn(name, kind, value string) error {
	found := r.Column(name)
	_, lacks := found.(matching.Missing)
	if lacks && (value == "optional" || value == "absent") {
		return nil
	}
	if got := r[name].Type; !lacks && got != kind && (kind != "time" || got != "string") {
		return fmt.Errorf("is of type %s, not %s", got, kind)
	}
	if kind == "time" {
		if _, err := matching.Instant(found); err != nil {
			return err
		}
	}
	if value == "optional" {
		return nil
	}
	return matching.Matches(found, value, r.Column)
}

// Column returns the value of a column, or missing.
func (r Row) Column(name string) any {
	if value, ok := r[name]; ok {
		return value.Is
	}
	return matching.Missing{}
}
