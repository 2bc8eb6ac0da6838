package dynamodb

import (
	"fmt"
	"strings"
	"time"
)

// units is the member of an answer for a number of capacity units of the case's table.
func units(n float64) string {
	return fmt.Sprintf(`{"ConsumedCapacity":{"TableName":"$T","CapacityUnits":%g}}`, n)
}

// capacity are the cases of ConsumedCapacity.
func capacity() []entry {
	const total, indexes = `,"ReturnConsumedCapacity":"TOTAL"}`, `,"ReturnConsumedCapacity":"INDEXES"}`
	large := `,"x":{"S":"` + strings.Repeat("x", 5000) + `"}`
	put := func(attributes string) string {
		return `{"TableName":"$T","Item":{"pk":{"S":"p"},"sk":{"S":"s"}` + attributes + `}`
	}
	return []entry{
		{"units of a small write", nil, func(p *probe) { p.answers("PutItem", put("")+total, units(1)) }},
		{"units of a write of 5 KB", nil, func(p *probe) { p.answers("PutItem", put(large)+total, units(5)) }},
		{"units of a deletion are those of what was there", nil, func(p *probe) {
			p.put("p", "s", large)
			p.answers("DeleteItem", theKey+total, units(5))
		}},
		{"units of an update are those of the larger item", nil, func(p *probe) {
			p.put("p", "s", large)
			p.answers("UpdateItem", theKey+`,"UpdateExpression":"REMOVE x"`+total, units(5))
		}},
		{"units of reads", nil, func(p *probe) {
			p.put("p", "s", large)
			p.answers("GetItem", theKey+total, units(1))
			p.answers("GetItem", theKey+`,"ConsistentRead":true`+total, units(2))
			p.answers("Query", query+total, units(1))
		}},
		{"units of a read of what is missing", nil, func(p *probe) {
			p.answers("GetItem", theKey+`,"ConsistentRead":true`+total, units(1))
		}},
		{"units of indexes are counted", CountsIndexes, func(p *probe) {
			p.answers("PutItem", put(`,"gpk":{"S":"g"},"gsk":{"N":"1"}`)+indexes,
				`{"ConsumedCapacity":{"CapacityUnits":3,
				"Table":{"CapacityUnits":1},"GlobalSecondaryIndexes":{"all":{"CapacityUnits":1},
				"some":{"CapacityUnits":1}}}}`)
		}},
		{"units of a move in an index", CountsIndexes, func(p *probe) {
			p.put("p", "s", `,"gpk":{"S":"g"},"gsk":{"N":"1"}`)
			p.answers("PutItem", put(`,"gpk":{"S":"g"},"gsk":{"N":"2"}`)+indexes,
				`{"ConsumedCapacity":{"CapacityUnits":3,
				"GlobalSecondaryIndexes":{"all":{"CapacityUnits":2},"some":null}}}`)
		}},
		{"units of a query of an index", nil, func(p *probe) {
			p.rows()
			p.answers("Query", `{"TableName":"$T","IndexName":"all","KeyConditionExpression":"gpk = :g",
				"ExpressionAttributeValues":{":g":{"S":"g"}}`+indexes, `{"ConsumedCapacity":{"CapacityUnits":0.5,
				"GlobalSecondaryIndexes":{"all":{"CapacityUnits":0.5}}}}`)
		}},
		{"units of a batch", nil, func(p *probe) {
			p.answers("BatchWriteItem", `{"RequestItems":{"$T":[{"PutRequest":{"Item":{"pk":{"S":"p"},"sk":{"S":"1"}}}},
				{"PutRequest":{"Item":{"pk":{"S":"p"},"sk":{"S":"2"}}}}]}`+total,
				`{"ConsumedCapacity":[{"TableName":"$T","CapacityUnits":2}]}`)
		}},
		{"units of a transaction are doubled", CountsTransactions, func(p *probe) {
			p.answers("TransactWriteItems", `{"TransactItems":[`+putting("1", "")+`,`+putting("2", "")+`]`+total,
				`{"ConsumedCapacity":[{"TableName":"$T","CapacityUnits":4,"WriteCapacityUnits":4}]}`)
		}},
		{"units that are not asked for", nil, func(p *probe) {
			p.answers("GetItem", theKey+`}`,
				`{"ConsumedCapacity":null}`)
		}},
	}
}

