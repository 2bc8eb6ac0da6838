// Package wire is the wing that records the storage calls of a program. It sits between the program and its store,
// passes every byte through, and afterwards reports what calls the store received: of which class, on which row, how
// many rows were returned, and how many times an SDK tried.
//
// In come requests of a target and the answers of its store; out come [Call] values, each attributed to a client's
// request. Budgets, laws, faults and orders are written in their terms and never name a service.
//
// # The packages, in reading order
//
//   - wire itself: calls, recorder, gateway, and the handlers that break, delay and hold calls
//   - azure, dynamodb, kv: the protocols of the services, which read a call from its bytes and can change it. They use
//     the parsers of the emulators for filters, expressions and statements
//   - inprocess: a transport that calls a handler in this process as a server would be called
//   - wiretest: an exchange on the wire, for tests of protocols
//
// # What to open first
//
// Call (call.go) is the vocabulary: what a call does (Effect), how much the store must examine for it (Breadth), and
// what it names (name.go). Recorder (recorder.go) collects calls and attributes them to client requests.
//
//	rec := wire.NewRecorder()
//	gate, err := wire.NewGateway(rec, map[wire.Protocol]http.Handler{
//		azure.Tables{}: wire.NewProxy(azuriteTables, nil, nil),
//		azure.Blobs{}:  wire.NewProxy(azuriteBlobs, nil, nil),
//	}, wire.GatewayOptions{})
//	// start the target with gate.Endpoint(azure.Table) in its connection string
//	request := rec.Begin("GET /groups")
//	// send it with request.Traceparent(), read the answer
//	request.End()
//	err = rec.Settle(ctx)
//	for _, call := range request.Calls() { ... }
//
// # How a call is read
//
//   - A Protocol (protocol.go) identifies a call from its request's head, and follows its body and answer as they
//     stream through. A protocol whose requests differ only in their bodies is BodyFirst: enough of the body is read
//     before the call is announced.
//   - A call belongs to the client request whose trace it carries, or else to the last request begun: trace.go and
//     request.go.
//   - What a target reads again and again by itself belongs to no request: polls.go.
//   - The retries of an SDK are attempts of one call: attempt.go has the rules.
//
// Code that breaks calls on purpose, delays them or orders them is an Interposer (interpose.go): it receives what is
// known of a call before the call proceeds, and chooses the handler that answers it. The interposers of a gateway form
// a chain (chain.go): each is removed individually. Paging (paging.go) wraps services that answer queries in pages, and
// ends the pages early.
//
// # What it never does
//
// Unless a fault, an order, short pages or a protocol requires it, it never buffers a whole body, changes an address, a
// signature or a body, or answers for the store. It never fails a call because it could not read it. It records
// keys, filters and conditional headers, which are the caller's data, but no credentials: no Authorization header, and
// of shared access signatures only what it needs to recognize a retry, which it never exposes. Errors quote no data. It
// knows nothing of stores, targets and scenarios.
package wire
