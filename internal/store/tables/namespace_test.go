package tables

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
	protocol "github.com/storespec/storespec/internal/wire/dynamodb"
)

func distortions(l *lab) {
	l.fill(3)
	of := protocol.Protocol{Of: signedBy(l)}
	handler := l.lease.Upstream()[of]
	ask := func(handler http.Handler, operation, body string) (wire.Call, string) {
		req, err := http.NewRequest("POST", l.values[placeEndpoint]+"/", strings.NewReader(body))
		must(l.t, err)
		req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		req.Header.Set("Content-Type", "application/x-amz-json-1.0")
		l.lease.Sign(protocol.Service, req)
		answer := wire.Discard(handler, req)
		if answer.Status != http.StatusOK {
			l.t.Fatalf("%s %s: %d %s", operation, body, answer.Status, answer.Body)
		}
		return wire.Call{}, string(answer.Body)
	}
	widened := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, body, err := wire.ReadWhole(of, req)
		must(l.t, err)
		changed, body, ok := of.Unfiltered(req, body)
		if !ok {
			l.t.Error("nothing to widen")
		}
		changed = wire.WithBody(changed, body)
		l.lease.Sign(protocol.Service, changed)
		handler.ServeHTTP(w, changed)
	})
	_, body := ask(widened, "Query", `{"TableName":"`+l.name+`","KeyConditionExpression":"#p = :p",`+
		`"ExpressionAttributeNames":{"#p":"PK"},"ExpressionAttributeValues":{":p":{"S":"nobody"}}}`)
	if !strings.Contains(body, `"Count":3`) {
		l.t.Errorf("widened: %s", body)
	}
	lagging := of.Lagging(l.name, func(r *http.Request) { l.lease.Sign(protocol.Service, r) }, handler)
	ask(lagging, "UpdateItem", `{"TableName":"`+l.name+`","Key":{"PK":{"S":"ana"},"SK":{"S":"note#00"}},`+
		`"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"4"}}}`)
	first := `{"TableName":"` + l.name + `","Key":{"PK":{"S":"ana"},"SK":{"S":"note#00"}}}`
	if _, body := ask(lagging, "GetItem", first); !strings.Contains(body, `"n":{"N":"3"}`) {
		l.t.Errorf("lagging: %s", body)
	}
	ask(lagging, "PutItem", `{"TableName":"`+l.name+`","Item":{"PK":{"S":"ana"},"SK":{"S":"new"}}}`)
	if _, body := ask(lagging, "Scan", `{"TableName":"`+l.name+`"}`); !strings.Contains(body, `"Count":3`) {
		l.t.Errorf("lagging: %s", body)
	}
}

func rowsOfNamespace(l *lab) {
	ctx, rows := l.t.Context(), l.lease.Rows()
	row := store.Row{"s": {Is: "x"}, "n": {Is: json.Number("12.5")}, "yes": {Is: true},
		"nothing": {Is: true, Type: "NULL"},
		"kind":    {Is: `{"done":true,"list":[1,"a",null],"type":"task"}`, Type: "M"},
		"tags":    {Is: `["a","b"]`, Type: "SS"}}
	must(l.t, rows.Put(ctx, l.name, []string{"ana", "b"}, row))
	must(l.t, rows.Put(ctx, l.name, []string{"ana", "a"}, store.Row{}))
	got, err := rows.Get(ctx, l.name, []string{"ana", "b"})
	must(l.t, err)
	want := store.Row{"PK": {Is: "ana", Type: "S"}, "SK": {Is: "b", Type: "S"}, "s": {Is: "x", Type: "S"},
		"n": {Is: json.Number("12.5"), Type: "N"}, "yes": {Is: true, Type: "BOOL"}, "nothing": {Is: true, Type: "NULL"},
		"kind": row["kind"], "tags": row["tags"]}
	if !reflect.DeepEqual(got, want) {
		l.t.Errorf("got  %v\nwant %v", got, want)
	}
	list, err := rows.List(ctx, l.name, []string{"ana"})
	must(l.t, err)
	whole, err := rows.List(ctx, l.name, nil)
	must(l.t, err)
	if len(list) != 2 || len(whole) != 2 || list[0]["SK"].Is != "a" || whole[1]["SK"].Is != "b" {
		l.t.Errorf("lists %v %v", list, whole)
	}
	other := l.name + "-other"
	must(l.t, rows.Put(ctx, other, []string{"one"}, store.Row{}))
	resources, err := rows.Resources(ctx)
	must(l.t, err)
	if !reflect.DeepEqual(resources, []string{l.name, other}) {
		l.t.Errorf("resources %v", resources)
	}
	if none, err := rows.Get(ctx, "none-such", []string{"a", "b"}); none != nil || err != nil {
		l.t.Errorf("a table that is missing: %v %v", none, err)
	}
	must(l.t, l.lease.Clean(ctx))
	left, err := rows.List(ctx, l.name, nil)
	must(l.t, err)
	if len(left) != 0 {
		l.t.Errorf("left after cleaning: %v", left)
	}
	if calls := l.rec.Calls(); len(calls) > 0 {
		l.t.Errorf("the harness's own calls were recorded: %v", calls)
	}
}

