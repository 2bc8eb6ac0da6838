// Package blobs is Azure Blob Storage over the engine: containers, block, append and page blobs, as described in the
// REST documentation (https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api). Where Azurite is
// known to differ from Azure, it follows Azure.
//
// Open service.go first: New returns the handler behind an azure.Front, and route.go lists every operation with the
// permission a shared access signature needs for it. The stored data is in record.go (a blob's row), extent.go (where
// its bytes are) and shelf.go (files and chunks).
//
// A blob's row is one value. It contains a small body; a larger one is a sequence of extents, each a part of a chunk,
// and a chunk never changes once it is written: it is a row of the engine or, above a limit, a file. Snapshots, copies
// and committed blocks share chunks, which are reference-counted. What an account keeps of deleted and overwritten
// blobs is in softdelete.go and version.go.
//
// The package never holds a large body in memory, never reads a body before an unconditional write, and never checks
// signatures: the front does that.
package blobs
