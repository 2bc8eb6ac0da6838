package dynamodb

import (
	"slices"

	"github.com/storespec/storespec/internal/wire"
)

// The classes of calls.
const (
	Get           = "get"
	Query         = "query" // the first page of a query
	Scan          = "scan"  // the first page of a scan, or of a segment of one
	Page          = "page"  // a later page of either
	Put           = "put"
	Update        = "update"
	Delete        = "delete"
	BatchGet      = "batch get"
	BatchWrite    = "batch write"
	TransactGet   = "transact get"
	TransactWrite = "transact write"
)

// Classes that budgets do not use.
const (
	check       = "check" // an operation of a transaction that changes nothing
	createTable = "create table"
	changeTable = "change table"
	deleteTable = "delete table"
	lookAtTable = "describe table"
	other       = "other"
)

// Classes returns the classes that budgets use, ordered by how much they make the store read.
func (Protocol) Classes() []wire.Class {
	write := []string{"write"}
	return []wire.Class{
		{Name: Get, Effect: wire.Reads, Breadth: wire.One},
		{Name: Query, Effect: wire.Reads, Breadth: wire.Some},
		{Name: Page, Effect: wire.Reads, Breadth: wire.Some},
		{Name: Scan, Effect: wire.Reads, Breadth: wire.Whole},
		{Name: BatchGet, Effect: wire.Reads, Breadth: wire.Some},
		{Name: TransactGet, Effect: wire.Reads, Breadth: wire.Some},
		{Name: Put, Effect: wire.Writes, Breadth: wire.One, In: write},
		{Name: Update, Effect: wire.Writes, Breadth: wire.One, In: write},
		{Name: Delete, Effect: wire.Writes, Breadth: wire.One},
		{Name: BatchWrite, Effect: wire.Writes, Breadth: wire.Some},
		{Name: TransactWrite, Effect: wire.Writes, Breadth: wire.Some},
	}
}

// classes are all classes by their names.
var classes = func() map[string]wire.Class {
	all := map[string]wire.Class{}
	for _, class := range slices.Concat(Protocol{}.Classes(), []wire.Class{
		{Name: check, Effect: wire.Reads, Breadth: wire.One},
		{Name: createTable, Effect: wire.Provisions, Breadth: wire.One},
		{Name: changeTable, Effect: wire.Provisions, Breadth: wire.One},
		{Name: deleteTable, Effect: wire.Writes, Breadth: wire.Whole},
		{Name: lookAtTable, Effect: wire.Surveys, Breadth: wire.Some},
		{Name: other, Effect: wire.Other, Breadth: wire.Whole},
		{Name: wire.Unknown, Effect: wire.Other, Breadth: wire.Whole},
	}) {
		all[class.Name] = class
	}
	return all
}()

// classed gives a call a class.
func classed(call *wire.Call, name string) {
	class := classes[name]
	call.Class, call.Effect, call.Breadth = class.Name, class.Effect, class.Breadth
	call.Continues = name == Page
}

// operations are the classes of operations, by DynamoDB's names. Statements have their class from what they say.
var operations = map[string]string{
	"GetItem": Get, "Query": Query, "Scan": Scan, "PutItem": Put, "UpdateItem": Update, "DeleteItem": Delete,
	"BatchGetItem": BatchGet, "BatchWriteItem": BatchWrite, "TransactGetItems": TransactGet,
	"TransactWriteItems": TransactWrite,
	"ExecuteStatement":   wire.Unknown, "BatchExecuteStatement": wire.Unknown, "ExecuteTransaction": wire.Unknown,

	"CreateTable": createTable, "CreateGlobalTable": createTable, "RestoreTableFromBackup": createTable,
	"RestoreTableToPointInTime": createTable, "ImportTable": createTable,
	"UpdateTable": changeTable, "UpdateTimeToLive": changeTable, "TagResource": changeTable,
	"UntagResource": changeTable, "UpdateContinuousBackups": changeTable, "UpdateGlobalTable": changeTable,
	"UpdateGlobalTableSettings": changeTable, "UpdateTableReplicaAutoScaling": changeTable,
	"UpdateContributorInsights": changeTable, "UpdateKinesisStreamingDestination": changeTable,
	"PutResourcePolicy": changeTable, "DeleteResourcePolicy": changeTable,
	"DeleteTable":   deleteTable,
	"DescribeTable": lookAtTable, "ListTables": lookAtTable, "DescribeTimeToLive": lookAtTable,
	"ListTagsOfResource": lookAtTable, "DescribeContinuousBackups": lookAtTable, "DescribeLimits": lookAtTable,
	"DescribeEndpoints": lookAtTable, "GetResourcePolicy": lookAtTable, "DescribeGlobalTable": lookAtTable,
	"ListGlobalTables": lookAtTable, "DescribeTableReplicaAutoScaling": lookAtTable,
	"DescribeContributorInsights": lookAtTable, "DescribeKinesisStreamingDestination": lookAtTable,
}
