package blobs

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// The blob service's own error codes.
// https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes

var (
	blobNotFound           = azure.NotFound("BlobNotFound", "The specified blob does not exist.")
	containerNotFound      = azure.NotFound("ContainerNotFound", "The specified container does not exist.")
	containerAlreadyExists = azure.Conflict("ContainerAlreadyExists", "The specified container already exists.")
	blobAlreadyExists      = azure.Conflict("BlobAlreadyExists", "The specified blob already exists.")
	invalidBlobType        = azure.Conflict("InvalidBlobType", "The blob type is invalid for this operation.")
	blobArchived           = azure.Conflict("BlobArchived", "This operation is not permitted on an archived blob.")
	operationNotSupported  = azure.Conflict("BlobOperationNotSupported", "Blob operation is not supported.")
	beingRehydrated        = azure.Conflict("BlobBeingRehydrated",
		"This operation is not permitted because the blob is being rehydrated.")
	noPendingCopy    = azure.Conflict("NoPendingCopyOperation", "There is currently no pending copy operation.")
	snapshotsPresent = azure.Conflict("SnapshotsPresent",
		"This operation is not permitted because the blob has snapshots.")
	permanentDeleteIsOff = azure.Conflict("PermanentDeleteIsOff", "Permanent delete is off on the storage account.")
	notSoftDeleted       = azure.Conflict("BlobSnapshotNotSoftDeleted",
		"The specified blob snapshot is not soft deleted.")
	noHierarchy = azure.BadRequest("HierarchicalNamespaceNotEnabled",
		"Hierarchical namespace is not enabled for this account.")
	blockListTooLong = azure.BadRequest("BlockListTooLong", "The block list may not contain more than 50,000 blocks.")
	invalidBlockID   = azure.BadRequest("InvalidBlockId",
		"The specified block ID is invalid. The block ID must be Base64-encoded.")
	invalidBlobOrBlock = azure.BadRequest("InvalidBlobOrBlock", "The specified blob or block content is invalid.")
	invalidBlockList   = azure.BadRequest("InvalidBlockList", "The specified block list is invalid.")
	md5Mismatch        = azure.BadRequest("Md5Mismatch",
		"The MD5 value specified in the request did not match with the MD5 value calculated by the server.")
	crc64Mismatch = azure.BadRequest("Crc64Mismatch",
		"The CRC64 value specified in the request did not match with the CRC64 value calculated by the server.")
	invalidResourceName = azure.BadRequest("InvalidResourceName",
		"The specified resource name contains invalid characters.")
	invalidMetadata = azure.BadRequest("InvalidMetadata",
		"The metadata specified is invalid. It has characters that are not permitted.")
	emptyMetadataKey = azure.BadRequest("EmptyMetadataKey", "The key for one of the metadata key-value pairs is empty.")
	metadataTooLarge = azure.BadRequest("MetadataTooLarge",
		"The size of the specified metadata exceeds the maximum size permitted.")
	invalidTags = azure.BadRequest("InvalidTag",
		"The tags specified are invalid. It contains characters that are not permitted.")
	blobUsesKey = azure.Conflict("BlobUsesCustomerSpecifiedEncryption",
		"The blob is encrypted with customer specified encryption, but it was not provided in the request.")
	blobUsesNoKey = azure.Conflict("BlobDoesNotUseCustomerSpecifiedEncryption",
		"The blob is not encrypted with customer specified encryption, but one was provided in the request.")
	blobUsesOtherKey = azure.Conflict("BlobCustomerSpecifiedEncryptionMismatch",
		"The given customer specified encryption does not match the encryption used to encrypt the blob.")
	scopeNotAvailable = azure.Conflict("EncryptionScopeNotAvailable",
		"The given encryption scope is not available.")
	notOnRootBlob = azure.Define(http.StatusForbidden, "OperationNotAllowedOnRootBlob",
		"The specified operation is not allowed on root blob.")
	unauthorizedOverwrite = azure.Define(http.StatusForbidden, "UnauthorizedBlobOverwrite",
		"This request is not authorized to perform blob overwrites.")
	finiteLease = azure.Define(http.StatusPreconditionFailed, "InfiniteLeaseDurationRequired",
		"The lease ID matched, but the specified lease must be an infinite-duration lease.")
	invalidRange = azure.Define(http.StatusRequestedRangeNotSatisfiable, "InvalidRange",
		"The range specified is invalid for the current size of the resource.")
	invalidPageRange = azure.Define(http.StatusRequestedRangeNotSatisfiable, "InvalidPageRange",
		"The page range specified is invalid.")
)

func invalidMD5(header, value string) *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidMd5",
		"The MD5 value specified in the request is invalid. MD5 value must be 128 bits and base64 encoded.").
		With("HeaderName", header).With("HeaderValue", value)
}

// outOfRange is Azure's answer for an impossible name or marker.
func outOfRange(message string) *azure.Problem {
	message = cmp.Or(message, "One of the request inputs is out of range.")
	return azure.NewProblem(http.StatusBadRequest, "OutOfRangeInput", message)
}

// sourceProblem is the answer when the source of a copy cannot be read.
func sourceProblem(p *azure.Problem) *azure.Problem {
	status := strconv.Itoa(p.Status)
	out := cannotVerifySource(p.Status, p.Message).With("CopySourceStatusCode", status).
		With("CopySourceErrorCode", p.Code).With("CopySourceErrorMessage", p.Message)
	out.Header = http.Header{"X-Ms-Copy-Source-Status-Code": {status}, "X-Ms-Copy-Source-Error-Code": {p.Code}}
	return out
}

func cannotVerifySource(status int, message string) *azure.Problem {
	return azure.NewProblem(status, "CannotVerifyCopySource", message)
}
