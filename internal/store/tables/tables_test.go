package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/conform"
	"github.com/storespec/storespec/internal/wire"
	protocol "github.com/storespec/storespec/internal/wire/dynamodb"
)

// lab is a namespace of a store behind a gateway, with AWS's SDK as the target.
type lab struct {
	t      *testing.T
	lease  *store.Lease
	rec    *wire.Recorder
	gate   *wire.Gateway
	page   *wire.Paging
	sdk    *dynamodb.Client
	name   string // of the table
	values map[string]string
}

// TestStores runs every test on every store that the machine has. Each store is started once: Java takes its time.
func TestStores(t *testing.T) {
	for _, name := range []string{"embedded", "dynalite", "dynamodb-local"} {
		t.Run(name, func(t *testing.T) {
			if name != "embedded" && testing.Short() {
				t.Skip("starts a process")
			}
			opened, err := store.Open(t.Context(), []store.Kind{Kind{}}, store.Options{Name: name, Lanes: 2, Cold: 1})
			if errors.Is(err, store.ErrUnavailable) && os.Getenv("CI") != "true" {
				t.Skip(err)
			}
			must(t, err)
			t.Cleanup(func() { must(t, opened.Close(context.WithoutCancel(t.Context()))) })
			for _, test := range []struct {
				name, needs string
				run         func(*lab)
			}{
				{"calls of AWS's SDK", "", callsOfSDK}, {"faults that the SDK understands", "", faults},
				{"transactions", Transactions, transactions}, {"batches in part", "", batchesInPart},
				{"short pages", "", shortPages}, {"distortions", "", distortions}, {"rows", "", rowsOfNamespace},
				{"an index that lags", IndexLag, indexLags},
				{"a table that is made again", "", madeAnew},
			} {
				t.Run(test.name, func(t *testing.T) {
					lease, err := opened.Lease(t.Context())
					must(t, err)
					defer lease.Release()
					if why := lease.Lacks(test.needs); test.needs != "" && why != "" {
						t.Skip(why)
					}
					test.run(newLab(t, lease))
				})
			}
			h := conform.Harness{Lanes: 2, Key: []string{"ana"}, ColdOnce: name != "embedded",
				Snapshots: name == "embedded",
				Resource:  func(l *store.Lease) string { return l.Values(nil)[placeTable] }}
			conform.Run(t, opened, h)
			conform.RunLanes(t, opened, h)
		})
	}
}

func newLab(t *testing.T, lease *store.Lease) *lab {
	t.Helper()
	l := &lab{t: t, lease: lease, rec: wire.NewRecorder(), page: &wire.Paging{}}
	var err error
	l.gate, err = wire.NewGateway(l.rec, l.page.Handlers(lease.Upstream()), wire.GatewayOptions{})
	must(t, err)
	t.Cleanup(func() { _ = l.gate.Close() })
	l.values = lease.Values(l.gate.Endpoints())
	l.name = l.values[placeTable]
	l.sdk = dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(l.values[placeEndpoint]),
		Region: l.values[placeRegion], Credentials: credentials.NewStaticCredentialsProvider(
			l.values[placeAccessKey], l.values[placeSecretKey], "")})
	must(t, lease.Rows().(store.Provisioner).Provision(t.Context(), []byte(`{"TableName":"Notes",
		"BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
		{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},
		{"AttributeName":"G","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"GSI","KeySchema":[{"AttributeName":"G","KeyType":"HASH"},
		{"AttributeName":"PK","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`),
		func(string) string { return l.name }))
	return l
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type attributes = map[string]types.AttributeValue

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func key(pk, sk string) attributes { return attributes{"PK": text(pk), "SK": text(sk)} }

// fill writes n items of one partition.
func (l *lab) fill(n int) {
	l.t.Helper()
	for i := range n {
		must(l.t, l.lease.Rows().Put(l.t.Context(), l.name, []string{"ana", fmt.Sprintf("note#%02d", i)},
			store.Row{"G": {Is: "all"}, "n": {Is: json.Number("3")}}))
	}
}

// last returns the last recorded call.
func (l *lab) last() wire.Call {
	l.t.Helper()
	calls := l.rec.Calls()
	if len(calls) == 0 {
		l.t.Fatal("no call was recorded")
	}
	return calls[len(calls)-1]
}

func units(c wire.Call) string {
	if c.Capacity == nil {
		return "unknown"
	}
	return fmt.Sprint(*c.Capacity)
}

