package dynamodb

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/storespec/storespec/internal/emulator/awssign"
	"github.com/storespec/storespec/internal/emulator/engine"
)

// refusal is a request, and the type and the beginning of the message of its answer.
type refusal struct{ operation, body, kind, message string }

func refusals() map[string]refusal {
	all := map[string]refusal{}
	for _, some := range []map[string]refusal{ofBodies(), ofWrites(), ofReads(), ofManyItems(), ofTables()} {
		maps.Copy(all, some)
	}
	return all
}

func ofBodies() map[string]refusal {
	return map[string]refusal{
		"no JSON": {"GetItem", `{"TableName":`, "SerializationException", ""},
		"no object": {"GetItem", `[]`, "SerializationException",
			"Start of structure or map found where not expected"},
		"name a number": {"GetItem", `{"TableName":1}`, "SerializationException",
			"NUMBER_VALUE cannot be converted to String"},
		"control: a number": {"DescribeTable", `{"TableName":1}`, "SerializationException",
			"NUMBER_VALUE cannot be converted to String"},
		"control: no JSON": {"DescribeTable", `{`, "SerializationException", ""},
		"deep JSON":        {"PutItem", strings.Repeat(`{"Item":`, 100000), "SerializationException", ""},
		"deep value": {"PutItem", `{"TableName":"Items","Item":{"pk":{"S":"p"},"sk":{"S":"s"},"d":` +
			strings.Repeat(`{"L":[`, 40) + `{"S":"x"}` + strings.Repeat(`]}`, 40) + `}}`, "ValidationException",
			"1 validation error detected: Nesting Levels have exceeded supported limits"},
		"unknown operation": {"Fly", `{}`, "UnknownOperationException", ""},
		"not built":         {"CreateBackup", `{}`, "UnknownOperationException", ""},
	}
}

func ofWrites() map[string]refusal {
	long := strings.Repeat("a", 256)
	deep := strings.Repeat("(", 10000)
	return map[string]refusal{
		"put: nothing": {"PutItem", `{}`, "ValidationException",
			"2 validation errors detected: Value null at 'tableName' " +
				"failed to satisfy constraint: Member must not be null; Value null at 'item' failed"},
		"put: long name": {"PutItem", `{"TableName":"` + long + `","Item":{}}`, "ValidationException",
			"1 validation error detected: Value '" + long +
				"' at 'tableName' failed to satisfy constraint: Member must have " +
				"length less than or equal to 255"},
		"put: empty name": {"PutItem", `{"TableName":"","Item":{}}`, "ValidationException",
			"1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have " +
				"length greater"},
		"put: no table": {"PutItem", `{"TableName":"None","Item":{"pk":{"S":"a"}}}`, "ResourceNotFoundException",
			"Requested resource not found"},
		"put: no key": {"PutItem", `{"TableName":"Items","Item":{"pk":{"S":"a"}}}`, "ValidationException",
			"One or more parameter values were invalid: Missing the key sk in the item"},
		"put: key's type": {"PutItem", `{"TableName":"Items","Item":{"pk":{"N":"1"},"sk":{"S":"s"}}}`,
			"ValidationException",
			"One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N"},
		"put: empty key": {"PutItem", `{"TableName":"Items","Item":{"pk":{"S":""},"sk":{"S":"s"}}}`,
			"ValidationException",
			"One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain " +
				"an empty " +
				"string value. Key: pk"},
		"put: index key's type": {"PutItem",
			`{"TableName":"Items","Item":{"pk":{"S":"a"},"sk":{"S":"s"},"gpk":{"N":"1"}}}`,
			"ValidationException",
			"One or more parameter values were invalid: Type mismatch for Index Key gpk Expected: S " +
				"Actual: N IndexName: all"},
		"put: long partition key": {"PutItem", `{"TableName":"Items","Item":{"pk":{"S":"` + strings.Repeat("k", 2049) +
			`"},"sk":{"S":"s"}}}`, "ValidationException",
			"One or more parameter values were invalid: Size of hashkey has " +
				"exceeded the maximum size limit of2048 bytes"},
		"put: long sort key": {"PutItem", `{"TableName":"Items","Item":{"pk":{"S":"p"},"sk":{"S":"` +
			strings.Repeat("k", 1025) +
			`"}}}`, "ValidationException",
			"One or more parameter values were invalid: Aggregated size of all range keys has " +
				"exceeded the size limit of 1024 bytes"},
		"put: too large": {"PutItem", `{"TableName":"Items","Item":{"pk":{"S":"p"},"sk":{"S":"s"},"x":{"S":"` +
			strings.Repeat("x", 400<<10) + `"}}}`, "ValidationException",
			"Item size has exceeded the maximum allowed size"},
		"put: ALL_NEW": {"PutItem",
			`{"TableName":"Items","Item":{"pk":{"S":"p"},"sk":{"S":"s"}},"ReturnValues":"ALL_NEW"}`,
			"ValidationException", "ReturnValues can only be ALL_OLD or NONE"},
		"put: deep condition": {"PutItem", `{"TableName":"Items","Item":{"pk":{"S":"p"},"sk":{"S":"s"}},` +
			`"ConditionExpression":"` + deep + `"}`, "ValidationException", "1 validation error detected: Invalid " +
			"ConditionExpression: Expression size has exceeded the maximum allowed size;"},
		"update: key": {"UpdateItem", `{"TableName":"Items","Key":{"pk":{"S":"p"},"sk":{"S":"s"}},"UpdateExpression":` +
			`"SET sk = :v","ExpressionAttributeValues":{":v":{"S":"x"}}}`, "ValidationException",
			"One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key"},
		"update: index key's type": {"UpdateItem", `{"TableName":"Items","Key":{"pk":{"S":"p"},"sk":{"S":"s"}},` +
			`"UpdateExpression":"SET gpk = :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`, "ValidationException",
			"One or more parameter values were invalid: Type mismatch for Index Key gpk Expected: S Actual: N " +
				"IndexName: all"},
	}
}

