// Package emulator runs storage services in this process: the table and the blob service of Azure Storage, Amazon
// DynamoDB with its streams, and Workers KV, as http.Handlers that the official SDKs use unchanged.
//
// # What flows in and out
//
// A request of an SDK comes in, over a socket or as a call of the handler. It is checked as the service checks it
// (address, version, signature, permissions), executed on the rows of its account in one ordered key-value engine, in
// memory or in a directory, and answered in the service's own words: status, headers, error codes. What goes out beyond
// the answers is little: addresses and "ready" on standard output, errors of the emulator itself in a log.
//
//	e, err := emulator.Open(emulator.Options{})
//	err = e.AddAccount("devstoreaccount1", key)
//	http.Handle("/", e.Table)              // or call e.Table.ServeHTTP without a socket
//	before, err := e.Snapshot("devstoreaccount1")
//	err = e.Reset("devstoreaccount1")      // in well under a millisecond
//	err = e.Close()
//
// [Open] is for programs that contain the emulator, such as the embedded store; [Serve] is the command
// "storespec emulate" and the program storespec-emulate on top of it.
//
// # The packages, in reading order
//
//	engine                      keys and values: batches, iterators over a snapshot, accounts
//	azureauth, awssign          how a request names its account, is signed, and is checked
//	azure                       what both of Azure's services share: the front, signatures, errors, properties
//	odata                       $filter, for the emulator and for those who classify a query
//	azure/tables, azure/blobs   Azure's services
//	dynamodb/value, expression, partiql   what an item, an expression, a statement is
//	dynamodb, kv                the other services
//	patience                    ends an upload that has stopped
//	conformance                 suites of cases that run against every store of a kind, and against this one
//
// In this package emulator.go puts the services together, serve.go and the files next to it are the command.
//
// # What it never does
//
// It follows the services' documentation and their recorded answers, never another emulator. It imports nothing of the
// harness except for writing a file atomically, since initializing the harness's dependencies alone takes longer than
// an emulator's start. It never logs a key, a token or a user's data, never acknowledges a write before it is durable
// unless NoSync is set, and never answers an operation that it does not have as if it had executed it.
package emulator
