// Package blobs is Azure Blob Storage over the engine: containers, block, append and page blobs, as the
// REST documentation has them (https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api).
// Where Azurite is known to differ from Azure, Azure's behaviour is built.
//
// Open service.go first: New makes the handler that stands behind an azure.Front, and route.go lists
// every operation with the permission a shared access signature needs for it. What an operation keeps is
// in record.go (a blob's row), extent.go (where its bytes are) and shelf.go (files and chunks).
//
// A blob's row is one value. A small body stands in it; a larger one is a sequence of extents, each a part
// of a chunk, and a chunk never changes once it is written: it is a row of the engine or, above
// a limit, a file. Snapshots, copies and committed blocks share chunks; a count says how often.
//
// The package never holds a large body in memory, never reads a body before an unconditional write, and
// never checks signatures: that is the front's.
package blobs