func ofReads() map[string]refusal {
	return map[string]refusal{
		"get: other key": {"GetItem", `{"TableName":"Items","Key":{"pk":{"S":"p"}}}`, "ValidationException",
			"The provided key element does not match the schema"},
		"query: no condition": {"Query", `{"TableName":"Items"}`, "ValidationException",
			"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."},
		"query: no index": {"Query", `{"TableName":"Items","IndexName":"none","KeyConditionExpression":"pk = :p",` +
			`"ExpressionAttributeValues":{":p":{"S":"p"}}}`, "ValidationException",
			"The table does not have the specified index: none"},
		"query: limit 0": {"Query", `{"TableName":"Items","Limit":0}`, "ValidationException",
			"1 validation error detected: " +
				"Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		"query: outside": {"Query",
			`{"TableName":"Items","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":` +
				`{":p":{"S":"p"}},"ExclusiveStartKey":{"pk":{"S":"q"},"sk":{"S":"s"}}}`, "ValidationException",
			"The provided starting key is outside query boundaries based on provided conditions"},
		"query: start": {"Query",
			`{"TableName":"Items","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":` +
				`{":p":{"S":"p"}},"ExclusiveStartKey":{"pk":{"S":"p"}}}`, "ValidationException",
			"The provided starting key is invalid"},
		"query: select": {"Query",
			`{"TableName":"Items","KeyConditionExpression":"pk = :p","ExpressionAttributeValues":` +
				`{":p":{"S":"p"}},"Select":"ALL_PROJECTED_ATTRIBUTES"}`, "ValidationException",
			"One or more parameter values were " +
				"invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"},
		"scan: segment": {"Scan", `{"TableName":"Items","Segment":5,"TotalSegments":5}`, "ValidationException",
			"The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 5 is " +
				"not less than " +
				"TotalSegments: 5"},
		"scan: index": {"Scan", `{"TableName":"Items","IndexName":"some","ProjectionExpression":"zzz"}`,
			"ValidationException",
			"One or more parameter values were invalid: Global secondary index some does not project [zzz]"},
	}
}

