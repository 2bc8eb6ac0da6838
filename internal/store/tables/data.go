package tables

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/storespec/storespec/internal/emulator/dynamodb/value"
	"github.com/storespec/storespec/internal/store"
)

// rows is the harness's own access to the items of a namespace.
type rows struct {
	*client
	own func(table string) bool // whether a table is the namespace's
}

// The key of a table that a scenario writes to before anything has created it.
const (
	defaultPartition = "PK"
	defaultSort      = "SK"
)

// Get reads one item, as it was written last; nil if it does not exist, nor its table.
func (r rows) Get(ctx context.Context, table string, key []string) (row store.Row, err error) {
	err = r.using(ctx, table, func(d *definition) error {
		if d == nil {
			return nil
		}
		at, err := d.key(key)
		if err != nil {
			return fmt.Errorf("read an item of %s: %w", table, err)
		}
		var answer struct{ Item value.Item }
		err = r.do(ctx, "GetItem", map[string]any{"TableName": table, "Key": at, "ConsistentRead": true}, &answer)
		if err != nil || answer.Item == nil {
			return err
		}
		row = rowOf(answer.Item)
		return nil
	})
	return row, err
}

// List reads the items whose keys start with key, in the order of their keys.
func (r rows) List(ctx context.Context, table string, key []string) ([]store.Row, error) {
	d, err := r.describe(ctx, table)
	if err != nil || d == nil {
		return nil, err
	}
	operation, asked := "Scan", map[string]any{"TableName": table, "ConsistentRead": true}
	if len(key) > 0 {
		at, err := d.key(key)
		if err != nil {
			return nil, fmt.Errorf("list items of %s: %w", table, err)
		}
		operation = "Query"
		names, values, condition := map[string]string{}, value.Item{}, ""
		for i := range key {
			one, _ := at.Get(d.Key[i])
			names[fmt.Sprint("#k", i)], values = d.Key[i], values.With(fmt.Sprint(":k", i), one)
			if i > 0 {
				condition += " AND "
			}
			condition += fmt.Sprintf("#k%d = :k%[1]d", i)
		}
		asked["KeyConditionExpression"], asked["ExpressionAttributeNames"] = condition, names
		asked["ExpressionAttributeValues"] = values
	}
	var items []value.Item
	if err := r.pages(ctx, operation, asked, func(item value.Item) { items = append(items, item) }); err != nil {
		return nil, err
	}
	slices.SortFunc(items, func(a, b value.Item) int {
		for _, name := range d.Key {
			x, _ := a.Get(name)
			y, _ := b.Get(name)
			if order, _ := value.Compare(x, y); order != 0 {
				return order
			}
		}
		return 0
	})
	var list []store.Row
	for _, item := range items {
		list = append(list, rowOf(item))
	}
	return list, nil
}

// pages reads all pages of a query or a scan.
func (r rows) pages(ctx context.Context, operation string, asked map[string]any,
	each func(value.Item)) error {
	for {
		var page struct {
			Items            []value.Item
			LastEvaluatedKey json.RawMessage
		}
		if err := r.do(ctx, operation, asked, &page); err != nil {
			return err
		}
		for _, item := range page.Items {
			each(item)
		}
		if page.LastEvaluatedKey == nil {
			return nil
		}
		asked["ExclusiveStartKey"] = page.LastEvaluatedKey
	}
}

// Put writes a whole item. A missing table is created with the keys PK and SK, or PK alone, both texts.
func (r rows) Put(ctx context.Context, table string, key []string, row store.Row) error {
	return r.using(ctx, table, func(d *definition) (err error) {
		if d == nil {
			if d, err = r.provision(ctx, table, len(key)); err != nil {
				return err
			}
		}
		at, err := d.key(key)
		if err != nil {
			return fmt.Errorf("write an item of %s: %w", table, err)
		}
		item, err := itemOf(row)
		if err != nil {
			return fmt.Errorf("write an item of %s: %w", table, err)
		}
		for _, a := range at {
			item = item.With(a.Name, a.Value)
		}
		return r.do(ctx, "PutItem", map[string]any{"TableName": table, "Item": item}, nil)
	})
}

// KeyColumns returns the attributes of the table's key, the partition's first.
func (r rows) KeyColumns(ctx context.Context, table string) ([]string, error) {
	d, err := r.describe(ctx, table)
	if err != nil || d == nil {
		return nil, err
	}
	return d.Key, nil
}

// Resources returns the names of the tables.
func (r rows) Resources(ctx context.Context) ([]string, error) { return r.tables(ctx, r.own) }

// provision creates a table for keys of so many parts.
func (r rows) provision(ctx context.Context, table string, parts int) (*definition, error) {
	type named = map[string]string
	attributes := []named{{"AttributeName": defaultPartition, "AttributeType": "S"}}
	schema := []named{{"AttributeName": defaultPartition, "KeyType": "HASH"}}
	if parts > 1 {
		attributes = append(attributes, named{"AttributeName": defaultSort, "AttributeType": "S"})
		schema = append(schema, named{"AttributeName": defaultSort, "KeyType": "RANGE"})
	}
	err := r.create(ctx, table, map[string]any{"TableName": table, "BillingMode": "PAY_PER_REQUEST",
		"AttributeDefinitions": attributes, "KeySchema": schema})
	if err != nil {
		return nil, err
	}
	return r.describe(ctx, table)
}

// Provision creates a table from the request of CreateTable, in JSON.
func (r rows) Provision(ctx context.Context, request []byte, called func(string) string) error {
	var body map[string]json.RawMessage
	var name string
	err := json.Unmarshal(request, &body)
	if err == nil {
		err = json.Unmarshal(body["TableName"], &name)
	}
	if err != nil || name == "" {
		return errors.New("create a table: its definition is not the request of CreateTable, with a TableName")
	}
	name = called(name)
	body["TableName"], _ = json.Marshal(name) // a text can always be encoded
	return r.create(ctx, name, body)
}

// Definition returns the request of CreateTable, in JSON, that creates the same table; nil if it does not exist.
func (r rows) Definition(ctx context.Context, table string) ([]byte, error) {
	type index struct{ IndexName, KeySchema, Projection json.RawMessage }
	var answer struct {
		Table struct {
			TableName, AttributeDefinitions, KeySchema    json.RawMessage
			GlobalSecondaryIndexes, LocalSecondaryIndexes []index
		}
	}
	err := r.do(ctx, "DescribeTable", map[string]string{"TableName": table}, &answer)
	if hasCode(err, notFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found := answer.Table
	request := map[string]any{"TableName": found.TableName, "AttributeDefinitions": found.AttributeDefinitions,
		"KeySchema": found.KeySchema, "BillingMode": "PAY_PER_REQUEST"}
	if len(found.GlobalSecondaryIndexes) > 0 {
		request["GlobalSecondaryIndexes"] = found.GlobalSecondaryIndexes
	}
	if len(found.LocalSecondaryIndexes) > 0 {
		request["LocalSecondaryIndexes"] = found.LocalSecondaryIndexes
	}
	return json.Marshal(request)
}

// key returns the attributes of a key, or of its first parts.
func (d *definition) key(parts []string) (value.Item, error) {
	if len(parts) > len(d.Key) {
		return nil, fmt.Errorf("a key of %d parts, where the table has %d", len(parts), len(d.Key))
	}
	at := value.Item{}
	for i, part := range parts {
		one, err := valueOf(cmp.Or(d.types[d.Key[i]], "S"), part)
		if err != nil {
			return nil, err
		}
		at = at.With(d.Key[i], one)
	}
	return at, nil
}
