// Package dynamodb is Amazon DynamoDB and DynamoDB Streams as an http.Handler that the official SDKs use unchanged: the
// JSON 1.0 protocol of the API versions 2012-08-10, over the engine of the emulators.
//
// # What to open first
//
// Service (service.go) holds the accounts: an access key is an account of its own in each region, as in AWS's DynamoDB
// Local. front.go reads a request, has its signature checked (sigv4.go) and calls an operation of the table in
// operations.go. An Account (account.go) is what a harness handles: a clock, Reset, Snapshot, and what a test may ask
// of it (weather.go): an index that lags, keys of a batch that are left, throttling.
//
// Below the operations, layout.go says how items lie in the engine, change.go writes one item with its indexes, its
// stream record and its capacity, and page.go reads a range. The packages value, expression and partiql know what an
// item, an expression and a statement are, and nothing of tables.
//
// # What it never does
//
// Nothing is eventual unless a test asks for it: an index has a write when the write is answered. Tables are ACTIVE at
// once. Backups, exports, global tables, DAX and Kinesis destinations are not built, and are answered with
// UnknownOperationException.
package dynamodb
