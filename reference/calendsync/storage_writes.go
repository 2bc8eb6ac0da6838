package calendsync

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// check is a condition on an item that a write needs. The operators are those of condition expressions, and two
// functions.
type check struct {
	attribute string
	operator  string // =, >, exists, absent, or "absent or =": the whole item may be absent
	value     any    // of = and >
}

func is(attribute string, value any) check      { return check{attribute, "=", value} }
func above(attribute string, value int64) check { return check{attribute, ">", value} }
func ofUser(id string) check                    { return check{attrUser, "absent or =", id} }
func exists() check                             { return check{pk, "exists", nil} }
func missing() check                            { return check{pk, "absent", nil} }
func unchanged(since history) check             { return is(attrVersion, since.version) }

// write is one write of an item: exactly one of put, change, remove and only is set.
type write struct {
	put    item    // the whole item
	change *change // some attributes of the item at a key
	remove bool    // the item at a key
	only   bool    // nothing; the item at a key is only checked
	at     key     // of all but put
	checks []check // what must hold of the item that is there
}

// change is what an update does.
type change struct {
	set item
	add map[string]int64
}

func put(i item, checks ...check) write     { return write{put: i, checks: checks} }
func remove(at key, checks ...check) write  { return write{at: at, remove: true, checks: checks} }
func require(at key, checks ...check) write { return write{at: at, only: true, checks: checks} }
func update(at key, c change, checks ...check) write {
	return write{at: at, change: &c, checks: checks}
}

// terms builds expressions: each name and each value gets a placeholder, since DynamoDB reserves many words.
type terms struct {
	names  map[string]string
	values item
}

func (t *terms) name(attribute string) string {
	placeholder := "#" + attribute
	t.names[placeholder] = attribute
	return placeholder
}

func (t *terms) value(value any) string {
	placeholder := fmt.Sprintf(":%d", len(t.values))
	t.values[placeholder] = value
	return placeholder
}

func (t *terms) condition(checks []check) *string {
	var all []string
	for _, c := range checks {
		switch c.operator {
		case "exists":
			all = append(all, "attribute_exists("+t.name(c.attribute)+")")
		case "absent":
			all = append(all, "attribute_not_exists("+t.name(c.attribute)+")")
		case "absent or =":
			all = append(all, "(attribute_not_exists("+t.name(pk)+") OR "+
				t.name(c.attribute)+" = "+t.value(c.value)+")")
		default:
			all = append(all, t.name(c.attribute)+" "+c.operator+" "+t.value(c.value))
		}
	}
	return orNil(strings.Join(all, " AND "))
}

func (t *terms) update(c change) *string {
	var set, add []string
	for attribute, value := range c.set {
		set = append(set, t.name(attribute)+" = "+t.value(value))
	}
	for attribute, value := range c.add {
		add = append(add, t.name(attribute)+" "+t.value(value))
	}
	var clauses []string
	if len(set) > 0 {
		clauses = append(clauses, "SET "+strings.Join(set, ", "))
	}
	if len(add) > 0 {
		clauses = append(clauses, "ADD "+strings.Join(add, ", "))
	}
	text := strings.Join(clauses, " ")
	return &text
}

func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// built is a write as the SDK takes it.
type built struct {
	key, item map[string]types.AttributeValue
	condition *string
	update    *string
	names     map[string]string
	values    map[string]types.AttributeValue
}

func (w write) build() built {
	t := terms{map[string]string{}, item{}}
	b := built{condition: t.condition(w.checks)}
	if w.put != nil {
		b.item = toStore(w.put)
	} else {
		b.key = toStore(w.at.item())
	}
	if w.change != nil {
		b.update = t.update(*w.change)
	}
	if len(t.names) > 0 {
		b.names = t.names
	}
	if len(t.values) > 0 {
		b.values = toStore(t.values)
	}
	return b
}

