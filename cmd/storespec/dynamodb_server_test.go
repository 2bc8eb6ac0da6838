package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// itemServer keeps items of several kinds in one table with an index. Its arguments are any of
//
//	once   what a batch leaves unprocessed is not sent again
//	scan   the items of a kind are found by a scan
//	wide   every item of a kind is asked for, and those that were not asked for are left out of the answer
type itemServer struct {
	client           *dynamodb.Client
	table            string
	once, scan, wide bool
}

const kindIndex = "byKind"

func serveItems(args []string) int {
	s := itemServer{dynamoDBClient(), os.Getenv("ITEMS_TABLE"), slices.Contains(args, "once"),
		slices.Contains(args, "scan"), slices.Contains(args, "wide")}
	exists := &types.ResourceInUseException{}
	if err := s.createTable(context.Background()); err != nil && !errors.As(err, &exists) {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	http.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	http.HandleFunc("POST /items/{kind}", s.add)
	http.HandleFunc("GET /items/{kind}", s.list)
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
	return 1
}

func (s *itemServer) createTable(ctx context.Context) error {
	var definitions []types.AttributeDefinition
	for _, name := range []string{"PK", "kind", "at"} {
		definitions = append(definitions, types.AttributeDefinition{AttributeName: &name,
			AttributeType: types.ScalarAttributeTypeS})
	}
	keys := func(names ...string) (schema []types.KeySchemaElement) {
		for i, name := range names {
			schema = append(schema, types.KeySchemaElement{AttributeName: &name,
				KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
		}
		return schema
	}
	_, err := s.client.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: &s.table,
		BillingMode: types.BillingModePayPerRequest, AttributeDefinitions: definitions, KeySchema: keys("PK"),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String(kindIndex),
			KeySchema:  keys("kind", "at"),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}}}})
	return err
}

// add stores an item for each id of {"ids":["a","b"]}, in one batch.
func (s *itemServer) add(w http.ResponseWriter, r *http.Request) {
	var sent struct{ IDs []string }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || len(sent.IDs) == 0 || len(sent.IDs) > 25 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	left := map[string][]types.WriteRequest{}
	for _, id := range sent.IDs {
		left[s.table] = append(left[s.table], types.WriteRequest{PutRequest: &types.PutRequest{
			Item: map[string]types.AttributeValue{
				"PK": textAttribute(id), "kind": textAttribute(r.PathValue("kind")), "at": textAttribute(id)}}})
	}
	for len(left) > 0 {
		out, err := s.client.BatchWriteItem(r.Context(), &dynamodb.BatchWriteItemInput{RequestItems: left})
		if err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		if left = out.UnprocessedItems; s.once {
			break
		}
	}
	w.WriteHeader(http.StatusCreated)
}

// list answers {"items":[{"id":"a"}]}, those of a kind from the one in ?from= on.
func (s *itemServer) list(w http.ResponseWriter, r *http.Request) {
	kind, from := r.PathValue("kind"), r.URL.Query().Get("from")
	found, err := s.find(r.Context(), kind, from)
	if err != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	type item struct {
		ID string `json:"id"`
	}
	items := []item{}
	for _, row := range found {
		id := row["PK"].(*types.AttributeValueMemberS).Value
		if row["kind"].(*types.AttributeValueMemberS).Value == kind && id >= from {
			items = append(items, item{id})
		}
	}
	slices.SortFunc(items, func(a, b item) int { return strings.Compare(a.ID, b.ID) })
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"items": items})
}

func (s *itemServer) find(ctx context.Context, kind, from string) ([]map[string]types.AttributeValue, error) {
	if s.scan {
		out, err := s.client.Scan(ctx, &dynamodb.ScanInput{TableName: &s.table})
		if err != nil {
			return nil, err
		}
		return out.Items, nil
	}
	in := &dynamodb.QueryInput{TableName: &s.table, IndexName: aws.String(kindIndex),
		KeyConditionExpression:    aws.String("kind = :kind AND #at >= :from"),
		ExpressionAttributeNames:  map[string]string{"#at": "at"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":kind": textAttribute(kind)}}
	if s.wide || from == "" { // a value of a key cannot be empty
		in.KeyConditionExpression, in.ExpressionAttributeNames = aws.String("kind = :kind"), nil
	} else {
		in.ExpressionAttributeValues[":from"] = textAttribute(from)
	}
	out, err := s.client.Query(ctx, in)
	if err != nil {
		return nil, err
	}
	return out.Items, nil
}
