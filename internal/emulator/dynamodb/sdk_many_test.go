package dynamodb

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streams "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

func put(item attrs) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: item}}
}

func TestBatchesByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("One", indexed)
	f.createTable("Two", nil)
	var writes []types.WriteRequest
	var keys []attrs
	for i := range 20 {
		key := attrs{"pk": str("p"), "sk": str(fmt.Sprintf("%02d", i))}
		keys = append(keys, key)
		writes = append(writes, put(attrs{"pk": key["pk"], "sk": key["sk"], "v": num(fmt.Sprint(i))}))
	}
	f.account.Leave(3)
	w := must[*dynamodb.BatchWriteItemOutput](t)(f.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems:           map[string][]types.WriteRequest{"One": writes},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal, ReturnItemCollectionMetrics: "SIZE"}))
	if len(w.UnprocessedItems["One"]) != 3 || *w.ConsumedCapacity[0].CapacityUnits != 17 ||
		len(w.ItemCollectionMetrics["One"]) != 1 {
		t.Errorf("first batch %+v", w)
	}
	w = must[*dynamodb.BatchWriteItemOutput](t)(f.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{"One": w.UnprocessedItems["One"],
			"Two": {put(attrs{"pk": str("p"), "sk": str("s")}), {DeleteRequest: &types.DeleteRequest{Key: keys[0]}}}}}))
	if len(w.UnprocessedItems) != 0 {
		t.Errorf("second batch %+v", w)
	}
	f.account.Leave(5)
	read := types.KeysAndAttributes{Keys: keys, ProjectionExpression: aws.String("#v"), ConsistentRead: aws.Bool(true),
		ExpressionAttributeNames: map[string]string{"#v": "v"}}
	r := must[*dynamodb.BatchGetItemOutput](t)(f.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: map[string]types.KeysAndAttributes{"One": read}, ReturnConsumedCapacity: "TOTAL"}))
	if len(r.Responses["One"]) != 15 || len(r.UnprocessedKeys["One"].Keys) != 5 ||
		*r.ConsumedCapacity[0].CapacityUnits != 15 {
		t.Errorf("batch get: %d items, left %d, %v", len(r.Responses["One"]), len(r.UnprocessedKeys["One"].Keys),
			*r.ConsumedCapacity[0].CapacityUnits)
	}
	r = must[*dynamodb.BatchGetItemOutput](t)(f.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
		RequestItems: r.UnprocessedKeys}))
	if len(r.Responses["One"]) != 5 || len(r.Responses["One"][0]) != 1 {
		t.Errorf("what was left: %+v", r.Responses)
	}
	_, err := f.db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
		RequestItems: map[string][]types.WriteRequest{"Two": {writes[0], writes[0]}}})
	refused(t, err, "ValidationException", "Provided list of item keys contains duplicates")
}

func check(table string, key attrs, condition string) types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: &table, Key: key,
		ConditionExpression: &condition, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}}
}

func transactPut(table string, item attrs, condition *string) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item, ConditionExpression: condition}}
}

func TestTransactionsByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("One", indexed)
	f.put("One", attrs{"pk": str("p"), "sk": str("old"), "v": num("1"), "gpk": str("g")})
	old, fresh := attrs{"pk": str("p"), "sk": str("old")}, attrs{"pk": str("p"), "sk": str("new")}
	_, err := f.db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		transactPut("One", attrs{"pk": str("p"), "sk": str("new")}, nil), check("One", old,
			"attribute_not_exists(pk)")}})
	refused(t, err, "TransactionCanceledException", "Transaction cancelled, please refer cancellation reasons for "+
		"specific reasons [None, ConditionalCheckFailed]")
	var canceled *types.TransactionCanceledException
	if !errors.As(err, &canceled) || *canceled.CancellationReasons[0].Code != "None" ||
		len(canceled.CancellationReasons[1].Item) != 4 {
		t.Errorf("reasons %+v", canceled)
	}
	if f.get("One", fresh) != nil {
		t.Error("a canceled transaction has written")
	}
	in := &dynamodb.TransactWriteItemsInput{ReturnConsumedCapacity: "INDEXES", ClientRequestToken: aws.String("token"),
		TransactItems: []types.TransactWriteItem{
			transactPut("One", attrs{"pk": str("p"), "sk": str("new"), "gpk": str("g")},
				aws.String("attribute_not_exists(pk)")),
			{Update: &types.Update{TableName: aws.String("One"), Key: old, UpdateExpression: aws.String("ADD v :v"),
				ExpressionAttributeValues: attrs{":v": num("1")}}},
			check("One", attrs{"pk": str("p"), "sk": str("none")}, "attribute_not_exists(pk)")}}
	done := must[*dynamodb.TransactWriteItemsOutput](t)(f.db.TransactWriteItems(ctx, in))
	// The index "all" has gsk as its sort key, which no item has; the update changes nothing that "some" has.
	if c := done.ConsumedCapacity[0]; *c.CapacityUnits != 8 || *c.WriteCapacityUnits != 8 ||
		*c.Table.CapacityUnits != 6 ||
		len(c.GlobalSecondaryIndexes) != 1 || *c.GlobalSecondaryIndexes["some"].CapacityUnits != 2 {
		t.Errorf("capacity %v %+v", *c.CapacityUnits, c.GlobalSecondaryIndexes)
	}
	done = must[*dynamodb.TransactWriteItemsOutput](t)(f.db.TransactWriteItems(ctx, in))
	if c := done.ConsumedCapacity[0]; c.ReadCapacityUnits == nil || *c.ReadCapacityUnits != 6 {
		t.Errorf("capacity of the second call %+v", c)
	}
	if v := f.get("One", old)["v"].(*types.AttributeValueMemberN).Value; v != "2" {
		t.Errorf("v is %s after two calls with one token", v)
	}
	in.TransactItems = in.TransactItems[:2]
	_, err = f.db.TransactWriteItems(ctx, in)
	refused(t, err, "IdempotentParameterMismatchException", "")
	f.account.Advance(11 * time.Minute)
	_, err = f.db.TransactWriteItems(ctx, in)
	refused(t, err, "TransactionCanceledException", "[ConditionalCheckFailed, None]")
	got := must[*dynamodb.TransactGetItemsOutput](t)(f.db.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{
		ReturnConsumedCapacity: "TOTAL",
		TransactItems: []types.TransactGetItem{{Get: &types.Get{TableName: aws.String("One"), Key: old,
			ProjectionExpression: aws.String("v")}}, {Get: &types.Get{TableName: aws.String("One"),
			Key: attrs{"pk": str("no"), "sk": str("no")}}}}}))
	if len(got.Responses) != 2 || len(got.Responses[0].Item) != 1 || got.Responses[1].Item != nil ||
		*got.ConsumedCapacity[0].CapacityUnits != 4 {
		t.Errorf("read %+v", got)
	}
}

func TestStreamsByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("Watched", func(in *dynamodb.CreateTableInput) {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true),
			StreamViewType: "NEW_AND_OLD_IMAGES"}
	})
	key := attrs{"pk": str("p"), "sk": str("s")}
	f.put("Watched", attrs{"pk": str("p"), "sk": str("s"), "v": num("1")})
	f.put("Watched", attrs{"pk": str("p"), "sk": str("s"), "v": num("1")}) // changes nothing
	f.put("Watched", attrs{"pk": str("p"), "sk": str("s"), "v": num("2")})
	must[*dynamodb.DeleteItemOutput](t)(f.db.DeleteItem(ctx,
		&dynamodb.DeleteItemInput{TableName: aws.String("Watched"), Key: key}))
	list := must[*dynamodbstreams.ListStreamsOutput](t)(f.streams.ListStreams(ctx,
		&dynamodbstreams.ListStreamsInput{TableName: aws.String("Watched")}))
	arn := list.Streams[0].StreamArn
	d := must[*dynamodbstreams.DescribeStreamOutput](t)(f.streams.DescribeStream(ctx,
		&dynamodbstreams.DescribeStreamInput{StreamArn: arn})).StreamDescription
	if d.StreamStatus != streams.StreamStatusEnabled || len(d.Shards) != 1 {
		t.Fatalf("description %+v", d)
	}
	iterator := func(kind streams.ShardIteratorType) *string {
		return must[*dynamodbstreams.GetShardIteratorOutput](t)(f.streams.GetShardIterator(ctx,
			&dynamodbstreams.GetShardIteratorInput{StreamArn: arn, ShardId: d.Shards[0].ShardId,
				ShardIteratorType: kind})).
			ShardIterator
	}
	latest := iterator(streams.ShardIteratorTypeLatest)
	out := must[*dynamodbstreams.GetRecordsOutput](t)(f.streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{
		ShardIterator: iterator(streams.ShardIteratorTypeTrimHorizon), Limit: aws.Int32(2)}))
	rest := must[*dynamodbstreams.GetRecordsOutput](t)(f.streams.GetRecords(ctx,
		&dynamodbstreams.GetRecordsInput{ShardIterator: out.NextShardIterator}))
	var events []string
	for _, r := range append(out.Records, rest.Records...) {
		events = append(events, string(r.EventName))
	}
	if fmt.Sprint(events) != "[INSERT MODIFY REMOVE]" || out.Records[1].Dynamodb.OldImage["v"] == nil ||
		rest.Records[0].Dynamodb.NewImage != nil {
		t.Errorf("events %v", events)
	}
	f.put("Watched", attrs{"pk": str("p"), "sk": str("s"), "v": num("3")})
	out = must[*dynamodbstreams.GetRecordsOutput](t)(f.streams.GetRecords(ctx,
		&dynamodbstreams.GetRecordsInput{ShardIterator: latest}))
	if len(out.Records) != 1 || out.NextShardIterator == nil {
		t.Errorf("latest: %+v", out)
	}
	must[*dynamodb.UpdateTableOutput](t)(f.db.UpdateTable(ctx,
		&dynamodb.UpdateTableInput{TableName: aws.String("Watched"),
			StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)}}))
	out = must[*dynamodbstreams.GetRecordsOutput](t)(f.streams.GetRecords(ctx,
		&dynamodbstreams.GetRecordsInput{ShardIterator: out.NextShardIterator}))
	if out.NextShardIterator != nil {
		t.Error("a closed shard goes on")
	}
	f.account.Advance(16 * time.Minute)
	_, err := f.streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: latest})
	refused(t, err, "ExpiredIteratorException", "")
}

func TestTimeToLiveByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("Sessions", indexed)
	soon := fmt.Sprint(time.Now().Add(time.Hour).Unix())
	f.put("Sessions", attrs{"pk": str("p"), "sk": str("before"), "ttl": num(soon), "gpk": str("g")})
	spec := &types.TimeToLiveSpecification{AttributeName: aws.String("ttl"), Enabled: aws.Bool(true)}
	must[*dynamodb.UpdateTimeToLiveOutput](t)(f.db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("Sessions"), TimeToLiveSpecification: spec}))
	_, err := f.db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: aws.String("Sessions"),
		TimeToLiveSpecification: spec})
	refused(t, err, "ValidationException", "TimeToLive is already enabled")
	d := must[*dynamodb.DescribeTimeToLiveOutput](t)(f.db.DescribeTimeToLive(ctx,
		&dynamodb.DescribeTimeToLiveInput{TableName: aws.String("Sessions")})).TimeToLiveDescription
	if d.TimeToLiveStatus != types.TimeToLiveStatusEnabled || *d.AttributeName != "ttl" {
		t.Errorf("description %+v", d)
	}
	f.put("Sessions", attrs{"pk": str("p"), "sk": str("after"), "ttl": num(soon)})
	f.put("Sessions", attrs{"pk": str("p"), "sk": str("text"), "ttl": str(soon)})
	f.put("Sessions", attrs{"pk": str("p"), "sk": str("moved"), "ttl": num(soon)})
	f.put("Sessions", attrs{"pk": str("p"), "sk": str("moved"), "ttl": num("99999999999")})
	f.account.Linger(time.Hour)
	f.account.Advance(90 * time.Minute)
	if f.get("Sessions", attrs{"pk": str("p"), "sk": str("before")}) == nil {
		t.Error("an expired item is gone before the time it lingers")
	}
	f.account.Advance(time.Hour)
	left := must[*dynamodb.ScanOutput](t)(f.db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("Sessions")}))
	if left.Count != 2 {
		t.Errorf("%d items are left: %+v", left.Count, left.Items)
	}
	index := must[*dynamodb.ScanOutput](t)(f.db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("Sessions"),
		IndexName: aws.String("some")}))
	if index.Count != 0 {
		t.Error("an index has an expired item")
	}
}
