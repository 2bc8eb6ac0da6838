package dynamodb

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"

	"github.com/storespec/storespec/internal/emulator/engine"
	"github.com/storespec/storespec/internal/wire/inprocess"
)

const (
	testKey    = "AKIDEXAMPLE"
	testSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
	testRegion = "eu-central-1"
)

// fixture is a fresh service with a client of AWS's SDK.
type fixture struct {
	t       testing.TB
	service *Service
	account *Account
	db      *dynamodb.Client
	streams *dynamodbstreams.Client
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	e, err := engine.Open(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return fixtureOn(t, e)
}

func fixtureOn(t testing.TB, e *engine.Engine) *fixture {
	t.Helper()
	s := New(Options{Engine: e, Keys: map[string]string{testKey: testSecret}, Log: t.Logf})
	a, err := s.Account(testKey, testRegion)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{t: t, service: s, account: a}
	f.db = clientOf(s, testKey, testSecret, testRegion)
	f.streams = dynamodbstreams.New(dynamodbstreams.Options{Region: testRegion, Retryer: aws.NopRetryer{},
		BaseEndpoint: aws.String("http://dynamodb.test"),
		HTTPClient:   &http.Client{Transport: inprocess.Transport{Handler: s}},
		Credentials:  credentials.NewStaticCredentialsProvider(testKey, testSecret, "")})
	return f
}

func clientOf(h http.Handler, key, secret, region string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{Region: region, Retryer: aws.NopRetryer{},
		BaseEndpoint: aws.String("http://dynamodb.test"),
		HTTPClient:   &http.Client{Transport: inprocess.Transport{Handler: h}},
		Credentials:  credentials.NewStaticCredentialsProvider(key, secret, "")})
}

// must returns what a call of the SDK has returned.
func must[T any](t testing.TB) func(out T, err error) T {
	return func(out T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// refused checks the code and the message of an error; want is a part of the message.
func refused(t testing.TB, err error, code, want string) {
	t.Helper()
	var known smithy.APIError
	if !errors.As(err, &known) {
		t.Fatalf("want %s %q, got %v", code, want, err)
	}
	if known.ErrorCode() != code || !strings.Contains(known.ErrorMessage(), want) {
		t.Fatalf("want %s %q, got %s %q", code, want, known.ErrorCode(), known.ErrorMessage())
	}
}

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func num(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

type attrs = map[string]types.AttributeValue

// createTable creates a table with keys pk and sk, strings; change may change the request.
func (f *fixture) createTable(name string, change func(*dynamodb.CreateTableInput)) {
	f.t.Helper()
	in := &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{define("pk", "S"), define("sk", "S")},
		KeySchema:            schema("pk", "sk"),
	}
	if change != nil {
		change(in)
	}
	must[*dynamodb.CreateTableOutput](f.t)(f.db.CreateTable(context.Background(), in))
	waiter := dynamodb.NewTableExistsWaiter(f.db)
	if err := waiter.Wait(context.Background(), &dynamodb.DescribeTableInput{TableName: &name},
		time.Minute); err != nil {
		f.t.Fatal(err)
	}
}

func define(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
	return types.AttributeDefinition{AttributeName: &name, AttributeType: kind}
}

func schema(partition, sort string) []types.KeySchemaElement {
	keys := []types.KeySchemaElement{{AttributeName: &partition, KeyType: types.KeyTypeHash}}
	if sort != "" {
		keys = append(keys, types.KeySchemaElement{AttributeName: &sort, KeyType: types.KeyTypeRange})
	}
	return keys
}

func global(name, partition, sort string, kind types.ProjectionType, also ...string) types.GlobalSecondaryIndex {
	return types.GlobalSecondaryIndex{IndexName: &name, KeySchema: schema(partition, sort),
		Projection: &types.Projection{ProjectionType: kind, NonKeyAttributes: also}}
}

func local(name, sort string, kind types.ProjectionType, also ...string) types.LocalSecondaryIndex {
	return types.LocalSecondaryIndex{IndexName: &name, KeySchema: schema("pk", sort),
		Projection: &types.Projection{ProjectionType: kind, NonKeyAttributes: also}}
}

// indexed gives a table a global index on gpk and gsk, a sparse one with parts, and a local one.
func indexed(in *dynamodb.CreateTableInput) {
	in.AttributeDefinitions = append(in.AttributeDefinitions, define("gpk", "S"), define("gsk", "N"), define("lsk",
		"S"))
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{global("all", "gpk", "gsk", types.ProjectionTypeAll),
		global("some", "gpk", "", types.ProjectionTypeInclude, "proj")}
	in.LocalSecondaryIndexes = []types.LocalSecondaryIndex{local("near", "lsk", types.ProjectionTypeKeysOnly)}
}

func (f *fixture) put(table string, item attrs) {
	f.t.Helper()
	must[*dynamodb.PutItemOutput](f.t)(f.db.PutItem(context.Background(),
		&dynamodb.PutItemInput{TableName: &table, Item: item}))
}

func (f *fixture) get(table string, key attrs) attrs {
	f.t.Helper()
	return must[*dynamodb.GetItemOutput](f.t)(f.db.GetItem(context.Background(),
		&dynamodb.GetItemInput{TableName: &table, Key: key, ConsistentRead: aws.Bool(true)})).Item
}

// raw sends a request that is not signed to a service that takes those.
func (f *fixture) raw(target, body string) *httptest.ResponseRecorder {
	f.t.Helper()
	s := New(Options{Engine: f.service.options.Engine, NoAuth: true, Log: f.t.Logf})
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("X-Amz-Target", target)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}
