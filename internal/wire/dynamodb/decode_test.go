package dynamodb

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/wire"
)

// oneTable knows the keys of one table and its index, as calls of CreateTable would have told it.
func oneTable() *Tables {
	of := &Tables{}
	of.Learn("Cal", Schema{Key: []string{"PK", "SK"}, Indexes: map[string][]string{"GSI1": {"GSI1PK", "GSI1SK"}}})
	of.Learn("Users", Schema{Key: []string{"id"}})
	return of
}

// called decodes an exchange.
func called(of *Tables, operation, body string, status int, answer string) wire.Call {
	header := http.Header{}
	header.Set(headerTarget, targetPrefix+operation)
	header.Set(headerInvocation, "0f0e")
	header.Set(headerAttempt, "attempt=2; max=3")
	rd := Protocol{of}.Decode(wire.Head{Method: "POST", Path: "/", Header: header, Length: int64(len(body))})
	for part := range strings.SplitAfterSeq(body, ",") { // in pieces, as it may arrive
		_, _ = io.WriteString(rd.Request(), part)
		rd.Call()
	}
	if status == 0 {
		return rd.Call()
	}
	if sink := rd.Answer(status, http.Header{}); sink != nil {
		for i := range answer { // byte by byte
			_, _ = io.WriteString(sink, answer[i:i+1])
		}
	}
	return rd.Done()
}

// shownCall is a call as consumers see it.
func shownCall(c wire.Call) string {
	text := c.Class + " " + c.Place()
	if c.Filter != "" {
		text += " where " + c.Filter
	}
	if c.Conditional != "" {
		text += " if " + c.Conditional
	}
	text += fmt.Sprintf(": %s %s, guard %d", c.Effect, c.Breadth, c.Guard)
	for _, inner := range c.Inner {
		text += fmt.Sprintf(" [%s %s if %s, guard %d: %d %s]", inner.Class, inner.Place(), inner.Conditional,
			inner.Guard,
			inner.Status, inner.ErrorCode)
	}
	text += fmt.Sprintf(" → %d %s, %d found", c.Status, c.ErrorCode, c.Entities)
	if c.More {
		text += ", more"
	}
	if c.Unprocessed > 0 {
		text += fmt.Sprintf(", %d left", c.Unprocessed)
	}
	if c.Capacity != nil {
		text += fmt.Sprintf(", %g units", *c.Capacity)
	}
	return text
}

const ana = `{"PK":{"S":"USER#ana"},"SK":{"S":"CAL#1"}}`

