package tables

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

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
		var answer struct{ Item map[string]attribute }
		err = r.do(ctx, "GetItem", map[string]any{"TableName": table, "Key": at, "ConsistentRead": true}, &answer)
		if err != nil || answer.Item == nil {
			return err
		}
		row, err = rowOf(answer.Item)
		return err
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
		names, values, condition := map[string]string{}, map[string]attribute{}, ""
		for i := range key {
			name := fmt.Sprint("#k", i)
			value := fmt.Sprint(":k", i)
			names[name], values[value] = d.Key[i], at[d.Key[i]]
			if i > 0 {
				condition += " AND "
			}
			condition += name + " = " + value
		}
		asked["KeyConditionExpression"], asked["ExpressionAttributeNames"] = condition, names
		asked["ExpressionAttributeValues"] = values
	}
	var list []store.Row
	err = r.pages(ctx, operation, asked, func(item map[string]attribute) error {
		row, err := rowOf(item)
		list = append(list, row)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b store.Row) int {
		for _, name := range d.Key {
			if order := compare(a[name], b[name]); order != 0 {
				return order
			}
		}
		return 0
	})
	return list, nil
}

// pages reads all pages of a query or a scan.
func (r rows) pages(ctx context.Context, operation string, asked map[string]any,
	each func(map[string]attribute) error) error {
	for {
		var page struct {
			Items            []map[string]attribute
			LastEvaluatedKey json.RawMessage
		}
		if err := r.do(ctx, operation, asked, &page); err != nil {
			return err
		}
		for _, item := range page.Items {
			if err := each(item); err != nil {
				return err
			}
		}
		if page.LastEvaluatedKey == nil {
			return nil
		}
		asked["ExclusiveStartKey"] = page.LastEvaluatedKey
	}
}

// compare orders two values of a key: numbers by their size, texts by their bytes.
func compare(a, b store.Value) int {
	x, isX := new(big.Float).SetString(fmt.Sprint(a.Is))
	y, isY := new(big.Float).SetString(fmt.Sprint(b.Is))
	if a.Type == "N" && b.Type == "N" && isX && isY {
		return x.Cmp(y)
	}
	return cmp.Compare(fmt.Sprint(a.Is), fmt.Sprint(b.Is))
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
		for name, value := range at {
			item[name] = value
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
func (d *definition) key(parts []string) (map[string]attribute, error) {
	if len(parts) > len(d.Key) {
		return nil, fmt.Errorf("a key of %d parts, where the table has %d", len(parts), len(d.Key))
	}
	at := map[string]attribute{}
	for i, part := range parts {
		one, err := attributeOf(cmp.Or(d.types[d.Key[i]], "S"), part)
		if err != nil {
			return nil, err
		}
		at[d.Key[i]] = one
	}
	return at, nil
}
