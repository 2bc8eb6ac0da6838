package dynamodb

import "github.com/storespec/storespec/internal/emulator/conformance"

// Where AWS documents what it does.
const (
	api   = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/"
	guide = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
)

func documented(what, source string) *conformance.Capability {
	return &conformance.Capability{Documented: what, Source: source}
}

// suite is a public suite of tests that is run on DynamoDB itself, for what AWS does not document word for word.
const suite = "github.com/nubo-db/dynamodb-conformance, as run on DynamoDB in 2026"

// What AWS documents and a store may lack. Names…: the error has the documented type or words, and not others.
var (
	NamesExistingTables = documented("Table already exists: NAME", api+"API_CreateTable.html")
	NamesMissingTables  = documented("Requested resource not found: Table: NAME not found", api+"API_DeleteTable.html")
	ProtectsTables      = documented("400 ValidationException with DeletionProtectionEnabled",
		api+"API_DeleteTable.html")
	KeepsTags        = documented("TagResource, UntagResource", api+"API_TagResource.html")
	TakesEmptyValues = documented("an attribute that is not a key may be empty (since May 2020)",
		guide+"HowItWorks.NamingRulesDataTypes.html")
	CountsCollections  = documented("ItemCollectionMetrics with ReturnItemCollectionMetrics", api+"API_PutItem.html")
	ReturnsFailedItems = documented("Item of ConditionalCheckFailedException (since June 2023)",
		api+"API_PutItem.html")
	HasTransactions        = documented("TransactWriteItems, TransactGetItems", api+"API_TransactWriteItems.html")
	TakesHundredOperations = documented("100 operations in a transaction (since September 2022)",
		api+"API_TransactWriteItems.html")
	HasStatements      = documented("PartiQL: ExecuteStatement and its relatives", api+"API_ExecuteStatement.html")
	CountsIndexes      = documented("CapacityUnits with those of its indexes", api+"API_ConsumedCapacity.html")
	CountsTransactions = documented("two units for each KB of a transactional write", guide+"transaction-apis.html")
	HasStreams         = documented("DynamoDB Streams", guide+"Streams.html")
	SetsTimeToLive     = documented("UpdateTimeToLive, DescribeTimeToLive", api+"API_UpdateTimeToLive.html")
	NamesEmptyKeys     = documented("The AttributeValue for a key attribute cannot contain an empty string value",
		guide+"HowItWorks.NamingRulesDataTypes.html")
	CountsProblems = documented("1 validation error detected: … before the words of a write's problem (since 2026)",
		suite)
	AddsOnDemandIndexes = documented("an index of an on-demand table has no throughput",
		api+"API_CreateGlobalSecondaryIndexAction.html")
	RemovesIndexes = documented("an index that was deleted cannot be queried",
		api+"API_DeleteGlobalSecondaryIndexAction.html")
	DescribesLimits      = documented("DescribeLimits", api+"API_DescribeLimits.html")
	RefusesMalformedJSON = documented("400 SerializationException", guide+"Programming.LowLevelAPI.html")
	NamesReturnValues    = documented("says which values there are", api+"API_PutItem.html")
	CountsStoredBytes    = documented("a page ends at 1 MB of stored items, whatever is projected",
		guide+"Query.Pagination.html")
	RefusesConsistentIndexReads = documented("Consistent reads are not supported on global secondary indexes",
		api+"API_Scan.html")
	NamesSegments = documented("The Segment parameter is zero-based and must be less than parameter TotalSegments",
		api+"API_Scan.html")
	NamesMissingKeys   = documented("Query condition missed key schema element: NAME", suite)
	FillsBatches       = documented("a batch returns up to 16 MB", api+"API_BatchGetItem.html")
	CancelsForOperands = documented("TransactionCanceledException with ValidationError",
		api+"API_TransactWriteItems.html")
	NamesSyntaxErrors = documented("Syntax error; token: …, near: …", suite)
	NamesKeyUpdates   = documented("Cannot update attribute NAME. This attribute is part of the key", suite)
	NamesKeySizes     = documented("says which key is larger than which limit", guide+"Constraints.html")
	NamesKeysOfItems  = documented("says which key is missing, of another type, or does not match the schema",
		suite)
	LimitsDepth      = documented("400 ValidationException for more than 32 levels", guide+"Constraints.html")
	NamesNumbers     = documented("says which number, and which limit of 38 digits", suite)
	NamesConstraints = documented("N validation errors detected: Value … at … failed to satisfy constraint: …",
		suite)
)
