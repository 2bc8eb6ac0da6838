package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// HTTP returns a client that keeps so many connections to a server, and does not compress.
func HTTP(connections int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
}

// Azure returns clients of a table and of a container, neither of which it creates.
func Azure(client *http.Client, connection, table, box string) (*aztables.Client, *container.Client, error) {
	options := azcore.ClientOptions{Transport: client, Retry: policy.RetryOptions{MaxRetries: -1}}
	service, err := aztables.NewServiceClientFromConnectionString(connection,
		&aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, nil, err
	}
	blobs, err := container.NewClientFromConnectionString(connection, box,
		&container.ClientOptions{ClientOptions: options})
	return service.NewClient(table), blobs, err
}

// DynamoDB returns a client.
func DynamoDB(client *http.Client, address string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{Region: "us-east-1", BaseEndpoint: &address, Retryer: aws.NopRetryer{},
		HTTPClient: client, Credentials: credentials.NewStaticCredentialsProvider("storespec", "storespec", "")})
}

// Item is the attributes of an item.
type Item = map[string]types.AttributeValue

// String returns a text as the value of an attribute.
func String(text string) types.AttributeValue { return &types.AttributeValueMemberS{Value: text} }

// Key returns the key of an item in a table of CreateItems.
func Key(partition, key string) Item { return Item{"pk": String(partition), "sk": String(key)} }

// CreateItems creates a table for items with the keys pk and sk, and waits until it is active: dynalite takes its time.
// A table that exists is left as it is.
func CreateItems(ctx context.Context, db *dynamodb.Client, table string) error {
	define := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
	}
	_, err := db.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: &table,
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{define("pk"), define("sk")},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}}})
	if _, exists := errors.AsType[*types.ResourceInUseException](err); err != nil && !exists {
		return err
	}
	return dynamodb.NewTableExistsWaiter(db, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 10*time.Millisecond, 100*time.Millisecond
	}).Wait(ctx, &dynamodb.DescribeTableInput{TableName: &table}, time.Minute)
}

// Whole asks again if AWS's SDK closed the connection before it had read the answer, which it does now and then over a
// fast loopback (for one answer of 20 KB in a hundred), whatever the server is. The request must be one that can be
// made twice; the time counts.
func Whole(ask func() error) error {
	for {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "use of closed network connection") {
			return err
		}
	}
}

// KV is a namespace of Workers KV, by its REST API. It uses no SDK: that would be most of what is measured.
type KV struct {
	Client      *http.Client
	Base, Token string
}

// ErrMissing says that a namespace has no such key.
var ErrMissing = errors.New("not found")

// Send sends a request and returns the body of the answer. The error wraps ErrMissing if that is a 404.
func (c KV) Send(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.Token)
	response, err := c.Client.Do(request)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(response.Body)
	switch err = errors.Join(err, response.Body.Close()); {
	case err == nil && response.StatusCode == http.StatusNotFound:
		err = fmt.Errorf("%s %s: %w", method, path, ErrMissing)
	case err == nil && response.StatusCode != http.StatusOK:
		err = fmt.Errorf("%s %s: %s: %.200s", method, path, response.Status, answer)
	}
	return answer, err
}