func ofManyItems() map[string]refusal {
	return map[string]refusal{
		"batch get: nothing": {"BatchGetItem", `{"RequestItems":{}}`, "ValidationException",
			"1 validation error detected: " +
				"Value at 'RequestItems' failed to satisfy constraint: Member must have length greater "},
		"batch write: key": {"BatchWriteItem", `{"RequestItems":{"Items":[{"PutRequest":{"Item":{"pk":{"N":"5"}}}}]}}`,
			"ValidationException", "The provided key element does not match the schema"},
		"batch write: none": {"BatchWriteItem", `{"RequestItems":{"Items":[]}}`, "ValidationException",
			"1 validation error " +
				"detected: Value '{Items=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy " +
				"constraint: "},
		"transact: nothing": {"TransactWriteItems", `{"TransactItems":[]}`, "ValidationException",
			"1 validation error " +
				"detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length " +
				"greater than"},
		"transact: twice": {"TransactWriteItems",
			`{"TransactItems":[{"Put":{"TableName":"Items","Item":{"pk":{"S":"a"},"sk":` +
				`{"S":"b"}}}},{"Delete":{"TableName":"Items","Key":{"pk":{"S":"a"},"sk":{"S":"b"}}}}]}`,
			"ValidationException",
			"Transaction request cannot include multiple operations on one item"},
		"transact: key": {"TransactWriteItems",
			`{"TransactItems":[{"Delete":{"TableName":"Items","Key":{"pk":{"N":"5"}}}}]}`,
			"TransactionCanceledException",
			"Transaction cancelled, please refer cancellation reasons for specific reasons " +
				"[ValidationError]"},
		"statement: syntax": {"ExecuteStatement", `{"Statement":"SLECT * FROM Items"}`, "ValidationException",
			"Statement wasn't well formed, can't be processed: "},
		"statement: table": {"ExecuteStatement", `{"Statement":"SELECT * FROM \"None\""}`, "ResourceNotFoundException",
			"Requested resource not found"},
	}
}

func ofTables() map[string]refusal {
	return map[string]refusal{
		"create: short name": {"CreateTable",
			`{"TableName":"ab","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a",` +
				`"KeyType":"HASH"}]}`, "ValidationException",
			"1 validation error detected: Value 'ab' at 'tableName' failed to " +
				"satisfy constraint: Member must have length greater than or equal to 3"},
		"create: no name": {"CreateTable", `{}`, "ValidationException",
			"The parameter 'TableName' is required but was not present in the request"},
		"create: key type": {"CreateTable",
			`{"TableName":"abc","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":` +
				`[{"AttributeName":"a","AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"INVALID"}]}`,
			"ValidationException",
			"1 validation error detected: Value 'INVALID' at 'keySchema.1.member.keyType' failed to " +
				"satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]"},
		"create: exists": {"CreateTable",
			`{"TableName":"Items","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":` +
				`[{"AttributeName":"a","AttributeType":"S"}],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]}`,
			"ResourceInUseException", "Table already exists: Items"},
		"update table: nothing": {"UpdateTable", `{"TableName":"Items"}`, "ValidationException",
			"At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or"},
		"update table: no index": {"UpdateTable", `{"TableName":"Items","GlobalSecondaryIndexUpdates":[{"Delete":` +
			`{"IndexName":"does_not_exist"}}]}`, "ResourceNotFoundException", "Requested resource not found"},
	}
}

// itemsTable is the request that creates the table of these tests.
const itemsTable = `{"TableName":"Items","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[
	{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},
	{"AttributeName":"gpk","AttributeType":"S"},{"AttributeName":"lsk","AttributeType":"S"}],
	"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
	"GlobalSecondaryIndexes":[
	{"IndexName":"all","KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},
	{"IndexName":"some","KeySchema":[{"AttributeName":"gpk","KeyType":"HASH"}],"Projection":
	{"ProjectionType":"INCLUDE","NonKeyAttributes":["proj"]}}],
	"LocalSecondaryIndexes":[{"IndexName":"near","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
	{"AttributeName":"lsk","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}]}`

