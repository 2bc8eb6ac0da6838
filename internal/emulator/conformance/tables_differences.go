package conformance

const tableErrors = restBlob + "table-service-error-codes"

const (
	tableModel   = restBlob + "understanding-the-table-service-data-model"
	tableQuery   = restBlob + "querying-tables-and-entities"
	tableBatches = restBlob + "performing-entity-group-transactions"
	tablePayload = restBlob + "payload-format-for-table-service-operations"
)

// TableDifferences are the cases of the table service that Azurite fails.
func TableDifferences() []Difference {
	return []Difference{
		{"Atom is refused", "415 AtomFormatNotSupported since version 2015-12-11, for bodies too", "an Atom body is read as JSON: 400 PropertiesNeedValue", tablePayload},
		{"an int64 that is none", "400 InvalidInput", "stored", tableErrors},
		{"a guid that is none", "400 InvalidInput", "stored", tableErrors},
		{"a time that is none", "400 InvalidInput", "stored", tableErrors},
		{"a binary that is no base64", "400 InvalidInput", "stored", tableErrors},
		{"a time before 1601", "400 OutOfRangeInput", "stored", azuriteBug + "1757"},
		{"an unknown type", "400 InvalidInput", "500", tableErrors},
		{"253 properties are too many", "400 TooManyProperties", "stored", azuriteBug + "1446"},
		{"a merge to 253 properties", "400 TooManyProperties", "stored", azuriteBug + "1446"},
		{"an entity over 1 MiB", "400 EntityTooLarge", "stored", tableModel},
		{"a slash in the key of an address", "400", "500", azuriteBug + "1371"},
		{"a property name of 256 characters", "400 PropertyNameTooLong", "stored", tableModel + "#property-limitations"},
		{"a property name with a hyphen", "400 PropertyNameInvalid", "stored", tableModel + "#property-names"},
		{"a property twice", "400 DuplicatePropertiesSpecified", "stored", tableErrors},
		{"a body that is no JSON", "400 InvalidInput", "400 without a code", tableErrors},
		{"a missing property matches no not", "an entity without the property is in no answer", "the negation makes it match", azuriteBug + "1929"},
		{"a string is no guid", "values of different types are not equal", "they are equal when their texts are", azuriteBug + "1827"},
		{"a time 100 ns later", "times compare at 100 ns", "not found", tableModel},
		{"an invalid filter: Int eq null", "400 InvalidInput", "200", azuriteBug + "2471"},
		{"an invalid filter: ID eq guid'x'", "400 InvalidInput", "200", tableQuery},
		{"an invalid filter: Text eq 'open", "400 InvalidInput", "200", tableQuery},
		{"select gives null for what an entity lacks", "null", "left out", azuriteBug + "2535"},
		{"a token that is none", "400 InvalidInput", "200", restBlob + "query-timeout-and-pagination"},
		{"top over 1000", "400 InvalidInput", "taken", tableQuery},
		{"top below 0", "400 InvalidInput", "400 without a code", tableQuery},
		{"several partitions in one transaction", "400 CommandsInBatchActOnDifferentPartitions", "made", azuriteBug + "1215"},
		{"a query among changes", "400 InvalidInput", "500", tableBatches},
		{"a batch that is cut off", "400 InvalidInput", "500", tableBatches},
		{"names of tables", "OutOfRangeInput for the length, InvalidResourceName for characters", "400 without a code", tableErrors},
		{"a table's name in another case", "names are the same in any case", "404 TableNotFound", tableModel + "#table-names"},
		{"list no tables", "$top=0 gives none", "all are listed", azuriteBug + "1428"},
		{"more than five CORS rules", "400", "taken", restBlob + "set-table-service-properties"},
		{"more than 365 days of retention", "400", "taken", restBlob + "set-table-service-properties"},
	}
}
