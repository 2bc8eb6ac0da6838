package dynamodb

import (
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"
)

// fuzzLimit bounds a request. The slowest of those that are meant take some milliseconds; the rest is for a busy
// machine.
const fuzzLimit = 20 * time.Second

// fuzzSeeds are requests that succeed or nearly do, for operations that refusals() does not show that way.
func fuzzSeeds() []string {
	const key = `"TableName":"Items","Key":{"pk":{"S":"p"},"sk":{"S":"s"}}`
	return []string{
		`{}`, `{` + key + `}`, `{` + key + `,"UpdateExpression":"SET a.b[0] = :v REMOVE c ADD d :v",` +
			`"ExpressionAttributeValues":{":v":{"N":"1e-130"}},"ReturnValues":"ALL_NEW"}`,
		`{"TableName":"Items","Item":{"pk":{"S":"p"},"sk":{"S":"s"},"l":{"L":[{"B":"AA=="},{"NS":["1"]}]}}}`,
		`{"TableName":"Items","KeyConditionExpression":"pk = :p AND begins_with(sk, :p)","Limit":1,` +
			`"ExpressionAttributeValues":{":p":{"S":"p"}},"ExclusiveStartKey":{"pk":{"S":"p"},"sk":{"S":"s"}}}`,
		`{"TableName":"Items","IndexName":"all","Segment":0,"TotalSegments":3,"FilterExpression":"size(a) > :v",` +
			`"ExpressionAttributeValues":{":v":{"N":"1"}}}`,
		`{"RequestItems":{"Items":{"Keys":[{"pk":{"S":"p"},"sk":{"S":"s"}}]}}}`,
		`{"RequestItems":{"Items":[{"DeleteRequest":{"Key":{"pk":{"S":"p"},"sk":{"S":"s"}}}}]}}`,
		`{"TransactItems":[{"Get":{` + key + `}}]}`,
		`{"ClientRequestToken":"t","TransactItems":[{"Delete":{` + key + `,"ConditionExpression":"a = b"}}]}`,
		`{"Statement":"SELECT * FROM Items WHERE pk = ?","Parameters":[{"S":"p"}],"Limit":1,"NextToken":"x"}`,
		`{"Statements":[{"Statement":"DELETE FROM Items WHERE pk = 'p' AND sk = 's'"}]}`,
		`{"TransactStatements":[{"Statement":"UPDATE Items SET a = 1 WHERE pk = 'p' AND sk = 's'"}]}`,
		`{"TableName":"Items","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`,
		`{"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/Items","Tags":[{"Key":"a","Value":"b"}]}`,
		`{"TableName":"New","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],` +
			`"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"B"}],"StreamSpecification":` +
			`{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}}`,
		`{"TableName":"Items","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"all"}}]}`,
		`{"StreamArn":"arn","ShardId":"shard","ShardIteratorType":"LATEST"}`, `{"ShardIterator":"x"}`,
	}
}

// targets are all operations, in order, so that a number always means the same one.
func targets() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(tableOperations)) {
		list = append(list, targetTables+name)
	}
	for _, name := range slices.Sorted(maps.Keys(streamOperations)) {
		list = append(list, targetStreams+name)
	}
	return list
}

// FuzzRequests sends any body to any operation: it is answered in time, and never with an error of the service itself.
func FuzzRequests(f *testing.F) {
	all := targets()
	for _, seed := range fuzzSeeds() {
		for i := range all {
			f.Add(byte(i), seed)
		}
	}
	for _, r := range refusals() {
		if i := slices.Index(all, targetTables+r.operation); i >= 0 && len(r.body) < 10_000 {
			f.Add(byte(i), r.body)
		}
	}
	f.Fuzz(func(t *testing.T, operation byte, body string) {
		fix := newFixture(t)
		fix.raw(targetTables+"CreateTable", fuzzTable)
		fix.raw(targetTables+"PutItem", `{"TableName":"Items","Item":{"pk":{"S":"p"},"sk":{"S":"s"},"a":{"M":{}}}}`)
		target := all[int(operation)%len(all)]
		begin := time.Now()
		w := fix.raw(target, body)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%s answers %d %s", target, w.Code, w.Body)
		}
		if took := time.Since(begin); took > fuzzLimit {
			t.Errorf("%s took %v", target, took)
		}
	})
}

const fuzzTable = `{"TableName":"Items","BillingMode":"PAY_PER_REQUEST","KeySchema":[` +
	`{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],"AttributeDefinitions":[` +
	`{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"S"},` +
	`{"AttributeName":"gpk","AttributeType":"S"}],"GlobalSecondaryIndexes":[{"IndexName":"all","KeySchema":[` +
	`{"AttributeName":"gpk","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`
