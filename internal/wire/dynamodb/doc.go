// Package dynamodb is the protocol of Amazon DynamoDB for package wire: it reads a call from the body of a request, and
// what the store did from the answer. The classes are get, query, scan, page, put, update, delete, batch get, batch
// write, transact get and transact write; statements of PartiQL have the class of what they make the store do.
//
// Open protocol.go first, then decode.go, which reads a call. body.go and statement.go say what requests ask for,
// expression.go reads their conditions, answer.go follows an answer as it streams. tables.go is what has to be known of
// a store beside its calls: which attributes are the key of a table. paging.go, partial.go and distort.go change calls:
// for short pages, for batches that are performed in part, and for mutants at the wire. meter.go learns what a call has
// cost.
//
// It never changes a call by itself, and reads no more of a value than keys and conditions.
package dynamodb
