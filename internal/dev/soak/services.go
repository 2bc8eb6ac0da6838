//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/bloberror"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/internal/dev/load"
)

// service is one of the emulator's services, as one that keeps values below a partition and a key.
type service interface {
	prepare(ctx context.Context) error // makes the table or the container, unless it exists
	put(ctx context.Context, partition, key, value string) error
	get(ctx context.Context, partition, key string) (string, error) // "" if there is no value
	remove(ctx context.Context, partition, key string) error        // no error if there is no value
	list(ctx context.Context, partition string) (keys []string, err error)
}

// services returns the clients of an emulator, by name, and what closes their connections.
func services(at load.Addresses) (list map[string]service, closeAll func(), err error) {
	client := load.HTTP(16)
	table, box, err := load.Azure(client, at.Azure, "Soak", "soak")
	if err != nil {
		return nil, nil, err
	}
	return map[string]service{
		"tables":   tableService{table},
		"blobs":    blobService{box},
		"KV":       kvService{load.KV{Client: client, Base: at.KV, Token: "storespec"}},
		"DynamoDB": itemService{load.DynamoDB(client, at.DynamoDB)},
	}, client.CloseIdleConnections, nil
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

type kvService struct{ load.KV }

func (s kvService) prepare(context.Context) error { return nil }

// ask returns the body of an answer; "" for 404.
func (s kvService) ask(ctx context.Context, method, path, body string) (string, error) {
	answer, err := s.Send(ctx, method, path, []byte(body))
	if errors.Is(err, load.ErrMissing) {
		return "", nil
	}
	return string(answer), err
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
	return load.CreateItems(ctx, s.db, *itemTable)
}

// text returns an attribute of an item; "" if the item lacks it.
func text(of load.Item, name string) string {
	if value, ok := of[name].(*types.AttributeValueMemberS); ok {
		return value.Value
	}
	return ""
}

func (s itemService) put(ctx context.Context, partition, key, value string) error {
	of := load.Key(partition, key)
	of["value"] = load.String(value)
	return load.Whole(func() error {
		_, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{TableName: itemTable, Item: of})
		return err
	})
}

func (s itemService) get(ctx context.Context, partition, key string) (string, error) {
	var answer *dynamodb.GetItemOutput
	err := load.Whole(func() (err error) {
		answer, err = s.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: itemTable, Key: load.Key(partition, key),
			ConsistentRead: aws.Bool(true)})
		return err
	})
	if err != nil {
		return "", err
	}
	return text(answer.Item, "value"), nil
}

func (s itemService) remove(ctx context.Context, partition, key string) error {
	return load.Whole(func() error {
		_, err := s.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: itemTable, Key: load.Key(partition, key)})
		return err
	})
}

func (s itemService) list(ctx context.Context, partition string) (keys []string, err error) {
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{TableName: itemTable,
		ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("pk = :p"),
		ExpressionAttributeValues: load.Item{":p": load.String(partition)}})
	for pages.HasMorePages() {
		var page *dynamodb.QueryOutput
		if err := load.Whole(func() (err error) { page, err = pages.NextPage(ctx); return err }); err != nil {
			return nil, err
		}
		for _, of := range page.Items {
			keys = append(keys, text(of, "sk"))
		}
	}
	return keys, nil
}
