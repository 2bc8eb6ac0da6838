// Package dynamodb is the protocol of Amazon DynamoDB for package wire: it reads a call from the body of a request, and
// what the store did from the answer. The classes are get, query, scan, page, put, update, delete, batch get, batch
// write, transact get and transact write; a PartiQL statement has the class of what it makes the store do.
//
// Open protocol.go first, then decode.go, which reads a call. body.go and statement.go say what requests ask for;
// conditions and statements are parsed by the emulator's packages, and expression.go makes keys and ranges of them.
// answer.go follows an answer as it streams. tables.go is what a store must say besides its calls: which attributes
// are the key of a table. paging.go, partial.go and distort.go change calls: for short pages, for batches that are
// performed in part, and for mutants at the wire. meter.go learns what a call has cost.
//
// It never changes a call by itself, and reads no more of a value than keys and conditions. It is lenient: a request
// that DynamoDB would refuse is read as far as it goes.
package dynamodb
