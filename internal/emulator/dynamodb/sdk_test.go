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
)

func TestTablesByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("Orders", indexed)
	d := must[*dynamodb.DescribeTableOutput](t)(f.db.DescribeTable(ctx,
		&dynamodb.DescribeTableInput{TableName: aws.String("Orders")})).Table
	if d.TableStatus != types.TableStatusActive || len(d.GlobalSecondaryIndexes) != 2 ||
		len(d.LocalSecondaryIndexes) != 1 ||
		d.BillingModeSummary.BillingMode != types.BillingModePayPerRequest ||
		*d.TableArn != "arn:aws:dynamodb:eu-central-1:000000000000:table/Orders" ||
		time.Since(*d.CreationDateTime) > time.Minute {
		t.Errorf("description %+v", d)
	}
	_, err := f.db.CreateTable(ctx, &dynamodb.CreateTableInput{TableName: aws.String("Orders"),
		BillingMode: types.BillingModePayPerRequest, AttributeDefinitions: []types.AttributeDefinition{define("pk",
			"S")},
		KeySchema: schema("pk", "")})
	refused(t, err, "ResourceInUseException", "Table already exists: Orders")
	f.createTable("Others", nil)
	page := must[*dynamodb.ListTablesOutput](t)(f.db.ListTables(ctx, &dynamodb.ListTablesInput{Limit: aws.Int32(1)}))
	if len(page.TableNames) != 1 || page.TableNames[0] != "Orders" || *page.LastEvaluatedTableName != "Orders" {
		t.Errorf("first page %+v", page)
	}
	page = must[*dynamodb.ListTablesOutput](t)(f.db.ListTables(ctx,
		&dynamodb.ListTablesInput{ExclusiveStartTableName: page.LastEvaluatedTableName}))
	if len(page.TableNames) != 1 || page.TableNames[0] != "Others" || page.LastEvaluatedTableName != nil {
		t.Errorf("second page %+v", page)
	}
	must[*dynamodb.DeleteTableOutput](t)(f.db.DeleteTable(ctx,
		&dynamodb.DeleteTableInput{TableName: aws.String("Others")}))
	gone := dynamodb.NewTableNotExistsWaiter(f.db)
	if err := gone.Wait(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("Others")}, time.Minute); err != nil {
		t.Error(err)
	}
	_, err = f.db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("Others")})
	refused(t, err, "ResourceNotFoundException", "Requested resource not found: Table: Others not found")
	must[*dynamodb.DescribeEndpointsOutput](t)(f.db.DescribeEndpoints(ctx, &dynamodb.DescribeEndpointsInput{}))
	must[*dynamodb.DescribeLimitsOutput](t)(f.db.DescribeLimits(ctx, &dynamodb.DescribeLimitsInput{}))
	backups := must[*dynamodb.DescribeContinuousBackupsOutput](t)(f.db.DescribeContinuousBackups(ctx,
		&dynamodb.DescribeContinuousBackupsInput{TableName: aws.String("Orders")}))
	if backups.ContinuousBackupsDescription.ContinuousBackupsStatus != types.ContinuousBackupsStatusEnabled {
		t.Errorf("backups %+v", backups)
	}
	_, err = f.db.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: aws.String("Orders"),
		BackupName: aws.String("one")})
	refused(t, err, "UnknownOperationException", "")
}

func TestTagsByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("Tagged", func(in *dynamodb.CreateTableInput) {
		in.Tags = []types.Tag{{Key: aws.String("stage"), Value: aws.String("test")}}
	})
	arn := aws.String("arn:aws:dynamodb:eu-central-1:000000000000:table/Tagged")
	must[*dynamodb.TagResourceOutput](t)(f.db.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: arn,
		Tags: []types.Tag{{Key: aws.String("team"), Value: aws.String("a")}}}))
	must[*dynamodb.UntagResourceOutput](t)(f.db.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: arn,
		TagKeys: []string{"stage", "none"}}))
	tags := must[*dynamodb.ListTagsOfResourceOutput](t)(f.db.ListTagsOfResource(ctx,
		&dynamodb.ListTagsOfResourceInput{ResourceArn: arn})).Tags
	if len(tags) != 1 || *tags[0].Key != "team" || *tags[0].Value != "a" {
		t.Errorf("tags %+v", tags)
	}
}

func TestItemsByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("Items", indexed)
	name := aws.String("Items")
	key := attrs{"pk": str("p"), "sk": str("s")}
	f.put("Items", attrs{"pk": str("p"), "sk": str("s"), "n": num("1.50"),
		"b": &types.AttributeValueMemberB{Value: []byte{0, 255}},
		"l": &types.AttributeValueMemberL{Value: []types.AttributeValue{str("x"),
			&types.AttributeValueMemberNULL{Value: true}}}})
	got := f.get("Items", key)
	if got["n"].(*types.AttributeValueMemberN).Value != "1.5" || len(got) != 5 {
		t.Errorf("item %+v", got)
	}
	up := must[*dynamodb.UpdateItemOutput](t)(f.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: name, Key: key,
		UpdateExpression:    aws.String("SET n = n + :one REMOVE l ADD tags :t"),
		ConditionExpression: aws.String("n < :three"),
		ExpressionAttributeValues: attrs{":one": num("1"), ":three": num("3"),
			":t": &types.AttributeValueMemberSS{Value: []string{"a"}}},
		ReturnValues: types.ReturnValueAllNew}))
	if up.Attributes["n"].(*types.AttributeValueMemberN).Value != "2.5" || up.Attributes["l"] != nil {
		t.Errorf("updated %+v", up.Attributes)
	}
	_, err := f.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: name, Key: key,
		UpdateExpression: aws.String("SET n = :one"), ConditionExpression: aws.String("n < :one"),
		ExpressionAttributeValues:           attrs{":one": num("1")},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	refused(t, err, "ConditionalCheckFailedException", "The conditional request failed")
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || failed.Item["n"].(*types.AttributeValueMemberN).Value != "2.5" {
		t.Errorf("the item of the failure: %+v", failed)
	}
	created := must[*dynamodb.UpdateItemOutput](t)(f.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: name,
		Key: attrs{"pk": str("new"), "sk": str("s")}, ReturnValues: types.ReturnValueAllNew}))
	if len(created.Attributes) != 2 {
		t.Errorf("created %+v", created.Attributes)
	}
	del := must[*dynamodb.DeleteItemOutput](t)(f.db.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: name, Key: key,
		ReturnValues: types.ReturnValueAllOld, ReturnItemCollectionMetrics: types.ReturnItemCollectionMetricsSize}))
	if len(del.Attributes) != 5 || del.ItemCollectionMetrics.SizeEstimateRangeGB[1] != 1 {
		t.Errorf("deleted %+v", del)
	}
	if f.get("Items", key) != nil {
		t.Error("the item is there after its deletion")
	}
}

func TestQueryByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("Items", indexed)
	for i := range 30 {
		f.put("Items", attrs{"pk": str(fmt.Sprint("p", i%2)), "sk": str(fmt.Sprintf("s%02d", i)), "gpk": str("g"),
			"gsk": num(fmt.Sprint(i - 15)), "lsk": str(fmt.Sprintf("l%02d", 99-i)), "proj": str("p"), "rest": str("o")})
	}
	query := func(in *dynamodb.QueryInput) (keys []string, last attrs) {
		t.Helper()
		in.TableName = aws.String("Items")
		out := must[*dynamodb.QueryOutput](t)(f.db.Query(ctx, in))
		for _, item := range out.Items {
			keys = append(keys, item["sk"].(*types.AttributeValueMemberS).Value)
		}
		return keys, out.LastEvaluatedKey
	}
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	values := attrs{":p": str("p0"), ":a": str("s04"), ":b": str("s08")}
	got, _ := query(&dynamodb.QueryInput{KeyConditionExpression: aws.String("pk = :p AND sk BETWEEN :a AND :b"),
		ExpressionAttributeValues: values})
	expect("between", got, "s04", "s06", "s08")
	got, last := query(&dynamodb.QueryInput{KeyConditionExpression: aws.String("pk = :p AND sk > :a"),
		Limit:            aws.Int32(2),
		ScanIndexForward: aws.Bool(false), ExpressionAttributeValues: attrs{":p": str("p0"), ":a": str("s04")}})
	expect("backward", got, "s28", "s26")
	got, _ = query(&dynamodb.QueryInput{KeyConditionExpression: aws.String("pk = :p AND sk > :a"), Limit: aws.Int32(2),
		ScanIndexForward: aws.Bool(false), ExclusiveStartKey: last,
		ExpressionAttributeValues: attrs{":p": str("p0"), ":a": str("s04")}})
	expect("next page backward", got, "s24", "s22")
	got, last = query(&dynamodb.QueryInput{IndexName: aws.String("all"), Limit: aws.Int32(3),
		KeyConditionExpression:    aws.String("gpk = :g AND gsk >= :n"),
		ExpressionAttributeValues: attrs{":g": str("g"), ":n": num("-2")}})
	expect("index", got, "s13", "s14", "s15")
	got, _ = query(&dynamodb.QueryInput{IndexName: aws.String("all"), Limit: aws.Int32(3), ExclusiveStartKey: last,
		KeyConditionExpression:    aws.String("gpk = :g AND gsk >= :n"),
		ExpressionAttributeValues: attrs{":g": str("g"), ":n": num("-2")}})
	expect("index, next page", got, "s16", "s17", "s18")
	got, _ = query(&dynamodb.QueryInput{IndexName: aws.String("near"), Select: types.SelectAllAttributes,
		KeyConditionExpression:    aws.String("pk = :p AND begins_with(lsk, :l)"),
		FilterExpression:          aws.String("rest = :o"),
		ExpressionAttributeValues: attrs{":p": str("p0"), ":l": str("l7"), ":o": str("o")}})
	expect("local index", got, "s28", "s26", "s24", "s22", "s20")
	_, err := f.db.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("Items"), IndexName: aws.String("all"),
		ConsistentRead: aws.Bool(true), KeyConditionExpression: aws.String("gpk = :g"),
		ExpressionAttributeValues: attrs{":g": str("g")}})
	refused(t, err, "ValidationException", "Consistent reads are not supported on global secondary indexes")
	_, err = f.db.Query(ctx, &dynamodb.QueryInput{TableName: aws.String("Items"),
		KeyConditionExpression: aws.String("pk = :p"), FilterExpression: aws.String("sk = :p"),
		ExpressionAttributeValues: attrs{":p": str("g")}})
	refused(t, err, "ValidationException",
		"Filter Expression can only contain non-primary key attributes: Primary key attribute: sk")
}

func TestScanByTheSDK(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("Items", indexed)
	for i := range 100 {
		f.put("Items", attrs{"pk": str(fmt.Sprint("p", i)), "sk": str("s"), "gpk": str(fmt.Sprint(i % 7))})
	}
	for _, segments := range []int32{1, 3, 16} {
		seen := map[string]bool{}
		for segment := range segments {
			pages := dynamodb.NewScanPaginator(f.db, &dynamodb.ScanInput{TableName: aws.String("Items"),
				Limit:   aws.Int32(7),
				Segment: aws.Int32(segment), TotalSegments: aws.Int32(segments)})
			for pages.HasMorePages() {
				page, err := pages.NextPage(ctx)
				if err != nil {
					t.Fatal(err)
				}
				for _, item := range page.Items {
					pk := item["pk"].(*types.AttributeValueMemberS).Value
					if seen[pk] {
						t.Errorf("%s twice with %d segments", pk, segments)
					}
					seen[pk] = true
				}
			}
		}
		if len(seen) != 100 {
			t.Errorf("%d items with %d segments", len(seen), segments)
		}
	}
	count := must[*dynamodb.ScanOutput](t)(f.db.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("Items"),
		IndexName: aws.String("some"), Select: types.SelectCount, FilterExpression: aws.String("gpk = :g"),
		ExpressionAttributeValues: attrs{":g": str("3")}}))
	if count.Count != 14 || count.ScannedCount != 100 || count.Items != nil {
		t.Errorf("count %+v", count)
	}
}

func TestPagesEndAtOneMegabyte(t *testing.T) {
	f := newFixture(t)
	ctx := context.Background()
	f.createTable("Items", nil)
	filler := make([]byte, 300<<10)
	for i := range 8 {
		f.put("Items", attrs{"pk": str("p"), "sk": str(fmt.Sprint(i)),
			"b": &types.AttributeValueMemberB{Value: filler}})
	}
	pages := dynamodb.NewQueryPaginator(f.db, &dynamodb.QueryInput{TableName: aws.String("Items"),
		KeyConditionExpression: aws.String("pk = :p"), ExpressionAttributeValues: attrs{":p": str("p")}})
	var sizes []int
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Items))
	}
	if fmt.Sprint(sizes) != "[4 4 0]" {
		t.Errorf("pages of %v items", sizes)
	}
}
