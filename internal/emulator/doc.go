// Package emulator runs storage services in this process: the table and the blob service of Azure Storage, Amazon
// DynamoDB and Workers KV, as http.Handlers that the official SDKs use unchanged, over one key-value engine in memory
// or in a directory.
//
// [Open] returns an [Emulator], whose handlers may be called without a socket; [Serve] is the command "emulate" on top
// of it. The services follow their REST documentation and not another emulator. The package knows nothing of the
// harness that uses it, and links none of its dependencies, since initializing those alone takes longer than an
// emulator's start.
//
// Open emulator.go first; azure/ has what the services share, azure/tables and azure/blobs the services, dynamodb/ and
// kv/ the others, engine/ the store. conformance/ shows that all of it does what Azure documents.
package emulator