// streams are the cases of DynamoDB Streams.
func streams() []entry {
	streamed := func(p *probe) (arn string) {
		p.create(strings.Replace(strings.ReplaceAll(theTable, "$T", "$T-streamed"), `{`,
			`{"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},`, 1))
		p.table += "-streamed"
		var d struct {
			Table struct{ LatestStreamArn string }
		}
		unmarshal(p, p.ok("DescribeTable", `{"TableName":"$T"}`), &d)
		return d.Table.LatestStreamArn
	}
	return []entry{
		{"a stream has the changes in order", HasStreams, func(p *probe) {
			arn := streamed(p)
			p.put("p", "s", `,"a":{"S":"1"}`)
			p.put("p", "s", `,"a":{"S":"2"}`)
			p.put("p", "s", `,"a":{"S":"2"}`) // no change, no record
			p.ok("DeleteItem", theKey+`}`)
			p.same("GetRecords", p.records(arn, 3), `{"Records":[
				{"eventName":"INSERT","dynamodb":{"NewImage":{"a":{"S":"1"}},"OldImage":null,
					"StreamViewType":"NEW_AND_OLD_IMAGES"}},
				{"eventName":"MODIFY","dynamodb":{"NewImage":{"a":{"S":"2"}},"OldImage":{"a":{"S":"1"}},
				"Keys":{"pk":{"S":"p"}}}},
				{"eventName":"REMOVE","dynamodb":{"NewImage":null,"OldImage":{"a":{"S":"2"}}}}]}`)
		}},
		{"a stream is listed and described", HasStreams, func(p *probe) {
			arn := streamed(p)
			p.answers("Streams:ListStreams", `{"TableName":"$T"}`,
				`{"Streams":[{"StreamArn":"`+arn+`","TableName":"$T"}]}`)
			p.answers("Streams:DescribeStream", `{"StreamArn":"`+arn+`"}`,
				`{"StreamDescription":{"StreamStatus":"ENABLED",
				"TableName":"$T","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk",
				"KeyType":"RANGE"}]}}`)
		}},
	}
}

// records reads a stream from its beginning until it has n records, and returns the answer.
func (p *probe) records(arn string, n int) string {
	var d struct {
		StreamDescription struct{ Shards []struct{ ShardId string } }
	}
	unmarshal(p, p.ok("Streams:DescribeStream", `{"StreamArn":"`+arn+`"}`), &d)
	if len(d.StreamDescription.Shards) == 0 {
		p.Fatalf("the stream has no shard")
	}
	shard := d.StreamDescription.Shards[0].ShardId
	for until := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		var at struct{ ShardIterator string }
		unmarshal(p, p.ok("Streams:GetShardIterator", `{"StreamArn":"`+arn+`","ShardId":"`+shard+
			`","ShardIteratorType":"TRIM_HORIZON"}`), &at)
		body := p.ok("Streams:GetRecords", `{"ShardIterator":"`+at.ShardIterator+`"}`)
		if strings.Count(body, `"eventID"`) >= n || time.Now().After(until) {
			return body
		}
	}
}

// lifetimes are the cases of time to live.
func lifetimes() []entry {
	const set = `{"TableName":"$T","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`
	return []entry{
		{"time to live is off", nil, func(p *probe) {
			p.answers("DescribeTimeToLive", `{"TableName":"$T"}`,
				`{"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}}`)
		}},
		{"time to live is switched on", SetsTimeToLive, func(p *probe) {
			p.answers("UpdateTimeToLive", set, `{"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}}`)
			p.answers("DescribeTimeToLive", `{"TableName":"$T"}`, `{"TimeToLiveDescription":{"AttributeName":"until"}}`)
		}},
		{"time to live is switched on twice", SetsTimeToLive, func(p *probe) {
			p.ok("UpdateTimeToLive", set)
			p.refuses("UpdateTimeToLive", set, "ValidationException", "TimeToLive is already enabled")
		}},
	}
}
