// Package tables is the table service of an Azure Storage account: tables, entities, queries and
// entity group transactions, over the ordered keys of package engine. Accounts, addresses and
// authentication are in package azure.
//
// # What to open first
//
// Service (service.go) dispatches a request to its operation:
//
//   - entity.go: insert, get, update, merge, delete; batch.go: entity group transactions
//   - query.go: a page of a query; keyrange.go: which keys it reads; match.go: $filter; token.go: where
//     the next page begins
//   - catalogue.go: which tables exist; acl.go: their access policies
//   - read.go: from an entity's JSON to the stored form, in one pass; stored.go: that form;
//     write.go: from the stored form to JSON
//   - address.go: the part of the address after the account; clock.go: Timestamp and ETag
//   - problems.go: the errors that only this service has
//
// # What it follows
//
// The Table service's REST documentation (https://learn.microsoft.com/rest/api/storageservices/table-service-rest-api),
// versions from 2015-12-11 on, whose only format is JSON. Where emulators differ from Azure, it follows
// Azure; docs/run/emulators.md has the list. The documentation leaves three choices open, made here as follows:
// keys compare byte by byte in UTF-8; numbers of different types compare by value; a value whose type
// differs from the constant's is not equal to it, and neither less nor greater.
//
// # What it never does
//
// It reads nothing before an unconditional write, never caches data that is not in the engine,
// and never logs keys or values, which are users' data.
package tables
