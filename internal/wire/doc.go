// Package wire watches the storage calls of a program on the wire. It stands between the program
// and its store, passes every byte on, and says afterwards what the store was made to do: which
// calls, of which class, on which partition, how many entities came back, how often an SDK tried.
//
// # What to open first
//
// Call (call.go) is the package's vocabulary: a service, a Class, a resource, keys. Budgets and laws
// are written in it. Recorder (recorder.go) collects calls and attributes them to client requests.
//
//	rec := wire.NewRecorder()
//	gate, err := wire.NewGateway(rec, map[wire.Service]http.Handler{
//		wire.Table: wire.NewProxy(azuriteTables, nil),
//		wire.Blob:  wire.NewProxy(azuriteBlobs, nil),
//	})
//	// start the target with gate.Endpoint(wire.Table) in its connection string
//	request := rec.Begin("GET /groups")
//	// send it with request.Traceparent(), read the answer
//	request.End()
//	err = rec.Settle(ctx)
//	for _, call := range request.Calls() { ... }
//
// # How a call is read
//
//   - The head decides nearly all: decode.go, decode_table.go and decode_blob.go follow the
//     operation lists of Azure Storage's REST documentation. An unknown operation is of class
//     Unknown, never an error, and passes like any other.
//   - A query is classed by its $filter: package odata parses it, and class.go says what it makes
//     the store read.
//   - Bodies are watched while they stream, by scanners that hold one line or one text at most:
//     scan_json.go (the keys of an insert, the number of entities, error codes), scan_xml.go (the
//     number of blobs), scan_batch.go (the operations of a transaction and their answers).
//   - A call is the client request's whose trace it carries, else that of the last request begun: trace.go
//     and request.go.
//   - The retries of an SDK are attempts of one call: attempt.go says when.
//
// What breaks calls on purpose, delays or orders them is an Interposer (interpose.go): it is given what
// a call's head says and chooses the handler that answers it. Paging (paging.go) stands before a table
// service and ends the pages of queries early.
//
// An account is named by the path (http://127.0.0.1:10002/account/Table) or by the host
// (account.table.core.windows.net); both are read.
//
// # What it never does
//
// Unless a fault, an order or short pages ask for it, it never holds a body whole, changes an address,
// a signature or a body, or answers in the store's place. It never fails a call because it could not
// read it. It keeps keys, filters and conditional headers, which are the caller's data, but no
// credentials: no Authorization header, and of shared access signatures only what it needs to
// recognize a retry, which it never gives out. Errors quote no data. It knows nothing of stores,
// targets and scenarios.
package wire