func TestCallsOfOneItem(t *testing.T) {
	for _, test := range []struct{ name, operation, body, answer, want string }{
		{"get", "GetItem", `{"TableName":"Cal","Key":{"SK":{"S":"CAL#1"},"PK":{"S":"USER#ana"}}}`,
			`{"Item":` + ana + `,"ConsumedCapacity":{"TableName":"Cal","CapacityUnits":0.5}}`,
			"get Cal USER#ana / CAL#1: reads one, guard 0 → 200 , 1 found, 0.5 units"},
		{"nothing found", "GetItem", `{"TableName":"Cal","Key":` + ana + `}`, `{}`,
			"get Cal USER#ana / CAL#1: reads one, guard 0 → 200 , 0 found"},
		{"a key of one part", "GetItem", `{"TableName":"Users","Key":{"id":{"N":"7"}}}`, `{}`,
			"get Users 7: reads one, guard 0 → 200 , 0 found"},
		{"blind", "PutItem", `{"TableName":"Cal","Item":{"SK":{"S":"b"},"PK":{"S":"a"},"n":{"N":"1"}}}`, `{}`,
			"put Cal a / b: writes one, guard 3 → 200 , 0 found"},
		{"an insert", "PutItem", `{"TableName":"Cal","Item":{"SK":{"S":"b"},"PK":{"S":"a"}},` +
			`"ConditionExpression":"attribute_not_exists(#p)","ExpressionAttributeNames":{"#p":"PK"}}`, `{}`,
			"put Cal a / b if attribute_not_exists(PK): writes one, guard 1 → 200 , 0 found"},
		{"unguarded", "UpdateItem", `{"TableName":"Cal","Key":` + ana + `,"UpdateExpression":"SET a = :a",` +
			`"ExpressionAttributeValues":{":a":{"S":"x"}}}`, `{}`,
			"update Cal USER#ana / CAL#1: writes one, guard 2 → 200 , 0 found"},
		{"guarded", "UpdateItem", `{"TableName":"Cal","Key":` + ana + `,"UpdateExpression":"SET v = :w",` +
			`"ConditionExpression":"#v = :v","ExpressionAttributeNames":{"#v":"version"},` +
			`"ExpressionAttributeValues":{":v":{"N":"3"},":w":{"N":"4"}}}`, `{}`,
			"update Cal USER#ana / CAL#1 if version = 3: writes one, guard 1 → 200 , 0 found"},
		{"by a legacy condition", "DeleteItem", `{"TableName":"Cal","Key":` + ana +
			`,"Expected":{"version":{"Value":{"N":"3"}},"gone":{"Exists":false}}}`, `{}`,
			"delete Cal USER#ana / CAL#1 if gone NULL AND version EQ 3: writes one, guard 1 → 200 , 0 found"},
		{"by ARN", "GetItem", `{"TableName":"arn:aws:dynamodb:eu-west-1:123456789012:table/Cal","Key":` + ana + `}`,
			`{}`,
			"get Cal USER#ana / CAL#1: reads one, guard 0 → 200 , 0 found"},
		{"not JSON", "GetItem", `{"TableName":`, `{}`, "unknown : other whole, guard 0 → 200 , 0 found"},
		{"another operation", "MakeCoffee", `{}`, `{}`, "unknown : other whole, guard 0 → 200 , 0 found"},
		{"a table", "CreateTable", `{"TableName":"New","KeySchema":[]}`, `{}`,
			"create table New: provisions one, guard 0 → 200 , 0 found"},
		{"no table", "DescribeTable", `{"TableName":"New"}`, `{}`,
			"describe table New: surveys some, guard 0 → 200 , 0 found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := shownCall(called(oneTable(), test.operation, test.body, 200, test.answer)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestQueriesAndScans(t *testing.T) {
	const values = `,"ExpressionAttributeNames":{"#p":"PK","#s":"SK"},"ExpressionAttributeValues":` +
		`{":p":{"S":"CAL#1"},":a":{"S":"2026-01"},":b":{"S":"2026-02#~"},":t":{"BOOL":true}}`
	for _, test := range []struct{ name, operation, body, answer, want string }{
		{"a partition", "Query", `{"TableName":"Cal","KeyConditionExpression":"#p = :p"` + values + `}`,
			`{"Items":[{"a":{"S":"x,]}"}},{"b":{"L":[{"M":{}}]}}],"Count":2,"ScannedCount":2}`,
			`query Cal CAL#1 where PK = "CAL#1": reads some, guard 0 → 200 , 2 found`},
		{"a range of an index", "Query", `{"TableName":"Cal","IndexName":"GSI1","KeyConditionExpression":` +
			`"GSI1PK = :p AND (GSI1SK between :a and :b)","FilterExpression":"done = :t"` + values + `}`,
			`{"Items":[{}],"Count":1,"LastEvaluatedKey":{"PK":{"S":"x"}}}`,
			`query Cal/GSI1 CAL#1 / between 2026-01 and 2026-02#~ where GSI1PK = "CAL#1" AND ` +
				`(GSI1SK between "2026-01" and "2026-02#~") filter done = true: ` +
				`reads some, guard 0 → 200 , 1 found, more`},
		{"the sort key first", "Query", `{"TableName":"Cal","KeyConditionExpression":` +
			`"begins_with(SK, :a) and :p = PK"` + values + `}`, `{"Items":[],"Count":0}`,
			`query Cal CAL#1 / begins_with 2026-01 where begins_with(SK, "2026-01") and "CAL#1" = PK: ` +
				`reads some, guard 0 → 200 , 0 found`},
		{"one item", "Query", `{"TableName":"Cal","KeyConditionExpression":"SK=:a and PK=:p"` + values + `}`,
			`{"Items":[],"Count":0}`,
			`query Cal CAL#1 / 2026-01 where SK="2026-01" and PK="CAL#1": reads one, guard 0 → 200 , 0 found`},
		{"a later page", "Query", `{"TableName":"Cal","KeyConditionExpression":"PK=:p","ExclusiveStartKey":` + ana +
			values + `}`, `{"Count":7,"Items":[]}`,
			`page Cal CAL#1 where PK="CAL#1": reads some, guard 0 → 200 , 7 found`},
		{"legacy", "Query", `{"TableName":"Cal","KeyConditions":{"PK":{"ComparisonOperator":"EQ",
			"AttributeValueList":` +
			`[{"S":"a"}]},"SK":{"ComparisonOperator":"GE","AttributeValueList":[{"S":"b"}]}}}`,
			`{"Count":0,"Items":[]}`,
			`query Cal a / >= b where PK EQ "a" AND SK GE "b": reads some, guard 0 → 200 , 0 found`},
		{"a table whose keys are not known", "Query", `{"TableName":"X","KeyConditionExpression":"b > :a AND a = :p"` +
			values + `}`, `{"Count":0,"Items":[]}`,
			`query X CAL#1 / > 2026-01 where b > "2026-01" AND a = "CAL#1": reads some, guard 0 → 200 , 0 found`},
		{"a condition that cannot be read", "Query", `{"TableName":"Cal","KeyConditionExpression":"PK ~ ((((:p"` +
			values + `}`, `{}`,
			`query Cal where PK ~ (((("CAL#1" where PK ~ (((("CAL#1": reads some, guard 0 → 200 , 0 found`},
		{"everything", "Scan", `{"TableName":"Cal","Segment":0,"TotalSegments":4}`, `{"Items":[{},{},{}],"Count":3}`,
			`scan Cal: reads whole, guard 0 → 200 , 3 found`},
		{"an answer that breaks off", "Scan", `{"TableName":"Cal"}`, `{"Items":[{},{},`,
			`scan Cal: reads whole, guard 0 → 200 , -1 found`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := shownCall(called(oneTable(), test.operation, test.body, 200, test.answer)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	scan := called(nil, "Scan", `{"TableName":"Cal","Segment":0,"TotalSegments":4,"Limit":5,"ConsistentRead":true}`, 0,
		"")
	if scan.Segment != "1/4" || scan.Limit != 5 || !scan.Consistent || !scan.Scans() {
		t.Errorf("%+v", scan)
	}
}

func TestBatchesAndTransactions(t *testing.T) {
	for _, test := range []struct {
		name, operation, body string
		status                int
		answer, want          string
	}{
		{"batch get", "BatchGetItem", `{"RequestItems":{"Cal":{"Keys":[` + ana + `,{"PK":{"S":"a"},"SK":{"S":"b"}}]}}}`,
			200,
			`{"Responses":{"Cal":[` + ana + `]},"UnprocessedKeys":{"Cal":{"ConsistentRead":false,
				"Keys":[{"PK":{"S":"a"}}]}},` +
				`"ConsumedCapacity":[{"TableName":"Cal","CapacityUnits":0.5},{"TableName":"B","CapacityUnits":1}]}`,
			"batch get Cal: reads some, guard 0 [get Cal USER#ana / CAL#1 if , guard 0: 200 ] " +
				"[get Cal a / b if , guard 0: 200 ] → 200 , 1 found, 1 left, 1.5 units"},
		{"batch write of two tables", "BatchWriteItem",
			`{"RequestItems":{"Users":[{"DeleteRequest":{"Key":{"id":{"S":"1"}}}}],` +
				`"Cal":[{"PutRequest":{"Item":` + ana + `}}]}}`, 200,
			`{"UnprocessedItems":{"Cal":[{"PutRequest":{"Item":` + ana + `}}]}}`,
			"batch write : writes some, guard 0 [put Cal USER#ana / CAL#1 if , guard 3: 200 ] " +
				"[delete Users 1 if , guard 0: 200 ] → 200 , 0 found, 1 left"},
		{"transact write", "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"Cal","Item":` + ana +
			`,"ConditionExpression":"attribute_not_exists(PK)"}},{"ConditionCheck":{"TableName":"Cal","Key":` + ana +
			`,"ConditionExpression":"attribute_exists(PK)"}}]}`, 400,
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":` +
				`[{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"The conditional request failed"}],
					"Message":"x"}`,
			"transact write Cal if attribute_not_exists(PK); attribute_exists(PK): writes some, guard 0 " +
				"[put Cal USER#ana / CAL#1 if attribute_not_exists(PK), guard 1: 0 ] " +
				"[check Cal USER#ana / CAL#1 if attribute_exists(PK), guard 0: 400 ConditionalCheckFailed] " +
				"→ 400 TransactionCanceledException, 0 found"},
		{"transact get", "TransactGetItems", `{"TransactItems":[{"Get":{"TableName":"Cal","Key":` + ana + `}},` +
			`{"Get":{"TableName":"Cal","Key":` + ana + `}}]}`, 200, `{"Responses":[{"Item":` + ana + `},{}]}`,
			"transact get Cal: reads some, guard 0 [get Cal USER#ana / CAL#1 if , guard 0: 200 ] " +
				"[get Cal USER#ana / CAL#1 if , guard 0: 200 ] → 200 , 1 found"},
		{"a batch of statements", "BatchExecuteStatement",
			`{"Statements":[{"Statement":"SELECT * FROM Cal WHERE PK='a' AND SK='b'"},` +
				`{"Statement":"SELECT * FROM Cal WHERE PK=? AND SK=?","Parameters":[{"S":"c"},{"S":"d"}]}]}`, 200,
			`{"Responses":[{"Error":{"Code":"AccessDenied"},"TableName":"Cal"},{"Item":{}}]}`,
			`batch get Cal: reads some, guard 0 [get Cal a / b if , guard 0: 400 AccessDenied] ` +
				`[get Cal c / d if , guard 0: 200 ] → 200 , 1 found`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := shownCall(called(oneTable(), test.operation, test.body, test.status, test.answer))
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestStatementsAreClassedByWhatTheyDo(t *testing.T) {
	for statement, want := range map[string]string{
		`SELECT * FROM "Cal"`: "scan Cal: reads whole, guard 0",
		`select a, b from "Cal" where "PK" = 'it''s' and SK = 'b'`: "get Cal it's / b where \"PK\" = 'it''s' and " +
			"SK = 'b': reads one, guard 0",
		`SELECT * FROM Cal WHERE PK = 'a' OR SK = 'b'`: "scan Cal where PK = 'a' OR SK = 'b' where PK " +
			"= 'a' OR SK = 'b': reads whole, guard 0",
		`SELECT * FROM Cal WHERE PK IN ['a', 'b']`: "query Cal where PK IN [ 'a' , 'b' ] where PK " +
			"IN [ 'a' , 'b' ]: reads some, guard 0",
		`SELECT * FROM Cal WHERE title = 'a'`: "scan Cal where title = 'a' where title = 'a': " +
			"reads whole, guard 0",
		`SELECT * FROM "Cal"."GSI1" WHERE GSI1PK='a' AND begins_with(GSI1SK, 'b')`: "query Cal/GSI1 a / " +
			"begins_with b where GSI1PK = 'a' AND begins_with ( GSI1SK , 'b' ): reads some, guard 0",
		`INSERT INTO Cal VALUE {'PK':'a', 'x': {'PK': 'no'}, 'SK':'b'}`: "put Cal a / b if INSERT: writes one, guard 1",
		`UPDATE Cal SET x = 1 WHERE PK='a' AND SK='b'`:                  "update Cal a / b: writes one, guard 2",
		`UPDATE Cal SET x=1 WHERE PK='a' AND SK='b' AND version = 3`: "update Cal a / b if version = 3: " +
			"writes one, guard 1",
		`DELETE FROM Cal WHERE PK='a' AND SK='b'`: "delete Cal a / b: writes one, guard 2",
		`GRANT ALL`:                          "unknown : other whole, guard 0",
		`SELECT * FROM Other WHERE pk='a'`:   "query Other a where pk = 'a': reads some, guard 0",
		`SELECT * FROM Other WHERE name='a'`: "scan Other where name = 'a' where name = 'a': reads whole, guard 0",
		`'`:                                  "unknown : other whole, guard 0",
	} {
		body, _ := json.Marshal(map[string]string{"Statement": statement})
		got, _, _ := strings.Cut(shownCall(called(oneTable(), "ExecuteStatement", string(body), 0, "")), " →")
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", statement, got, want)
		}
	}
}

func TestKeysAreLearnt(t *testing.T) {
	of := &Tables{}
	called(of, "CreateTable", `{"TableName":"T","KeySchema":[{"AttributeName":"z","KeyType":"HASH"},`+
		`{"AttributeName":"a","KeyType":"RANGE"}]}`, 200, `{}`)
	get := called(of, "GetItem", `{"TableName":"T","Key":{"a":{"S":"1"},"z":{"S":"2"}}}`, 0, "")
	if get.Name() != "2 / 1" {
		t.Errorf("the key is %q", get.Name())
	}
	called(of, "DescribeTable", `{"TableName":"U"}`, 200, `{"Table":{"TableName":"U","KeySchema":[{"KeyType":"HASH",`+
		`"AttributeName":"id"}]}}`)
	put := called(of, "PutItem", `{"TableName":"U","Item":{"a":{"S":"1"},"id":{"S":"2"}}}`, 0, "")
	if put.Name() != "2" || !put.NamesOne() || put.Path() {
		t.Errorf("the key is %q", put.Name())
	}
}

func TestWhatInvitesARetry(t *testing.T) {
	for code, want := range map[string]bool{"ProvisionedThroughputExceededException": true, "ThrottlingException": true,
		"RequestLimitExceeded": true, "TransactionInProgressException": true, "ConditionalCheckFailedException": false,
		"ValidationException": false} {
		call := called(nil, "GetItem", `{"TableName":"T"}`, 400,
			`{"__type":"com.amazonaws.dynamodb.v20120810#`+code+`"}`)
		if call.ErrorCode != code || (Protocol{}).InvitesRetry(call) != want {
			t.Errorf("%s: %+v", code, call)
		}
	}
	for reason, want := range map[string]bool{"TransactionConflict": true, "ConditionalCheckFailed": false} {
		call := called(nil, "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"T"}}]}`, 400,
			`{"__type":"x#TransactionCanceledException","CancellationReasons":[{"Code":"`+reason+`"}]}`)
		if (Protocol{}).InvitesRetry(call) != want {
			t.Errorf("%s: %+v", reason, call)
		}
	}
	if call := called(nil, "GetItem", `{}`, 500, `{}`); !(Protocol{}).InvitesRetry(call) || call.Try != 2 ||
		call.ClientID != "0f0e" {
		t.Errorf("%+v", call)
	}
}

// FuzzRequest decodes any body as that of any operation.
func FuzzRequest(f *testing.F) {
	f.Add("Query", `{"TableName":"T","KeyConditionExpression":"#a = :b AND c BETWEEN :d AND :e"}`,
		`{"Items":[{}],"Count":1}`)
	f.Add("TransactWriteItems", `{"TransactItems":[{"Put":{}},{},null]}`, `{"Responses":[{"Item":{}}]}`)
	f.Add("BatchWriteItem", `{"RequestItems":{"T":[{"PutRequest":{"Item":{}}}]}}`, `{"UnprocessedItems":{"T":[{}]}}`)
	f.Add("ExecuteStatement", `{"Statement":"SELECT * FROM \"T\" WHERE a IN ['x', ?] AND b = 'y''"}`, `{`)
	f.Fuzz(func(t *testing.T, operation, body, answer string) {
		for _, of := range []*Tables{nil, oneTable()} {
			call := called(of, operation, body, 200, answer)
			called(of, operation, body, 400, answer)
			if call.Class == "" || call.Effect == "" || call.Breadth == "" {
				t.Errorf("%+v", call)
			}
			shownCall(call)
			req, _ := http.NewRequest("POST", "http://x/", nil)
			req.Header.Set(headerTarget, targetPrefix+operation)
			p := Protocol{of}
			p.Named(req, []byte(body))
			p.Unconditional(req, []byte(body))
			p.Unfiltered(req, []byte(body))
		}
	})
}
