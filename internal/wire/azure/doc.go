// Package azure defines the calls of Azure Tables and Azure Blobs for package wire, following the operation lists of
// Azure Storage's REST documentation.
//
// Open protocol.go first: [Tables] and [Blobs] are protocols of package wire. How they read a call:
//
//   - The head decides nearly everything: decode.go, decode_table.go and decode_blob.go. An unknown operation has class
//     unknown; it is never an error.
//   - A query is classified by its $filter: package odata parses it, and classOfQuery says what it makes the store
//     read. classes.go says what each class does and how much it reads.
//   - Bodies are observed as they stream, by scanners that hold at most one line or one text: scan_json.go (the keys of
//     an insert, the number of entities, error codes), scan_xml.go (the number of blobs), scan_batch.go (the operations
//     of a transaction and their answers).
//
// An account is named by the path (http://127.0.0.1:10002/account/Table) or by the host
// (account.table.core.windows.net); both forms are supported. paging.go ends the pages of queries early.
//
// The package uses no SDK, signs nothing and holds no state: the stores themselves are in package account below.
package azure
