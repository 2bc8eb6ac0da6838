//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// service is one of the emulator's services, as one that keeps values below a partition and a key.
type service interface {
	prepare(ctx context.Context) error // makes the table or the container, unless it exists
	put(ctx context.Context, partition, key, value string) error
	get(ctx context.Context, partition, key string) (string, error) // "" if there is no value
	remove(ctx context.Context, partition, key string) error        // no error if there is no value
	list(ctx context.Context, partition string) (keys []string, err error)
}

// addresses are where an emulator that was started listens.
type addresses struct{ azure, kv, dynamodb string }

// services returns the clients, by name, and what closes their connections. None tries again: a second attempt would
// hide an error.
func (a addresses) services() (list map[string]service, closeAll func(), err error) {
	transport := &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}
	client := &http.Client{Transport: transport}
	options := azcore.ClientOptions{Transport: client, Retry: policy.RetryOptions{MaxRetries: -1}}
	tables, err := aztables.NewServiceClientFromConnectionString(a.azure,
		&aztables.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, nil, err
	}
	box, err := container.NewClientFromConnectionString(a.azure, "soak",
		&container.ClientOptions{ClientOptions: options})
	if err != nil {
		return nil, nil, err
	}
	items := dynamodb.New(dynamodb.Options{Region: "us-east-1", BaseEndpoint: &a.dynamodb, Retryer: aws.NopRetryer{},
		HTTPClient: client, Credentials: credentials.NewStaticCredentialsProvider("storespec", "storespec", "")})
	return map[string]service{
		"tables":   tableService{tables.NewClient("Soak")},
		"blobs":    blobService{box},
		"KV":       kvService{client, a.kv},
		"DynamoDB": itemService{items},
	}, transport.CloseIdleConnections, nil
}

type tableService struct{ table *aztables.Client }

func (s tableService) prepare(ctx context.Context) error {
	_, err := s.table.CreateTable(ctx, nil)
	return unless(err, string(aztables.TableAlreadyExists))
}

func (s tableService) put(ctx context.Context, partition, key, value string) error {
	entity, err := json.Marshal(map[string]string{"PartitionKey": partition, "RowKey": key, "Value": value})
	if err != nil {
		return err
	}
	_, err = s.table.UpsertEntity(ctx, entity,
		&aztables.UpsertEntityOptions{UpdateMode: aztables.UpdateModeReplace})
	return err
}

func (s tableService) get(ctx context.Context, partition, key string) (string, error) {
	answer, err := s.table.GetEntity(ctx, partition, key, nil)
	if err != nil {
		return "", unless(err, string(aztables.ResourceNotFound))
	}
	var entity struct{ Value string }
	return entity.Value, errors.Join(json.Unmarshal(answer.Value, &entity))
}

func (s tableService) remove(ctx context.Context, partition, key string) error {
	_, err := s.table.DeleteEntity(ctx, partition, key, nil)
	return unless(err, string(aztables.ResourceNotFound))
}

func (s tableService) list(ctx context.Context, partition string) (keys []string, err error) {
	filter := "PartitionKey eq '" + partition + "'"
	for pager := s.table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter}); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, text := range page.Entities {
			var entity struct{ RowKey string }
			if err := json.Unmarshal(text, &entity); err != nil {
				return nil, err
			}
			keys = append(keys, entity.RowKey)
		}
	}
	return keys, nil
}

type blobService struct{ box *container.Client }

func (s blobService) prepare(ctx context.Context) error {
	_, err := s.box.Create(ctx, nil)
	return unless(err, string(bloberror.ContainerAlreadyExists))
}

func (s blobService) put(ctx context.Context, partition, key, value string) error {
	body := streaming.NopCloser(strings.NewReader(value))
	_, err := s.box.NewBlockBlobClient(partition+"/"+key).Upload(ctx, body, nil)
	return err
}

func (s blobService) get(ctx context.Context, partition, key string) (string, error) {
	answer, err := s.box.NewBlobClient(partition+"/"+key).DownloadStream(ctx, nil)
	if err != nil {
		return "", unless(err, string(bloberror.BlobNotFound))
	}
	value, err := io.ReadAll(answer.Body)
	return string(value), errors.Join(err, answer.Body.Close())
}

func (s blobService) remove(ctx context.Context, partition, key string) error {
	_, err := s.box.NewBlobClient(partition+"/"+key).Delete(ctx, nil)
	return unless(err, string(bloberror.BlobNotFound))
}

func (s blobService) list(ctx context.Context, partition string) (keys []string, err error) {
	prefix := partition + "/"
	for pager := s.box.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{Prefix: &prefix}); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return nil, err
		}
		for _, blob := range page.Segment.BlobItems {
			keys = append(keys, strings.TrimPrefix(*blob.Name, prefix))
		}
	}
	return keys, nil
}