func callsOfSDK(l *lab) {
	ctx, name := l.t.Context(), &l.name
	check := func(want string) {
		l.t.Helper()
		c := l.last()
		got := fmt.Sprintf("%s %s: %d found, %d, %s units, guard %d", c.Class,
			strings.ReplaceAll(c.Place(), l.name, "T"), c.Entities, c.Status, units(c), c.Guard)
		if got != want {
			l.t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	_, err := l.sdk.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: attributes{"PK": text("ana"),
		"SK": text("a"), "G": text("all")}})
	must(l.t, err)
	if l.lease.Lacks(Capacity) == "" {
		check("put T ana / a: 0 found, 200, 2 units, guard 3")
	}
	got, err := l.sdk.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: key("ana", "a")})
	must(l.t, err)
	check("get T ana / a: 1 found, 200, 0.5 units, guard 0")
	if got.ConsumedCapacity != nil {
		l.t.Error("the client sees a figure that it did not ask for")
	}
	got, err = l.sdk.GetItem(ctx, &dynamodb.GetItemInput{TableName: name, Key: key("ana", "a"),
		ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
	must(l.t, err)
	check("get T ana / a: 1 found, 200, 1 units, guard 0")
	if got.ConsumedCapacity == nil || !l.last().Consistent {
		l.t.Error("the client does not see a figure that it asked for")
	}
	_, err = l.sdk.Query(ctx, &dynamodb.QueryInput{TableName: name, IndexName: aws.String("GSI"),
		KeyConditionExpression:    aws.String("#g = :g AND begins_with(PK, :p)"),
		ExpressionAttributeNames:  map[string]string{"#g": "G"},
		ExpressionAttributeValues: attributes{":g": text("all"), ":p": text("an")}})
	must(l.t, err)
	check("query T/GSI all / begins_with an: 1 found, 200, 0.5 units, guard 0")
	_, err = l.sdk.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: name, Key: key("ana", "a"),
		UpdateExpression: aws.String("SET v = :v"), ConditionExpression: aws.String("attribute_not_exists(PK)"),
		ExpressionAttributeValues: attributes{":v": text("x")}})
	if failed := new(types.ConditionalCheckFailedException); !errors.As(err, &failed) {
		l.t.Errorf("update: %v", err)
	}
	check("update T ana / a: 0 found, 400, unknown units, guard 1")
	_, err = l.sdk.Scan(ctx, &dynamodb.ScanInput{TableName: name})
	must(l.t, err)
	check("scan T: 1 found, 200, 0.5 units, guard 0")
	if !l.last().Scans() {
		l.t.Error("a scan does not scan")
	}
}

func faults(l *lab) {
	get := func(reason wire.Refusal, times int) (err error) {
		l.rec.Reset()
		n := 0
		defer l.gate.Interpose(func(_ wire.Call, next http.Handler) http.Handler {
			if n++; n <= times {
				return wire.Refused(reason)
			}
			return next
		})()
		_, err = l.sdk.GetItem(l.t.Context(), &dynamodb.GetItemInput{TableName: &l.name, Key: key("ana", "a")},
			func(o *dynamodb.Options) { o.RetryMaxAttempts = 2 })
		return err
	}
	for reason, want := range map[wire.Refusal]any{
		wire.Throttled: new(*types.ProvisionedThroughputExceededException),
		wire.Broken:    new(*types.InternalServerError), wire.Stale: new(*types.ConditionalCheckFailedException),
		wire.Conflict: new(*types.TransactionConflictException), wire.Missing: new(*types.ResourceNotFoundException),
	} {
		if err := get(reason, 9); !errors.As(err, want) {
			l.t.Errorf("%d: %v", reason, err)
		}
	}
	must(l.t, get(wire.Throttled, 1))
	if c := l.last(); c.Attempts != 2 || c.Status != 200 || len(l.rec.Calls()) != 1 {
		l.t.Errorf("after being throttled: %+v", l.rec.Calls())
	}
}