// write does one write; it returns the item as it is after an update. Errors: failedCheck, errTooLarge, errUnavailable.
func (s *store) write(ctx context.Context, w write) (written item, err error) {
	err = s.again(ctx, "write", func() (bool, error) {
		written, err = s.writeOnce(ctx, w)
		return true, err
	})
	return written, err
}

func (s *store) writeOnce(ctx context.Context, w write) (item, error) {
	b := w.build()
	switch {
	case w.put != nil:
		_, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.table, Item: b.item,
			ConditionExpression: b.condition, ExpressionAttributeNames: b.names,
			ExpressionAttributeValues: b.values})
		return w.put, judge("PutItem", err)
	case w.remove:
		_, err := s.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &s.table, Key: b.key,
			ConditionExpression: b.condition, ExpressionAttributeNames: b.names,
			ExpressionAttributeValues: b.values})
		return nil, judge("DeleteItem", err)
	}
	out, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: &s.table, Key: b.key,
		UpdateExpression: b.update, ConditionExpression: b.condition, ExpressionAttributeNames: b.names,
		ExpressionAttributeValues: b.values, ReturnValues: types.ReturnValueAllNew})
	if err != nil {
		return nil, judge("UpdateItem", err)
	}
	return fromStore(out.Attributes), nil
}

// together does several writes, all or none. Errors: as write; failedCheck says of which writes.
func (s *store) together(ctx context.Context, writes ...write) error {
	in := &dynamodb.TransactWriteItemsInput{}
	for _, w := range writes {
		in.TransactItems = append(in.TransactItems, w.inTransaction(&s.table))
	}
	return s.again(ctx, "TransactWriteItems", func() (bool, error) {
		_, err := s.db.TransactWriteItems(ctx, in)
		return true, judge("TransactWriteItems", err)
	})
}

func (w write) inTransaction(table *string) types.TransactWriteItem {
	b := w.build()
	switch {
	case w.put != nil:
		return types.TransactWriteItem{Put: &types.Put{TableName: table, Item: b.item,
			ConditionExpression: b.condition, ExpressionAttributeNames: b.names,
			ExpressionAttributeValues: b.values}}
	case w.remove:
		return types.TransactWriteItem{Delete: &types.Delete{TableName: table, Key: b.key,
			ConditionExpression: b.condition, ExpressionAttributeNames: b.names,
			ExpressionAttributeValues: b.values}}
	case w.only:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: table, Key: b.key,
			ConditionExpression: b.condition, ExpressionAttributeNames: b.names,
			ExpressionAttributeValues: b.values}}
	}
	return types.TransactWriteItem{Update: &types.Update{TableName: table, Key: b.key, UpdateExpression: b.update,
		ConditionExpression: b.condition, ExpressionAttributeNames: b.names, ExpressionAttributeValues: b.values}}
}

// removeAll removes items by their keys, whatever they are.
func (s *store) removeAll(ctx context.Context, keys []key) error {
	requests := make([]types.WriteRequest, len(keys))
	for i, k := range keys {
		requests[i] = types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: toStore(k.item())}}
	}
	return s.batchWrite(ctx, requests)
}

// putAll writes items, whatever is there.
func (s *store) putAll(ctx context.Context, items []item) error {
	requests := make([]types.WriteRequest, len(items))
	for i, one := range items {
		requests[i] = types.WriteRequest{PutRequest: &types.PutRequest{Item: toStore(one)}}
	}
	return s.batchWrite(ctx, requests)
}

// batchWrite writes 25 items a call; what DynamoDB leaves unprocessed is sent again.
func (s *store) batchWrite(ctx context.Context, requests []types.WriteRequest) error {
	for left := range slices.Chunk(requests, maxBatchWrite) {
		err := s.again(ctx, "BatchWriteItem", func() (bool, error) {
			out, err := s.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{s.table: left}})
			if err != nil {
				return false, judge("BatchWriteItem", err)
			}
			left = out.UnprocessedItems[s.table]
			return len(left) == 0, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
