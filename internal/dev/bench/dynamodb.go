package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// perWrite is how many items a BatchWriteItem takes.
const perWrite = 25

// items is what a user of AWS's SDK has: a client, and the table Bench.
type items struct{ db *dynamodb.Client }

func newItems(address string) *items {
	return &items{dynamodb.New(dynamodb.Options{Region: "us-east-1", BaseEndpoint: &address, Retryer: aws.NopRetryer{},
		HTTPClient:  &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * many, DisableCompression: true}},
		Credentials: credentials.NewStaticCredentialsProvider("storespec", "storespec", "")})}
}

type attributes = map[string]types.AttributeValue

func stringOf(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// item has about 250 bytes, as the rows of tables do.
func item(partition, key string) attributes {
	return attributes{"pk": stringOf(partition), "sk": stringOf(key), "text": stringOf(text(150)),
		"number": &types.AttributeValueMemberN{Value: fmt.Sprint(rand.IntN(1 << 30))},
		"flag":   &types.AttributeValueMemberBOOL{Value: true}}
}

// create makes the table, and waits until it is active: dynalite takes its time.
func (c *items) create(ctx context.Context) error {
	define := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
	}
	if _, err := c.db.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: aws.String("Bench"),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{define("pk"), define("sk")},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}}}); err != nil {
		return err
	}
	return dynamodb.NewTableExistsWaiter(c.db, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 10*time.Millisecond, 100*time.Millisecond
	}).Wait(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("Bench")}, time.Minute)
}

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

func (c *items) put(ctx context.Context, partition, key string) error {
	_, err := c.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("Bench"), Item: item(partition, key)})
	return err
}

func (c *items) get(ctx context.Context, partition, key string) error {
	_, err := c.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("Bench"),
		Key: attributes{"pk": stringOf(partition), "sk": stringOf(key)}})
	return err
}

func (c *items) query(ctx context.Context, partition string) error {
	page, err := c.db.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("Bench"),
		KeyConditionExpression:    aws.String("pk = :p"),
		ExpressionAttributeValues: attributes{":p": stringOf(partition)}})
	if err == nil && len(page.Items) != perBatch {
		err = fmt.Errorf("a query gave %d items", len(page.Items))
	}
	return err
}

// whole asks again where the SDK closed the connection before it had read the answer, which it does over a fast
// loopback for one answer of 20 KB in a hundred, whatever the server is. The time counts.
func whole(ask func() error) error {
	for {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "use of closed network connection") {
			return err
		}
	}
}

// itemOperations are the lines of DynamoDB.
func itemOperations() []operation[*items] {
	some := func() (string, string) { return partition(rand.IntN(partitions)), key(rand.IntN(perBatch)) }
	return []operation[*items]{
		{"DynamoDB put", func(ctx context.Context, c *items, _ int) error {
			p, k := some()
			return whole(func() error { return c.put(ctx, p, k) })
		}},
		{"DynamoDB get", func(ctx context.Context, c *items, _ int) error {
			p, k := some()
			return whole(func() error { return c.get(ctx, p, k) })
		}},
		{"DynamoDB query of 100", func(ctx context.Context, c *items, _ int) error {
			p, _ := some()
			return whole(func() error { return c.query(ctx, p) })
		}},
	}
}
