package lane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/store"
)

// data is the harness's own access to a lane's rows and objects: directly to the store, never counted. If the store
// does not answer, the errors of its methods wrap store.ErrUnavailable.
type data struct {
	Tables    store.Rows
	blobs     store.Objects
	container string
	mapping   *mapping.Mapping // of what is laid, whose tables are called as in the features
	called    func(word string) string
	word      func(called string) string
}

// newData returns the access to the lease of a lane. The list of rows of a store without rows is empty, and any other
// use of them is an error.
func newData(l *Lane) *data {
	d := &data{l.Lease.Rows(), l.Lease.Objects(), l.Maker.System.Container, l.Maker.Mapping, l.Called, l.word}
	if d.Tables == nil {
		d.Tables = noRows{}
	}
	if d.blobs == nil {
		d.blobs = noObjects{}
	}
	return d
}

// noObjects is the objects of a store without objects.
type noObjects struct{}

var errNoObjects = errors.New("the store has no blobs or keys: look at its rows")

func (noObjects) Get(context.Context, string, string) ([]byte, error) { return nil, errNoObjects }
func (noObjects) List(context.Context, string) ([]string, error)      { return nil, errNoObjects }
func (noObjects) Put(context.Context, string, string, []byte) error   { return errNoObjects }
func (noObjects) Delete(context.Context, string, string) error        { return errNoObjects }

// noRows is the rows of a store that has none.
type noRows struct{}

var errNoRows = errors.New("the store has no rows: look at its keys or objects")

func (noRows) Get(context.Context, string, []string) (store.Row, error)    { return nil, errNoRows }
func (noRows) List(context.Context, string, []string) ([]store.Row, error) { return nil, errNoRows }
func (noRows) Put(context.Context, string, []string, store.Row) error      { return errNoRows }
func (noRows) KeyColumns(context.Context, string) ([]string, error)        { return nil, nil }
func (noRows) Resources(context.Context) ([]string, error)                 { return nil, nil }

// Row is a row as the store holds it, including its keys.
type Row store.Row

// PutRow writes a whole row, replacing any existing one.
func (d *data) PutRow(ctx context.Context, table, partition, key string, columns map[string]any) error {
	values := store.Row{}
	for name, value := range columns {
		values.Set(name, value)
	}
	return d.Put(ctx, table, []string{partition, key}, values)
}

// Put is PutRow with the key as a list and typed columns. It also writes what the server needs besides such a row
// (Fitting.Mapping).
func (d *data) Put(ctx context.Context, table string, key []string, columns store.Row) error {
	rows, objects, err := d.mapping.LayRow(mapping.Row{Table: d.word(table), Key: key, Columns: columns})
	if err != nil {
		return err
	}
	return d.lay(ctx, rows, objects)
}

func (d *data) lay(ctx context.Context, rows []mapping.Row, objects []mapping.Object) error {
	for _, row := range rows {
		if err := d.Tables.Put(ctx, d.called(row.Table), row.Key, row.Columns); err != nil {
			return err
		}
	}
	for _, object := range objects {
		if err := d.blobs.Put(ctx, d.container, object.Name, object.Content); err != nil {
			return err
		}
	}
	return nil
}

// Row reads one row; nil if it does not exist.
func (d *data) Row(ctx context.Context, table string, key ...string) (Row, error) {
	found, err := d.Tables.Get(ctx, table, key)
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

// PutBlob writes a whole blob of the state container, and what the server needs besides it (Fitting.Mapping).
func (d *data) PutBlob(ctx context.Context, name string, content []byte) error {
	rows, objects, err := d.mapping.LayObject(mapping.Object{Name: name, Content: content})
	if err != nil {
		return err
	}
	return d.lay(ctx, rows, objects)
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

// Properties returns what an object of the state container has besides its content, by name; nil if it does not exist.
func (d *data) Properties(ctx context.Context, name string) (map[string]string, error) {
	described, ok := d.blobs.(store.Described)
	if !ok {
		return nil, errNoProperties
	}
	return described.Properties(ctx, d.container, name)
}

// SetProperties changes them; "" takes one away.
func (d *data) SetProperties(ctx context.Context, name string, values map[string]string) error {
	described, ok := d.blobs.(store.Described)
	if !ok {
		return errNoProperties
	}
	return described.SetProperties(ctx, d.container, name, values)
}

var errNoProperties = errors.New("objects of the store have no properties")

// Expires returns when an object expires, zero for never, and the time of the store's clock. The error says that there
// is no such object, or that objects of the store do not expire.
func (d *data) Expires(ctx context.Context, name string) (at, now time.Time, err error) {
	expiring, ok := d.blobs.(store.Expiring)
	if !ok {
		return time.Time{}, time.Time{}, errors.New("objects of the store do not expire")
	}
	return expiring.Expires(ctx, d.container, name)
}

// Members returns the columns of a row by name, without their types.
func (r Row) Members() map[string]any {
	members := map[string]any{}
	for name := range r {
		members[name] = r.Column(name)
	}
	return members
}

// HasColumn compares the type and the value of a column with a line of a table. kind is the store's name for the type,
// "time" for a string that is a UTC time, or "count" for a whole number of any type. value is a cell as
// matching.Matches reads it, or "optional": the column may be missing, and otherwise have any value of its type. The
// error describes the actual column.
func (r Row) HasColumn(name, kind, value string) error {
	found := r.Column(name)
	_, lacks := found.(matching.Missing)
	if got := r[name].Type; !lacks && !isOfKind(got, kind, found) {
		return fmt.Errorf("is of type %s, not %s", got, kind)
	}
	if kind == "time" && !lacks {
		if _, err := matching.Instant(found); err != nil {
			return err
		}
	}
	if value == "optional" {
		return nil
	}
	return matching.Matches(found, value, r.Column)
}

// isOfKind reports whether a column's type is of a kind that a table of columns names.
func isOfKind(typ, kind string, found any) bool {
	switch kind {
	case "time":
		return typ == "string" || typ == "S"
	case "count":
		number, _ := found.(json.Number)
		_, err := number.Int64()
		return typ == "int32" || typ == "int64" || (typ == "double" || typ == "N") && err == nil
	}
	return typ == kind
}

// Column returns the value of a column, or missing. A whole number is written without a fraction, whatever its type:
// languages with one type of number write 3 as a double.
func (r Row) Column(name string) any {
	value, ok := r[name]
	if !ok {
		return matching.Missing{}
	}
	if number, isNumber := value.Is.(json.Number); isNumber && value.Type == "double" {
		if f, err := number.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return json.Number(strconv.FormatInt(int64(f), 10))
		}
	}
	return value.Is
}