func TestRefusals(t *testing.T) {
	f := newFixture(t)
	if w := f.raw(targetTables+"CreateTable", itemsTable); w.Code != 200 {
		t.Fatalf("create: %s", w.Body)
	}
	for name, c := range refusals() {
		t.Run(name, func(t *testing.T) {
			w := f.raw(targetTables+c.operation, c.body)
			var got struct {
				Type    string `json:"__type"`
				Message string
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 400 {
				t.Fatalf("%d %.200s: %v", w.Code, w.Body, err)
			}
			if _, kind, _ := strings.Cut(got.Type, "#"); kind != c.kind || !strings.HasPrefix(got.Message, c.message) ||
				c.message == "" && got.Message != "" {
				t.Errorf("%s %q\nwant %s %q", got.Type, got.Message, c.kind, c.message)
			}
		})
	}
}

func TestSignatures(t *testing.T) {
	f := newFixture(t)
	list := &dynamodb.ListTablesInput{}
	_, err := clientOf(f.service, "AKIDOTHER", testSecret, testRegion).ListTables(t.Context(), list)
	refused(t, err, "UnrecognizedClientException", "The security token included in the request is invalid.")
	_, err = clientOf(f.service, testKey, "wrong", testRegion).ListTables(t.Context(), list)
	refused(t, err, "InvalidSignatureException", "The request signature we calculated does not match")
	_, err = clientOf(f.service.Only("other"), testKey, testSecret, testRegion).ListTables(t.Context(), list)
	refused(t, err, "UnrecognizedClientException", "")
	for _, c := range []struct{ header, kind string }{
		{"", "MissingAuthenticationTokenException"},
		{"Basic abc", "MissingAuthenticationTokenException"},
		{"AWS4-HMAC-SHA256 Credential=a", "IncompleteSignatureException"},
		{"AWS4-HMAC-SHA256 Credential", "IncompleteSignatureException"},
		{"AWS4-HMAC-SHA256 Credential=a/b/c, Signature=x, SignedHeaders=host", "IncompleteSignatureException"},
		{"AWS4-HMAC-SHA256 Credential=a/20200101/r/s3/aws4_request, Signature=x, SignedHeaders=host",
			"InvalidSignatureException"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("X-Amz-Target", targetTables+"ListTables")
		r.Header.Set("X-Amz-Date", time.Now().UTC().Format(awssign.DateFormat))
		r.Header.Set("Authorization", c.header)
		w := httptest.NewRecorder()
		f.service.ServeHTTP(w, r)
		if w.Code != 400 || !strings.Contains(w.Body.String(), c.kind) || w.Header().Get("X-Amz-Crc32") == "" {
			t.Errorf("%q: %d %s", c.header, w.Code, w.Body)
		}
	}
}

func TestAccountsAreIsolated(t *testing.T) {
	f := newFixture(t)
	f.service.AddKey("second", "secret")
	f.createTable("Mine", nil)
	for name, other := range map[string]*dynamodb.Client{"key": clientOf(f.service, "second", "secret", testRegion),
		"region": clientOf(f.service, testKey, testSecret, "us-east-1")} {
		list := must[*dynamodb.ListTablesOutput](t)(other.ListTables(t.Context(), &dynamodb.ListTablesInput{}))
		if len(list.TableNames) != 0 {
			t.Errorf("another %s sees %v", name, list.TableNames)
		}
	}
}

func TestOtherRequests(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		name, method, kind, body string
		status                   int
	}{
		{"health", "GET", "", "", 200},
		{"form", "POST", "application/x-www-form-urlencoded", "a=b", 404},
		{"put", "PUT", contentType, "{}", 404},
		{"too large", "POST", contentType, strings.Repeat(" ", maxBody+1), 413},
	} {
		r := httptest.NewRequest(c.method, "/", strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		r.Header.Set("X-Amz-Target", targetTables+"ListTables")
		w := httptest.NewRecorder()
		f.service.ServeHTTP(w, r)
		if w.Code != c.status || len(w.Header().Get("X-Amzn-Requestid")) != 52 {
			t.Errorf("%s: %d, %v", c.name, w.Code, w.Header())
		}
	}
}

func TestWeather(t *testing.T) {
	f := newFixture(t)
	f.createTable("Items", indexed)
	count := func() int32 {
		t.Helper()
		return must[*dynamodb.ScanOutput](t)(f.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("Items"),
			IndexName: aws.String("some")})).Count
	}
	f.account.Lag(2)
	f.put("Items", attrs{"pk": str("p"), "sk": str("s"), "gpk": str("g")})
	if got := []int32{count(), count(), count()}; got[0] != 0 || got[1] != 0 || got[2] != 1 {
		t.Errorf("an index that lags by 2 calls had %v items", got)
	}
	must[*dynamodb.DeleteItemOutput](t)(f.db.DeleteItem(t.Context(),
		&dynamodb.DeleteItemInput{TableName: aws.String("Items"),
			Key: attrs{"pk": str("p"), "sk": str("s")}}))
	if got := []int32{count(), count(), count()}; got[0] != 1 || got[1] != 1 || got[2] != 0 {
		t.Errorf("after a deletion it had %v items", got)
	}
	f.account.Throttle(1)
	_, err := f.db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("Items"),
		Key: attrs{"pk": str("p"), "sk": str("s")}})
	refused(t, err, "ProvisionedThroughputExceededException", "The level of configured provisioned throughput")
	f.get("Items", attrs{"pk": str("p"), "sk": str("s")})
}

