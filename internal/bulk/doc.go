// Package bulk loads records from NDJSON into a server that keeps the contract of the system actions, by its batch route.
//
// Owners are loaded in parallel, each by one request at a time and in the order of its lines (BULK-1). The input is read
// as a stream: what is read and not yet answered is bounded by bytes and by lines. What was answered is kept in a state
// file, so that a load that was ended goes on; a record that is sent twice is stored once, since the server compares.
//
// It never decides whether a record is right, but for what it needs itself (a JSON object with owner and name): the server
// does. It never prints, and nothing of a record or an answer but numbers and error codes leaves it, the failed file apart.
//
// Open first: Load, then run.go (what is under way), plan.go (who goes when) and deliver.go (one request and its retries).
package bulk