// madeAnew deletes a table that the harness knows and creates it with another key, as a target may.
func madeAnew(l *lab) {
	ctx, rows := l.t.Context(), l.lease.Rows()
	l.fill(1)
	described := &dynamodb.DescribeTableInput{TableName: &l.name}
	remove := func() {
		_, err := l.sdk.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &l.name})
		must(l.t, err)
		must(l.t, dynamodb.NewTableNotExistsWaiter(l.sdk, func(o *dynamodb.TableNotExistsWaiterOptions) {
			o.MinDelay = 10 * time.Millisecond
		}).Wait(ctx, described, patience))
	}
	remove()
	if row, err := rows.Get(ctx, l.name, []string{"ana", "note#00"}); row != nil || err != nil {
		l.t.Errorf("of a deleted table: %v %v", row, err)
	}
	for _, c := range []struct {
		names []string
		types []types.ScalarAttributeType
		key   []string
	}{
		{[]string{"id"}, []types.ScalarAttributeType{"N"}, []string{"7"}},
		{[]string{"id", "at"}, []types.ScalarAttributeType{"S", "N"}, []string{"ana", "8"}},
		{[]string{"id", "at"}, []types.ScalarAttributeType{"S", "S"}, []string{"ana", "8"}},
	} {
		made := &dynamodb.CreateTableInput{TableName: &l.name, BillingMode: types.BillingModePayPerRequest}
		for i, name := range c.names {
			made.AttributeDefinitions = append(made.AttributeDefinitions,
				types.AttributeDefinition{AttributeName: &name, AttributeType: c.types[i]})
			made.KeySchema = append(made.KeySchema,
				types.KeySchemaElement{AttributeName: &name, KeyType: []types.KeyType{"HASH", "RANGE"}[i]})
		}
		_, err := l.sdk.CreateTable(ctx, made)
		must(l.t, err)
		must(l.t, dynamodb.NewTableExistsWaiter(l.sdk, func(o *dynamodb.TableExistsWaiterOptions) {
			o.MinDelay = 10 * time.Millisecond
		}).Wait(ctx, described, patience))
		must(l.t, rows.Put(ctx, l.name, c.key, store.Row{"s": {Is: "x"}}))
		list, err := rows.List(ctx, l.name, c.key[:1])
		must(l.t, err)
		if row, err := rows.Get(ctx, l.name, c.key); err != nil || row["s"].Is != "x" || len(list) != 1 {
			l.t.Errorf("key %v: %v %v, %v", c.key, row, err, list)
		}
		remove()
	}
}

// indexLags also brings back what was there when a snapshot was taken.
func indexLags(l *lab) {
	ctx := l.t.Context()
	restore, err := l.lease.Snapshot(ctx)
	must(l.t, err)
	l.lease.Simulation().Lag(1)
	_, err = l.sdk.PutItem(ctx, &dynamodb.PutItemInput{TableName: &l.name, Item: attributes{"PK": text("a"),
		"SK": text("b"), "G": text("all")}})
	must(l.t, err)
	for _, want := range []int32{0, 1} {
		found, err := l.sdk.Query(ctx, &dynamodb.QueryInput{TableName: &l.name, IndexName: aws.String("GSI"),
			KeyConditionExpression: aws.String("G = :g"), ExpressionAttributeValues: attributes{":g": text("all")}})
		must(l.t, err)
		if found.Count != want {
			l.t.Errorf("%d found, want %d", found.Count, want)
		}
	}
	must(l.t, restore(ctx))
	if rows, err := l.lease.Rows().List(ctx, l.name, nil); err != nil || len(rows) != 0 {
		l.t.Errorf("after a restore: %v %v", rows, err)
	}
}
