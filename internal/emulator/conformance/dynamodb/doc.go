// Package dynamodb has the conformance cases of Amazon DynamoDB: tables, items, expressions, queries, batches,
// transactions, statements, capacity, streams, limits and the words of errors.
//
// A case sends the JSON of the API and compares members of the answers, so that it reads like AWS's documentation and
// sees what an SDK would hide. Every case has a table of its own, with two global indexes and a local one
// (endpoint.go).
//
// Open endpoint.go first, then capability.go, which has everything that some store lacks, and any of the case
// files. The
// suite is run on this project's emulator, dynalite and AWS's DynamoDB Local by dynamodb_test.go, which also
// writes the
// table in docs/run/emulators.md.
package dynamodb
