package dynamodb

import "github.com/storespec/storespec/internal/emulator/conformance"

// Where AWS documents what it does.
const (
	api   = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/"
	guide = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
)

type capabilityOf = conformance.Capability

func documented(what, source string) *capabilityOf {
	return &capabilityOf{Documented: what, Source: source}
}

// suite is of tests whose answers were recorded from DynamoDB, for what AWS's documentation does not say word for word.
const suite = "nubo-db/dynamodb-conformance, recorded from DynamoDB in 2026"

// What AWS documents and a store may lack. Names…: the error has the documented type or words, and not others.
var (
	NamesExistingTables = documented("Table already exists: NAME", api+"API_CreateTable.html")
	NamesMissingTables  = documented("Requested resource not found: Table: NAME not found", api+"API_DeleteTable.html")
	ProtectsTables      = documented("400 ValidationException with DeletionProtectionEnabled", api+"API_DeleteTable.html")
	KeepsTags           = documented("TagResource, UntagResource", api+"API_TagResource.html")
	TakesEmptyValues    = documented("an attribute that is no key may be empty (since May 2020)",
		guide+"HowItWorks.NamingRulesDataTypes.html")
	CountsCollections      = documented("ItemCollectionMetrics with ReturnItemCollectionMetrics", api+"API_PutItem.html")
	ReturnsFailedItems     = documented("Item of ConditionalCheckFailedException (since June 2023)", api+"API_PutItem.html")
	HasTransactions        = documented("TransactWriteItems, TransactGetItems", api+"API_TransactWriteItems.html")
	TakesHundredOperations = documented("100 operations in a transaction (since September 2022)",
		api+"API_TransactWriteItems.html")
	HasStatements      = documented("PartiQL: ExecuteStatement and its relatives", api+"API_ExecuteStatement.html")
	CountsIndexes      = documented("CapacityUnits with those of its indexes", api+"API_ConsumedCapacity.html")
	CountsTransactions = documented("two units for each KB of a transactional write", guide+"transaction-apis.html")
	HasStreams         = documented("DynamoDB Streams", guide+"Streams.html")
	HasTimeToLive      = documented("UpdateTimeToLive, DescribeTimeToLive", api+"API_UpdateTimeToLive.html")
	NamesEmptyKeys     = documented("The AttributeValue for a key attribute cannot contain an empty string value",
		guide+"HowItWorks.NamingRulesDataTypes.html")
	CountsProblems = documented("1 validation error detected: … before the words of a write's problem (since 2026)", suite)
)
