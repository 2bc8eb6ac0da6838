package blobs

import (
	"net/http"

	"github.com/storespec/storespec/internal/emulator/azure"
)

// The blob service's own error codes.
// https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes

func blobNotFound() *azure.Problem {
	return azure.NewProblem(http.StatusNotFound, "BlobNotFound", "The specified blob does not exist.")
}

func containerNotFound() *azure.Problem {
	return azure.NewProblem(http.StatusNotFound, "ContainerNotFound", "The specified container does not exist.")
}

func containerAlreadyExists() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "ContainerAlreadyExists", "The specified container already exists.")
}

func blobAlreadyExists() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "BlobAlreadyExists", "The specified blob already exists.")
}

func invalidBlobType() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "InvalidBlobType", "The blob type is invalid for this operation.")
}

func blobArchived() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "BlobArchived", "This operation is not permitted on an archived blob.")
}

func snapshotsPresent() *azure.Problem {
	return azure.NewProblem(http.StatusConflict, "SnapshotsPresent", "This operation is not permitted because the blob has snapshots.")
}

func invalidRange() *azure.Problem {
	return azure.NewProblem(http.StatusRequestedRangeNotSatisfiable, "InvalidRange",
		"The range specified is invalid for the current size of the resource.")
}

func invalidPageRange() *azure.Problem {
	return azure.NewProblem(http.StatusRequestedRangeNotSatisfiable, "InvalidPageRange", "The page range specified is invalid.")
}

func invalidBlockID() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidBlockId", "The specified block ID is invalid. The block ID must be Base64-encoded.")
}

func invalidBlobOrBlock() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidBlobOrBlock", "The specified blob or block content is invalid.")
}

func invalidBlockList() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidBlockList", "The specified block list is invalid.")
}

func md5Mismatch() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "Md5Mismatch",
		"The MD5 value specified in the request did not match with the MD5 value calculated by the server.")
}

func crc64Mismatch() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "Crc64Mismatch",
		"The CRC64 value specified in the request did not match with the CRC64 value calculated by the server.")
}

func invalidMD5(value string) *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidMd5",
		"The MD5 value specified in the request is invalid. MD5 value must be 128 bits and base64 encoded.").
		With("HeaderName", "Content-MD5").With("HeaderValue", value)
}

func invalidResourceName() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidResourceName", "The specified resource name contains invalid characters.")
}

// outOfRange is Azure's answer for a name or a marker that cannot be.
func outOfRange(message string) *azure.Problem {
	if message == "" {
		message = "One of the request inputs is out of range."
	}
	return azure.NewProblem(http.StatusBadRequest, "OutOfRangeInput", message)
}

func cannotVerifySource(status int, message string) *azure.Problem {
	return azure.NewProblem(status, "CannotVerifyCopySource", message)
}

func invalidTier(value string) *azure.Problem {
	return azure.InvalidHeaderValue("x-ms-access-tier", value)
}

func invalidMetadata() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidMetadata",
		"The metadata specified is invalid. It has characters that are not permitted.")
}

func emptyMetadataKey() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "EmptyMetadataKey", "The key for one of the metadata key-value pairs is empty.")
}

func metadataTooLarge() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "MetadataTooLarge", "The size of the specified metadata exceeds the maximum size permitted.")
}

func invalidTags() *azure.Problem {
	return azure.NewProblem(http.StatusBadRequest, "InvalidTag",
		"The tags specified are invalid. It contains characters that are not permitted.")
}