func transactions(l *lab) {
	write := func() error {
		_, err := l.sdk.TransactWriteItems(l.t.Context(), &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: &l.name, Item: key("ana", "a"),
					ConditionExpression: aws.String("attribute_not_exists(PK)")}},
				{Delete: &types.Delete{TableName: &l.name, Key: key("ana", "b")}}}})
		return err
	}
	must(l.t, write())
	if c := l.last(); c.Class != protocol.TransactWrite || units(c) != "4" && l.lease.Lacks(Capacity) == "" ||
		len(c.Inner) != 2 ||
		c.Inner[0].Name() != "ana / a" || c.Inner[0].Guard != wire.Guarded || !c.Succeeded() {
		l.t.Errorf("%s units, %s, %+v", units(c), c.Inner[0].Name(), c)
	}
	canceled := new(types.TransactionCanceledException)
	if err := write(); !errors.As(err, &canceled) {
		l.t.Fatal(err)
	}
	if c := l.last(); c.ErrorCode != "TransactionCanceledException" || c.InvitesRetry ||
		c.Inner[0].ErrorCode != "ConditionalCheckFailed" || c.Inner[1].Status != 0 {
		l.t.Errorf("%+v", c)
	}
	defer l.gate.Interpose(func(wire.Call, http.Handler) http.Handler { return wire.Refused(wire.Conflict) })()
	if err := write(); !errors.As(err, &canceled) || len(canceled.CancellationReasons) != 2 ||
		*canceled.CancellationReasons[0].Code != "TransactionConflict" {
		l.t.Fatalf("%v", err)
	}
	if !l.last().InvitesRetry {
		l.t.Error("a conflict invites no retry")
	}
}

func batchesInPart(l *lab) {
	l.fill(5)
	defer l.gate.Interpose(func(_ wire.Call, next http.Handler) http.Handler {
		return protocol.Protocol{Of: signedBy(l)}.Leave(2, next)
	})()
	keys := types.KeysAndAttributes{}
	for i := range 5 {
		keys.Keys = append(keys.Keys, key("ana", fmt.Sprintf("note#%02d", i)))
	}
	asked, got, rounds := map[string]types.KeysAndAttributes{l.name: keys}, 0, 0
	for ; len(asked) > 0; rounds++ {
		answer, err := l.sdk.BatchGetItem(l.t.Context(), &dynamodb.BatchGetItemInput{RequestItems: asked})
		must(l.t, err)
		got += len(answer.Responses[l.name])
		asked = answer.UnprocessedKeys
	}
	if calls := l.rec.Calls(); got != 5 || rounds != 3 || calls[0].Unprocessed != 2 || calls[0].Entities != 3 {
		l.t.Errorf("%d items in %d rounds, %+v", got, rounds, calls)
	}
}

// signedBy is what the gateway's protocol knows.
func signedBy(l *lab) *protocol.Tables {
	for p := range l.lease.Upstream() {
		return p.(protocol.Protocol).Of
	}
	return nil
}

func shortPages(l *lab) {
	l.fill(5)
	l.page.Set(wire.Pages{Rows: 2, Empty: true})
	pages := dynamodb.NewQueryPaginator(l.sdk, &dynamodb.QueryInput{TableName: &l.name,
		KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: attributes{":p": text("ana")}})
	got := 0
	for pages.HasMorePages() {
		page, err := pages.NextPage(l.t.Context())
		must(l.t, err)
		got += len(page.Items)
	}
	calls := l.rec.Calls()
	if got != 5 || len(calls) != 3 || calls[0].Class != protocol.Query || !calls[0].More ||
		calls[2].Class != protocol.Page {
		l.t.Errorf("%d items, %d calls: %+v", got, len(calls), calls)
	}
}

// The gateway asks the store what a call has cost, and signs that again: it must not help a target with a wrong key.
func TestAWrongKeyIsRefused(t *testing.T) {
	opened, err := store.Open(t.Context(), []store.Kind{Kind{}}, store.Options{Name: "embedded"})
	must(t, err)
	t.Cleanup(func() { must(t, opened.Close(context.WithoutCancel(t.Context()))) })
	lease, err := opened.Lease(t.Context())
	must(t, err)
	defer lease.Release()
	l := newLab(t, lease)
	read := &dynamodb.GetItemInput{TableName: &l.name, Key: key("ana", "milk")}
	_, err = l.sdk.GetItem(t.Context(), read)
	must(t, err)
	id, secret, region := l.values[placeAccessKey], l.values[placeSecretKey], l.values[placeRegion]
	for want, wrong := range map[string][3]string{
		"UnrecognizedClientException": {"AKIDWRONG", secret, region},
		"InvalidSignatureException":   {id, "wrong", region},
		"ResourceNotFoundException":   {id, secret, "eu-west-1"}, // another region has other tables
	} {
		sdk := dynamodb.New(dynamodb.Options{BaseEndpoint: aws.String(l.values[placeEndpoint]), Region: wrong[2],
			Credentials: credentials.NewStaticCredentialsProvider(wrong[0], wrong[1], "")})
		if _, err := sdk.GetItem(t.Context(), read); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with %v: %v, not %s", wrong, err, want)
		}
	}
}
