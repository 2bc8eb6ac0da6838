package azure

// What Azure documents of blobs and a store may lack. Names…: the error has the documented code, and not another or
// none.
var (
	DerivesETags = documented(`ETags are "0x8…", from the time of the write`,
		rest+"specifying-conditional-headers-for-blob-service-operations")
	RefusesRangeAtEnd = documented("a range that starts at the end is 416 InvalidRange",
		azblobTests+"TestBlobDownloadDataOffsetOutOfRange")
	NamesMD5Mismatch     = documented("400 Md5Mismatch", commonErrors)
	NamesMalformedMD5    = documented("400 InvalidMd5", commonErrors)
	RefusesWrongCRC64    = documented("400 Crc64Mismatch", rest+"put-blob")
	TakesCRC64           = documented("201", rest+"put-blob")
	LimitsAccessPolicies = documented("more than five are 400 InvalidXmlDocument",
		azblobTests+"TestContainerSetPermissionsACLMoreThanFive")
	NamesUnknownTiers = documented("an invalid tier is 400 InvalidHeaderValue",
		azblobTests+"TestBlobSetTierInvalidAndValid")
	NamesForbiddenOverwrite = documented("403 UnauthorizedBlobOverwrite",
		azblobTests+"TestCommitBlockListWithUDSCreatePermissionOverwriteFails")
	MissingBeforeConditions   = documented("404 BlobNotFound", azuriteBug+"2751")
	IfMatchNeedsBlob          = documented("412 ConditionNotMet when there is none", azuriteBug+"2589")
	PutDropsBlocks            = documented("they are gone", rest+"put-block")
	RefusesEmptyBlocks        = documented("400 InvalidHeaderValue", rest+"put-block")
	NamesMalformedXML         = documented("400 InvalidXmlDocument", commonErrors)
	RefusesForeignMarkers     = documented("400 OutOfRangeInput", azuriteBug+"644")
	NamesMaxResultsOutOfRange = documented("0 is 400 OutOfRangeQueryParameterValue", rest+"list-blobs")
	NamesBadQueryParameters   = documented("400 InvalidQueryParameterValue", commonErrors)
	ListsSnapshotsFirst       = documented("from the oldest to the newest, then the blob", rest+"list-blobs")
	NamesMissingCopySource    = documented("404 CannotVerifyCopySource", azuriteBug+"634")
	NamesSourceConditions     = documented("one on the source is 412 SourceConditionNotMet",
		azblobTests+"TestBlobStartCopySourceIfMatchFalse")
	CopyNeedsInfiniteLease = documented("412 InfiniteLeaseDurationRequired", azuriteBug+"2540")
	PutsBlobsFromURL       = documented("Put Blob From URL", azuriteBug+"2353")
	PutsBlocksFromURL      = documented("Put Block From URL", rest+"put-block-from-url")
	ChecksCopySource       = documented("CannotVerifyCopySource for a private blob", rest+"copy-blob-from-url")
	NamesBadCopyIDs        = documented("400 InvalidQueryParameterValue", azblobTests+"TestBlobAbortCopyNoCopyStarted")
	NamesBadPageRanges     = documented("pages after the end are 416 InvalidPageRange",
		rest+"blob-service-error-codes")
	ComparesPages          = documented("the pages that differ, and those that were cleared", rest+"get-page-ranges")
	ConditionsOnTierChange = documented("412 AccessTierChangeTimeConditionNotMet",
		azblobTests+"TestBlobDeleteAccessTierIfModifiedSinceFalse")
	ErrorsRepeatRequestID   = documented("on every answer", commonErrors)
	NamesMissingBlobType    = documented("400 MissingRequiredHeader", rest+"put-blob")
	NamesUnknownBlobType    = documented("400 InvalidHeaderValue", rest+"put-blob")
	RefusesUnknownComp      = documented("400 InvalidQueryParameterValue", commonErrors)
	NamesMalformedSnapshots = documented("400 InvalidQueryParameterValue", azblobTests+"TestBlobSnapshotOfSnapshot")
	LimitsMetadata          = documented("400 MetadataTooLarge",
		rest+"setting-and-retrieving-properties-and-metadata-for-blob-resources")
	LimitsPageWrites = documented("more than 4 MiB of pages are 413 RequestBodyTooLarge", rest+"put-page")
	HasRootContainer = documented("an address of one segment is a blob of $root",
		rest+"working-with-the-root-container")
	RefusesMalformedBlobBatches = documented("400", rest+"blob-batch")

	RehydratesLater = documented("202, and pending for hours: the tier is Archive with x-ms-archive-status",
		recorded+"TestRehydrateStatus")
	KeepsArchivedSnapshots = documented("409 BlobOperationNotSupported", recorded+"TestBlockBlobSetTierOnSnapshots")
	CopiesOutOfArchive     = documented("to an online tier, pending like a change of tier", rest+"copy-blob")
	GetShowsTier           = documented("x-ms-access-tier and its time or that it is inferred",
		azblobTests+"TestDownloadStreamAccessTierHeaders")
	SnapshotsHaveNoLease = documented("no lease state, in headers and lists",
		recorded+"TestBlockBlobSetTierOnSnapshots")
	AnswersBothDigests  = documented("Content-MD5 and x-ms-content-crc64", recorded+"TestRehydrateStatus")
	AnswersCRC64        = documented("x-ms-content-crc64 unless Content-MD5 was sent", rest+"put-block")
	AnswersMD5WithCRC64 = documented("Content-MD5 and x-ms-content-crc64",
		azblobTests+"TestStageBlockMD5WithCRC64Return")
	ChecksStoredMD5   = documented("400 InvalidMd5", commonErrors)
	ChecksMD5OfSource = documented("400 Md5Mismatch", rest+"copy-blob-from-url")
	MatchesSubdomains = documented("https://*.contoso.com is any subdomain, in any case",
		rest+"cross-origin-resource-sharing--cors--support-for-the-azure-storage-services")
	ContainerSASIsForBlobs = documented("403 AuthorizationFailure", rest+"create-service-sas")
	CopiesSeals            = documented("also without x-ms-seal-blob", recorded+"TestCopySealedBlob")
	ListsSystemContainers  = documented("include=system lists $logs", recorded+"TestListContainersSystem")
	DeletesTwice           = documented("202 while it is being deleted", rest+"delete-container")
	PadsPolicyTimes        = documented("times with seven decimals",
		recorded+"TestContainerSetPermissionsDeleteAndModifyACL")
	RefusesGroupsInSearches  = documented("400 InvalidQueryParameterValue", rest+"find-blobs-by-tags")
	ChecksBlobBeforeTags     = documented("x-ms-blob-if-match and its like: 412 when not met", rest+"set-blob-tags")
	ChecksDatesOfUncommitted = documented("412 ConditionNotMet for a date in the future",
		recorded+"TestBlobPutBlockListIfModifiedSinceFalse")
	TakesStructuredBodies = documented("content in segments with a CRC64 each, checked in both directions",
		azblobTests+"TestUploadWithStructuredMessageCRC64")
	AnswersRangeCRC64  = documented("x-ms-range-get-content-crc64", rest+"get-blob")
	AsksForCredentials = documented("401 NoAuthenticationInformation for what is not public",
		rest+"authorize-with-azure-active-directory")
	NamesUnchangedSource = documented("304 CannotVerifyCopySource", rest+"put-blob-from-url")
	ListsFromTo          = documented("startFrom and endBefore bound the names", rest+"list-blobs")
)