// unless is an error of Azure, unless it has a code.
func unless(err error, code string) error {
	if answered, ok := errors.AsType[*azcore.ResponseError](err); ok && answered.ErrorCode == code {
		return nil
	}
	return err
}

// kvService speaks the REST API of Workers KV; at is the address of a namespace.
type kvService struct {
	client *http.Client
	at     string
}

func (s kvService) prepare(context.Context) error { return nil }

// ask returns the body of an answer; "" for 404.
func (s kvService) ask(ctx context.Context, method, path, body string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.at+path, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer storespec")
	answer, err := s.client.Do(request)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(answer.Body)
	err = errors.Join(err, answer.Body.Close())
	switch {
	case err != nil:
		return "", err
	case answer.StatusCode == http.StatusNotFound:
		return "", nil
	case answer.StatusCode != http.StatusOK:
		return "", fmt.Errorf("%s %s answered %d: %s", method, path, answer.StatusCode, text)
	}
	return string(text), nil
}

func (s kvService) put(ctx context.Context, partition, key, value string) error {
	_, err := s.ask(ctx, http.MethodPut, "/values/"+url.PathEscape(partition+"/"+key), value)
	return err
}

func (s kvService) get(ctx context.Context, partition, key string) (string, error) {
	return s.ask(ctx, http.MethodGet, "/values/"+url.PathEscape(partition+"/"+key), "")
}

func (s kvService) remove(ctx context.Context, partition, key string) error {
	_, err := s.ask(ctx, http.MethodDelete, "/values/"+url.PathEscape(partition+"/"+key), "")
	return err
}

func (s kvService) list(ctx context.Context, partition string) (keys []string, err error) {
	text, err := s.ask(ctx, http.MethodGet, "/keys?prefix="+url.QueryEscape(partition+"/"), "")
	if err != nil {
		return nil, err
	}
	var page struct{ Result []struct{ Name string } }
	if err := json.Unmarshal([]byte(text), &page); err != nil {
		return nil, err
	}
	for _, key := range page.Result {
		keys = append(keys, strings.TrimPrefix(key.Name, partition+"/"))
	}
	return keys, nil
}

type itemService struct{ db *dynamodb.Client }

var itemTable = aws.String("Soak")

func (s itemService) prepare(ctx context.Context) error {
	define := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
	}
	_, err := s.db.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: itemTable,
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{define("pk"), define("sk")},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange}}})
	if _, exists := errors.AsType[*types.ResourceInUseException](err); exists {
		return nil
	}
	return err
}

// whole asks again where the SDK closed the connection before it had read the answer, which AWS's does now and then
// over a fast loopback, whatever the server is. All of these requests can be made twice.
func whole(ask func() error) error {
	for {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "use of closed network connection") {
			return err
		}
	}
}

type item = map[string]types.AttributeValue

func itemOf(partition, key string) item {
	return item{"pk": &types.AttributeValueMemberS{Value: partition}, "sk": &types.AttributeValueMemberS{Value: key}}
}

// text returns an attribute of an item; "" if the item lacks it.
func text(of item, name string) string {
	if value, ok := of[name].(*types.AttributeValueMemberS); ok {
		return value.Value
	}
	return ""
}

func (s itemService) put(ctx context.Context, partition, key, value string) error {
	of := itemOf(partition, key)
	of["value"] = &types.AttributeValueMemberS{Value: value}
	return whole(func() error {
		_, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: itemTable, Item: of})
		return err
	})
}

func (s itemService) get(ctx context.Context, partition, key string) (string, error) {
	var answer *dynamodb.GetItemOutput
	err := whole(func() (err error) {
		answer, err = s.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: itemTable, Key: itemOf(partition, key),
			ConsistentRead: aws.Bool(true)})
		return err
	})
	if err != nil {
		return "", err
	}
	return text(answer.Item, "value"), nil
}

func (s itemService) remove(ctx context.Context, partition, key string) error {
	return whole(func() error {
		_, err := s.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: itemTable, Key: itemOf(partition, key)})
		return err
	})
}

func (s itemService) list(ctx context.Context, partition string) (keys []string, err error) {
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{TableName: itemTable,
		ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("pk = :p"),
		ExpressionAttributeValues: item{":p": &types.AttributeValueMemberS{Value: partition}}})
	for pages.HasMorePages() {
		var page *dynamodb.QueryOutput
		if err := whole(func() (err error) { page, err = pages.NextPage(ctx); return err }); err != nil {
			return nil, err
		}
		for _, of := range page.Items {
			keys = append(keys, text(of, "sk"))
		}
	}
	return keys, nil
}
