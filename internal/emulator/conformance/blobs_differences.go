package conformance

// Where Azure's behaviour is documented or was seen.
const (
	restBlob     = "https://learn.microsoft.com/rest/api/storageservices/"
	blobErrors   = restBlob + "blob-service-error-codes"
	commonErrors = restBlob + "common-rest-api-error-codes"
	// azblobTests are the tests of Azure's SDK for Go, whose answers were recorded from Azure.
	azblobTests = "azure-sdk-for-go, sdk/storage/azblob v1.8.1, "
	azuriteBug  = "https://github.com/Azure/Azurite/issues/"
)

// BlobDifferences are the cases of the blob service that Azurite fails.
func BlobDifferences() []Difference {
	return []Difference{
		{"an ETag is 0x8 in quotes in headers", `ETags are "0x8…", from the time of the write`, `random, such as "0x246E80A9C5DEFE0"`, restBlob + "specifying-conditional-headers-for-blob-service-operations"},
		{"ranges", "a range that starts at the end is 416 InvalidRange", "206 with an empty body", azblobTests + "TestBlobDownloadDataOffsetOutOfRange"},
		{"a wrong MD5 is refused", "400 Md5Mismatch", "400 InvalidOperation", commonErrors},
		{"a malformed MD5 is refused", "400 InvalidMd5", "400 InvalidOperation", commonErrors},
		{"a wrong CRC64 is refused", "400 Crc64Mismatch", "500 FeatureNotSupported", restBlob + "put-blob"},
		{"a right CRC64 is taken", "201", "500 FeatureNotSupported", restBlob + "put-blob"},
		{"stored access policies", "more than five are 400 InvalidXmlDocument", "taken", azblobTests + "TestContainerSetPermissionsACLMoreThanFive"},
		{"tiers", "a tier that is none is 400 InvalidHeaderValue", "400 AccessTierNotSupportedForBlobType", azblobTests + "TestBlobSetTierInvalidAndValid"},
		{"a signature to create does not overwrite", "403 UnauthorizedBlobOverwrite", "403 AuthorizationPermissionMismatch", azblobTests + "TestCommitBlockListWithUDSCreatePermissionOverwriteFails"},
		{"a missing blob with If-Match is not found", "404 BlobNotFound", "412 ConditionNotMet", azuriteBug + "2751"},
		{"If-Match: * needs the blob", "412 ConditionNotMet when there is none", "the blob is made", azuriteBug + "2589"},
		{"putting a blob drops its uncommitted blocks", "they are gone", "they are kept", restBlob + "put-block"},
		{"an empty block is refused", "400 InvalidHeaderValue", "201", restBlob + "put-block"},
		{"a block list that is no XML", "400 InvalidXmlDocument", "400 without a code", commonErrors},
		{"an invalid marker is refused", "400 OutOfRangeInput", "the marker is taken for a name", azuriteBug + "644"},
		{"maxresults", "0 is 400 OutOfRangeQueryParameterValue", "400 without a code", restBlob + "list-blobs"},
		{"maxresults that is no number", "400 InvalidQueryParameterValue", "400 without a code", commonErrors},
		{"an unknown include is refused", "400 InvalidQueryParameterValue", "400 without a code", commonErrors},
		{"snapshots stand before their blob", "from the oldest to the newest, then the blob", "the blob stands first", restBlob + "list-blobs"},
		{"a source that is not there", "404 CannotVerifyCopySource", "404 BlobNotFound", azuriteBug + "634"},
		{"conditions of a copy", "one on the source is 412 SourceConditionNotMet", "412 ConditionNotMet", azblobTests + "TestBlobStartCopySourceIfMatchFalse"},
		{"copying onto a lease of limited duration", "412 InfiniteLeaseDurationRequired", "copied", azuriteBug + "2540"},
		{"put a blob from an address", "Put Blob From URL", "501 APINotImplemented", azuriteBug + "2353"},
		{"put a block from an address", "Put Block From URL", "501 APINotImplemented", restBlob + "put-block-from-url"},
		{"a source without a signature", "CannotVerifyCopySource for a private blob", "copied", restBlob + "copy-blob-from-url"},
		{"abort with an id that is none", "400 InvalidQueryParameterValue", "409 CopyIdMismatch", azblobTests + "TestBlobAbortCopyNoCopyStarted"},
		{"a page blob's range is aligned", "pages after the end are 416 InvalidPageRange", "416 without a documented code", blobErrors},
		{"the difference to a snapshot", "the pages that differ, and those that were cleared", "all pages of the blob", restBlob + "get-page-ranges"},
		{"delete conditions on the tier's change", "412 AccessTierChangeTimeConditionNotMet", "deleted", azblobTests + "TestBlobDeleteAccessTierIfModifiedSinceFalse"},
		{"the client's request id comes back", "on every answer", "not on an error", commonErrors},
		{"put without a type", "400 MissingRequiredHeader", "400 without a code", restBlob + "put-blob"},
		{"put with an unknown type", "400 InvalidHeaderValue", "400 without a code", restBlob + "put-blob"},
		{"an unknown comp", "400 InvalidQueryParameterValue", "taken for Get Blob", commonErrors},
		{"a malformed snapshot", "400 InvalidQueryParameterValue", "404 BlobNotFound", azblobTests + "TestBlobSnapshotOfSnapshot"},
		{"metadata over 8 KiB", "400 MetadataTooLarge", "201", restBlob + "setting-and-retrieving-properties-and-metadata-for-blob-resources"},
		{"a body with a length over the limit", "more than 4 MiB of pages are 413 RequestBodyTooLarge", "201", restBlob + "put-page"},
		{"a blob of the root container", "an address of one segment is a blob of $root", "400 InvalidResourceName", restBlob + "working-with-the-root-container"},
		{"a batch that is none", "400", "202 without an answer", restBlob + "blob-batch"},
	}
}
