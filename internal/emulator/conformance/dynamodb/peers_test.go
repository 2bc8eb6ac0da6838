package dynamodb_test

import (
	"github.com/storespec/storespec/internal/emulator/conformance"
	"github.com/storespec/storespec/internal/emulator/conformance/dynamodb"
)

const (
	unknown    = "400 UnknownOperationException"
	otherWords = "other words"
)

// dynaliteLacks is what dynalite does instead of what it lacks.
func dynaliteLacks() map[*conformance.Capability]string {
	return map[*conformance.Capability]string{
		dynamodb.NamesExistingTables:         "an empty message",
		dynamodb.ProtectsTables:              "deleted",
		dynamodb.AddsOnDemandIndexes:         "400 ValidationException: provisionedThroughput must not be null",
		dynamodb.RemovesIndexes:              "it answers",
		dynamodb.DescribesLimits:             unknown,
		dynamodb.CountsCollections:           "left out",
		dynamodb.ReturnsFailedItems:          "left out",
		dynamodb.NamesSyntaxErrors:           "Syntax error; Expected … but … found.",
		dynamodb.RefusesConsistentIndexReads: "taken",
		dynamodb.FillsBatches:                "1 MB",
		dynamodb.HasTransactions:             unknown,
		dynamodb.TakesHundredOperations:      unknown,
		dynamodb.CancelsForOperands:          unknown,
		dynamodb.HasStatements:               unknown,
		dynamodb.CountsIndexes:               "1 unit: that of the table",
		dynamodb.CountsTransactions:          unknown,
		dynamodb.HasStreams:                  unknown,
		dynamodb.SetsTimeToLive:              unknown,
		dynamodb.LimitsDepth:                 "stored",
		dynamodb.CountsProblems:              "the words alone",
	}
}

// localLacks is what DynamoDB Local, of 2020, does instead of what it lacks.
func localLacks() map[*conformance.Capability]string {
	return map[*conformance.Capability]string{
		dynamodb.NamesExistingTables:         "Cannot create preexisting table",
		dynamodb.NamesMissingTables:          "Cannot do operations on a non-existent table",
		dynamodb.ProtectsTables:              "deleted",
		dynamodb.KeepsTags:                   unknown,
		dynamodb.RefusesMalformedJSON:        "500 InternalFailure",
		dynamodb.TakesEmptyValues:            "400 ValidationException",
		dynamodb.NamesReturnValues:           "Return values set to invalid value",
		dynamodb.CountsCollections:           "left out",
		dynamodb.ReturnsFailedItems:          "left out",
		dynamodb.NamesKeyUpdates:             "This attribute is part of the key",
		dynamodb.CountsStoredBytes:           "what is projected counts",
		dynamodb.RefusesConsistentIndexReads: "Consistent read cannot be true when scaning a GSI",
		dynamodb.NamesSegments:               otherWords,
		dynamodb.NamesMissingKeys:            "Query condition missed key schema element",
		dynamodb.TakesHundredOperations:      "10 at most",
		dynamodb.CancelsForOperands:          "400 ValidationException",
		dynamodb.HasStatements:               unknown,
		dynamodb.NamesKeySizes:               "one message for both keys",
		dynamodb.NamesKeysOfItems:            "other words, without names",
		dynamodb.NamesEmptyKeys:              otherWords,
		dynamodb.NamesNumbers:                otherWords,
		dynamodb.NamesConstraints:            otherWords,
		dynamodb.CountsProblems:              "the words alone",
	}
}