func TestResetAndSnapshot(t *testing.T) {
	f := newFixture(t)
	f.createTable("Items", indexed)
	key := attrs{"pk": str("p"), "sk": str("s")}
	f.put("Items", attrs{"pk": str("p"), "sk": str("s"), "gpk": str("g"), "v": num("1")})
	snapshot, err := f.account.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	f.put("Items", attrs{"pk": str("p"), "sk": str("s"), "v": num("2")})
	if err := f.account.Reset(); err != nil || f.get("Items", key) != nil {
		t.Errorf("after Reset: %v", err)
	}
	if err := snapshot.Restore(); err != nil || len(f.get("Items", key)) != 4 {
		t.Errorf("after Restore: %v", err)
	}
	d := must[*dynamodb.DescribeTableOutput](t)(f.db.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("Items")})).Table
	if *d.ItemCount != 1 || *d.GlobalSecondaryIndexes[1].ItemCount != 1 {
		t.Errorf("counts after Restore: %d", *d.ItemCount)
	}
	if err := f.account.Drop(); err != nil || len(f.account.tables) != 0 {
		t.Errorf("after Drop: %v", err)
	}
}

func TestTablesSurviveARestart(t *testing.T) {
	dir := t.TempDir()
	e, err := engine.Open(engine.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	f := fixtureOn(t, e)
	f.createTable("Items", indexed)
	f.put("Items", attrs{"pk": str("p"), "sk": str("s"), "gpk": str("g")})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err = engine.Open(engine.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	f = fixtureOn(t, e)
	if item := f.get("Items", attrs{"pk": str("p"), "sk": str("s")}); len(item) != 3 {
		t.Errorf("the item after a restart: %v", item)
	}
	d := must[*dynamodb.DescribeTableOutput](t)(f.db.DescribeTable(t.Context(),
		&dynamodb.DescribeTableInput{TableName: aws.String("Items")})).Table
	if *d.ItemCount != 1 || len(d.GlobalSecondaryIndexes) != 2 {
		t.Errorf("the table after a restart: %+v", d)
	}
}
