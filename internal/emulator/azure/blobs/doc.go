// Package blobs is Azure Blob Storage over the engine: containers, block, append and page blobs, as described in the
// REST documentation (https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api). Where Azurite is
// known to differ from Azure, it follows Azure.
//
// Open route.go first: it lists every operation, a function of a [call], with the permission a shared access signature
// needs for it. The functions of an operation are in the file of its family:
//
//	put.go, blocks.go, append.go, page.go, copy.go      write a blob: whole, block by block, or from another one
//	get.go, pagerange.go, list.go, tags.go              read and search
//	properties.go, tier.go, leaseops.go                 change what is stored with a blob
//	delete.go, snapshot.go, softdelete.go               end a blob, and keep what was
//	container.go, bury.go, batch.go                     containers, and many blobs at once
//
// What they share: call.go and target.go (what a request names, whether it may be read or written, its lock),
// condition.go and lease.go, body.go (receives content), history.go (previous versions and what is soft-deleted),
// answer.go and xml.go (what is sent), problem.go (the error codes). The stored data is in record.go (a blob's row),
// extent.go (where its bytes are), change.go (a batch of writes) and shelf.go (files and chunks).
//
// A blob's row is one value. It contains a small body; a larger one is a sequence of extents, each a part of a chunk,
// and a chunk never changes once it is written: it is a row of the engine or, above a limit, a file. Snapshots, copies
// and committed blocks share chunks, which are reference-counted.
//
// The package never holds a large body in memory, never reads a body before an unconditional write, and never checks
// signatures: the front does that.
package blobs
