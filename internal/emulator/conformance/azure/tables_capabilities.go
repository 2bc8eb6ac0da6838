package azure

const (
	tableErrors  = rest + "table-service-error-codes"
	tableModel   = rest + "understanding-the-table-service-data-model"
	tableQueries = rest + "querying-tables-and-entities"
	tableGroups  = rest + "performing-entity-group-transactions"
	tablePayload = rest + "payload-format-for-table-service-operations"
)

// What Azure documents of tables and a store may lack. Names…: the error has the documented code, and not another or
// none.
var (
	RefusesAtom = documented("415 AtomFormatNotSupported since version 2015-12-11, for bodies too",
		tablePayload)
	ChecksValues                  = documented("400 InvalidInput", tableErrors)
	BoundsTimes                   = documented("400 OutOfRangeInput", azuriteBug+"1757")
	RefusesUnknownTypes           = documented("400 InvalidInput", tableErrors)
	LimitsProperties              = documented("400 TooManyProperties", azuriteBug+"1446")
	LimitsEntities                = documented("400 EntityTooLarge", tableModel)
	RefusesSlashesInAddresses     = documented("400", azuriteBug+"1371")
	LimitsPropertyNames           = documented("400 PropertyNameTooLong", tableModel+"#property-limitations")
	ChecksPropertyNames           = documented("400 PropertyNameInvalid", tableModel+"#property-names")
	RefusesRepeatedProperties     = documented("400 DuplicatePropertiesSpecified", tableErrors)
	NamesMalformedJSON            = documented("400 InvalidInput", tableErrors)
	SkipsMissingProperties        = documented("an entity without the property is in no answer", azuriteBug+"1929")
	ComparesByType                = documented("values of different types are not equal", azuriteBug+"1827")
	ComparesTimesExactly          = documented("times compare at 100 ns", tableModel)
	RefusesNullInFilters          = documented("400 InvalidInput", azuriteBug+"2471")
	RefusesMalformedLiterals      = documented("400 InvalidInput", tableQueries)
	SelectsNull                   = documented("null", azuriteBug+"2535")
	RefusesForeignTokens          = documented("400 InvalidInput", rest+"query-timeout-and-pagination")
	LimitsTop                     = documented("400 InvalidInput", tableQueries)
	NamesNegativeTop              = documented("400 InvalidInput", tableQueries)
	KeepsTransactionsInPartitions = documented("400 CommandsInBatchActOnDifferentPartitions", azuriteBug+"1215")
	RefusesMalformedBatches       = documented("400 InvalidInput", tableGroups)
	NamesBadTableNames            = documented("OutOfRangeInput for the length, InvalidResourceName for characters",
		tableErrors)
	IgnoresCaseOfTables     = documented("names are the same in any case", tableModel+"#table-names")
	ListsNoTables           = documented("$top=0 gives none", azuriteBug+"1428")
	LimitsServiceProperties = documented("400 InvalidXmlDocument", aztablesTests+"TestRetentionTooLong")
	ChecksServiceProperties = documented("400 InvalidXmlDocument", rest+"set-table-service-properties")
	ChecksPolicies          = documented("400 InvalidXmlDocument", pythonTests+"test_set_table_acl_too_many_ids")
	ChecksPolicyTimes       = documented("400 InvalidXmlDocument", rest+"set-table-acl#request-body")
	ChecksPermissions       = documented("400 InvalidXmlDocument", rest+"create-service-sas#permissions-for-a-table")
	ChallengesAnonymous     = documented("401 InvalidAuthenticationInfo, with WWW-Authenticate",
		pythonTests+"test_challenge_auth")
	NamesAnonymous = documented("403 AuthenticationFailed", pythonTests+"test_challenge_auth")
	RefusesForms   = documented("415 AtomFormatNotSupported", tablePayload)
)
