// Package bulk loads records from NDJSON into a server that follows the contract of the system actions, using its batch
// route.
//
// Owners are loaded in parallel, each by one request at a time and in the order of its lines (GA-BULK-1). The input is
// read as a stream: what has been read but not yet answered is limited by bytes and by lines. A state file records what
// was answered, so that an interrupted load can continue; a record that is sent twice is stored once, since the server
// compares.
//
// It never decides whether a record is valid, except for what it needs itself (a JSON object with owner and name): the
// server does. It never prints, and except for the failed file it reveals nothing of a record or an answer but numbers
// and error codes.
//
// Open first: Load, then run.go (the load in progress), plan.go (who is sent when) and deliver.go (one request and its
// retries).
package bulk
