package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/internal/dev/load"
)

// perWrite is how many items a BatchWriteItem takes.
const perWrite = 25

// items is what a user of AWS's SDK has: a client, and the table Bench.
type items struct{ db *dynamodb.Client }

var benchTable = aws.String("Bench")

func (b *bench) measureItems(ctx context.Context) (*measured, error) {
	return measure(ctx, b, service[*items]{
		emulate: []string{"--dynamodb", ":0"},
		start:   []string{"--dynamodb"},
		store:   "dynalite",
		connect: func(p *peer) (*items, error) {
			return &items{load.DynamoDB(load.HTTP(2*many), p.at.DynamoDB)}, nil
		},
		prepare: (*items).prepare,
		operations: []operation[*items]{{"DynamoDB put", (*items).putAny}, {"DynamoDB get", (*items).getAny},
			{"DynamoDB query of 100", (*items).query}},
		create: (*items).create,
		batch:  perWrite,
		fill:   (*items).fill,
		grown:  []func(*items, context.Context, int) error{(*items).getGrown, (*items).putGrown},
	})
}

// item has about 250 bytes, as the rows of tables do.
func item(partition, key string) load.Item {
	made := load.Key(partition, key)
	made["text"] = load.String(text(150))
	made["number"] = &types.AttributeValueMemberN{Value: fmt.Sprint(rand.IntN(1 << 30))}
	made["flag"] = &types.AttributeValueMemberBOOL{Value: true}
	return made
}

func (c *items) create(ctx context.Context) error { return load.CreateItems(ctx, c.db, "Bench") }

// prepare makes the table and 50,000 items.
func (c *items) prepare(ctx context.Context) error {
	if err := c.create(ctx); err != nil {
		return err
	}
	return each(partitions*perBatch/perWrite, 4, func(i int) error {
		const batches = perBatch / perWrite
		return c.write(ctx, partition(i/batches), i%batches*perWrite)
	})
}

// write puts 25 items of a partition, beginning with a key.
func (c *items) write(ctx context.Context, partition string, first int) error {
	requests := make([]types.WriteRequest, perWrite)
	for i := range requests {
		requests[i].PutRequest = &types.PutRequest{Item: item(partition, key(first+i))}
	}
	_, err := c.db.BatchWriteItem(ctx,
		&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"Bench": requests}})
	return err
}

func (c *items) fill(ctx context.Context, first int) error { return c.write(ctx, growing, first) }

func (c *items) putAny(ctx context.Context, _ int) error   { return c.put(ctx, item(anyRow())) }
func (c *items) putGrown(ctx context.Context, i int) error { return c.put(ctx, item(growing, key(i))) }
func (c *items) getAny(ctx context.Context, _ int) error   { return c.get(ctx, load.Key(anyRow())) }
func (c *items) getGrown(ctx context.Context, i int) error {
	return c.get(ctx, load.Key(growing, key(i)))
}

func (c *items) put(ctx context.Context, item load.Item) error {
	return load.Whole(func() error {
		_, err := c.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: benchTable, Item: item})
		return err
	})
}

func (c *items) get(ctx context.Context, key load.Item) error {
	return load.Whole(func() error {
		_, err := c.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: benchTable, Key: key})
		return err
	})
}

func (c *items) query(ctx context.Context, _ int) error {
	return load.Whole(func() error {
		page, err := c.db.Query(ctx, &dynamodb.QueryInput{TableName: benchTable,
			KeyConditionExpression:    aws.String("pk = :p"),
			ExpressionAttributeValues: load.Item{":p": load.String(partition(rand.IntN(partitions)))}})
		if err == nil && len(page.Items) != perBatch {
			err = fmt.Errorf("a query gave %d items", len(page.Items))
		}
		return err
	})
}
