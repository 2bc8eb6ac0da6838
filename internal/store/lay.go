package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrNoKey is wrapped by Lay's error for a row without its key.
var ErrNoKey = errors.New("without its key")

// Lay writes content into a namespace: its tables from their definitions, then rows and objects. What is already there
// stays, unless it has the same name. keys are the columns of the key of a resource that does not exist yet; none: such
// a resource is an error. The error wraps ErrNoKey and names the row, or is the store's.
func Lay(ctx context.Context, lease *Lease, content *Content, keys ...string) error {
	rows, objects := lease.Rows(), lease.Objects()
	for table, definition := range content.Tables {
		provisioner, takes := rows.(Provisioner)
		if !takes {
			return fmt.Errorf("the store takes no definition of a table, such as that of %s", table)
		}
		as := func(name string) string { return name }
		if err := provisioner.Provision(ctx, definition, as); err != nil {
			return err
		}
	}
	for table, list := range content.Rows {
		if rows == nil {
			return fmt.Errorf("the store has no rows, such as those of %s", table)
		}
		columns, err := rows.KeyColumns(ctx, table)
		if err != nil {
			return err
		}
		if len(columns) == 0 {
			columns = keys
		}
		for i, row := range list {
			key, err := keyOf(row, columns)
			if err != nil {
				return fmt.Errorf("row %d of %s is %w", i+1, table, err)
			}
			if err := rows.Put(ctx, table, key, row); err != nil {
				return err
			}
		}
	}
	for resource, named := range content.Objects {
		if objects == nil {
			return fmt.Errorf("the store has no objects, such as those of %s", resource)
		}
		for name, object := range named {
			if err := objects.Put(ctx, resource, name, object); err != nil {
				return err
			}
		}
	}
	return nil
}

// keyOf returns the key of a row, whose columns are a text or a number each.
func keyOf(row Row, columns []string) (key []string, err error) {
	for _, column := range columns {
		switch value := row[column].Is.(type) {
		case string:
			key = append(key, value)
		case json.Number:
			key = append(key, value.String())
		default:
			return nil, fmt.Errorf("%w: %s is not a text or a number", ErrNoKey, column)
		}
	}
	if len(key) == 0 {
		return nil, fmt.Errorf("%w: the key of its table is not known", ErrNoKey)
	}
	return key, nil
}
