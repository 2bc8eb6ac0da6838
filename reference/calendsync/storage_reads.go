package calendsync

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// The limits of batches (API Reference, BatchGetItem and BatchWriteItem).
const (
	maxBatchGet   = 100
	maxBatchWrite = 25
)

// get returns an item of the table as it is now; nil if it does not exist.
func (s *store) get(ctx context.Context, at key) (item, error) {
	out, err := s.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.table, Key: toStore(at.item()),
		ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, judge("GetItem", err)
	}
	return fromStore(out.Item), nil
}

// query is what a Query reads: the items of one partition, those with a prefix of their sort keys, or those between two
// sort keys, both included.
type query struct {
	of           index
	partition    string
	prefix       string // "": any
	lower, upper string // "": any
}

// expression returns the key condition. A placeholder stands for each name and each value.
func (q query) expression() (string, map[string]string, item) {
	text, names, values := "#pk = :pk", map[string]string{"#pk": q.of.partition}, item{":pk": q.partition}
	switch {
	case q.prefix != "":
		text += " AND begins_with(#sk, :prefix)"
		values[":prefix"] = q.prefix
	case q.lower != "":
		text += " AND #sk BETWEEN :lower AND :upper"
		values[":lower"], values[":upper"] = q.lower, q.upper
	default:
		return text, names, values
	}
	names["#sk"] = q.of.sort
	return text, names, values
}

// query returns all items, however many pages they are.
func (s *store) query(ctx context.Context, q query) (found []item, err error) {
	err = s.pages(ctx, q, func(page []item) error {
		found = append(found, page...)
		return nil
	})
	return found, err
}

// pages passes the items on, page by page, until each has an error. Of the table they are as they are now; an index may
// lag.
func (s *store) pages(ctx context.Context, q query, each func([]item) error) error {
	text, names, values := q.expression()
	in := &dynamodb.QueryInput{TableName: &s.table, KeyConditionExpression: &text, ExpressionAttributeNames: names,
		ExpressionAttributeValues: toStore(values)}
	if q.of.name == "" {
		in.ConsistentRead = aws.Bool(true)
	} else {
		in.IndexName = &q.of.name
	}
	for {
		page, err := s.db.Query(ctx, in)
		if err != nil {
			return judge("Query", err)
		}
		items := make([]item, len(page.Items))
		for i, stored := range page.Items {
			items[i] = fromStore(stored)
		}
		if err := each(items); err != nil {
			return err
		}
		if len(page.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = page.LastEvaluatedKey
	}
}

// batchGet returns items of the table as they are now, by their keys; a missing one is left out.
func (s *store) batchGet(ctx context.Context, keys []key) (map[key]item, error) {
	found := map[key]item{}
	for some := range slices.Chunk(keys, maxBatchGet) {
		wanted := make([]map[string]types.AttributeValue, len(some))
		for i, k := range some {
			wanted[i] = toStore(k.item())
		}
		err := s.again(ctx, "BatchGetItem", func() (bool, error) {
			out, err := s.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{s.table: {Keys: wanted,
					ConsistentRead: aws.Bool(true)}}})
			if err != nil {
				return false, judge("BatchGetItem", err)
			}
			for _, stored := range out.Responses[s.table] {
				i := fromStore(stored)
				found[i.key()] = i
			}
			wanted = out.UnprocessedKeys[s.table].Keys
			return len(wanted) == 0, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// scan passes every item of the table on, as it is now. Only a tool does that.
func (s *store) scan(ctx context.Context, pass func(item)) error {
	in := &dynamodb.ScanInput{TableName: &s.table, ConsistentRead: aws.Bool(true)}
	for {
		page, err := s.db.Scan(ctx, in)
		if err != nil {
			return judge("Scan", err)
		}
		for _, stored := range page.Items {
			pass(fromStore(stored))
		}
		if len(page.LastEvaluatedKey) == 0 {
			return nil
		}
		in.ExclusiveStartKey = page.LastEvaluatedKey
	}
}
