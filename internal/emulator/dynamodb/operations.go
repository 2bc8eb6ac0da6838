package dynamodb

import (
	"strings"

	"github.com/storespec/storespec/internal/emulator/dynamodb/expression"
)

// operation is one of the API's.
type operation struct {
	do func(*call) error
	// data: it works on items, so that a test's throttling concerns it. exclusive: it changes tables. counts: it shows
	// how many items there are.
	data, exclusive, counts bool
}

const (
	targetTables  = "DynamoDB_20120810."
	targetStreams = "DynamoDBStreams_20120810."
)

// operationOf returns the operation of a header X-Amz-Target; nil: there is none.
func operationOf(target string) *operation {
	if name, is := strings.CutPrefix(target, targetTables); is {
		return tableOperations[name]
	}
	if name, is := strings.CutPrefix(target, targetStreams); is {
		return streamOperations[name]
	}
	return nil
}

// The operations of the API Reference, "Amazon DynamoDB".
var tableOperations = map[string]*operation{
	"GetItem":    {do: getItem, data: true},
	"PutItem":    {do: writes(expression.PutItem), data: true},
	"UpdateItem": {do: writes(expression.UpdateItem), data: true},
	"DeleteItem": {do: writes(expression.DeleteItem), data: true},
	"Query":      {do: reads(expression.Query), data: true},
	"Scan":       {do: reads(expression.Scan), data: true},

	"BatchGetItem":       {do: batchGetItem, data: true},
	"BatchWriteItem":     {do: batchWriteItem, data: true},
	"TransactGetItems":   {do: transactGetItems, data: true},
	"TransactWriteItems": {do: transactWriteItems, data: true},

	"ExecuteStatement":      {do: executeStatement, data: true},
	"BatchExecuteStatement": {do: batchExecuteStatement, data: true},
	"ExecuteTransaction":    {do: executeTransaction, data: true},

	"CreateTable":   {do: createTable, exclusive: true},
	"DescribeTable": {do: describeTable, counts: true},
	"ListTables":    {do: listTables},
	"UpdateTable":   {do: updateTable, exclusive: true},
	"DeleteTable":   {do: deleteTable, exclusive: true},

	"UpdateTimeToLive":          {do: updateTimeToLive, exclusive: true},
	"DescribeTimeToLive":        {do: describeTimeToLive},
	"TagResource":               {do: tagResource, exclusive: true},
	"UntagResource":             {do: untagResource, exclusive: true},
	"ListTagsOfResource":        {do: listTags},
	"DescribeEndpoints":         {do: describeEndpoints},
	"DescribeLimits":            {do: describeLimits},
	"DescribeContinuousBackups": {do: describeBackups},
	"UpdateContinuousBackups":   {do: updateBackups, exclusive: true},
}

// The operations of the API Reference, "Amazon DynamoDB Streams".
var streamOperations = map[string]*operation{
	"ListStreams":      {do: listStreams},
	"DescribeStream":   {do: describeStream},
	"GetShardIterator": {do: getShardIterator},
	"GetRecords":       {do: getRecords},
}
