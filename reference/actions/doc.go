// Package actions is the reference server of the design "actions": records about GitHub Actions in one Azure table, each
// written only when it says something new. It keeps every rule of the design and is meant to be ported by reading.
//
// # What to open first
//
// server.go has the routes in the order of the contract; record.go says what a record is; schema.go has keys, columns and
// blob names. A record is read by strict.go, with numbers.go and times.go, and stored by packing.go. Then one file per
// resource: upsert.go, batch.go with transactions.go, list.go (GET one and the list) with cursor.go, stats.go. cache.go is
// the only file that knows Redis, storage.go the only one that knows the storage SDK; both may be absent or down.
// purge.go is no route but what `storespec actions purge` runs; live.go reads what it must not delete.
//
// # How a record is written
//
// Its canonical JSON (RFC 8785) is hashed. The row is read, and if its hash is the same nothing is written. Else the row
// is replaced under If-Match, or inserted when there was none; who is overtaken reads again and decides again, up to 64
// times. Requests of one process for one record go one after the other (turns.go), since they would only overtake each other.
//
// A batch does the same for each of its records, with the writes of one owner in one transaction. Where that fails since
// one record was overtaken, each is judged again alone.
//
// A write whose answer was lost is repeated by the SDK and then meets itself: the column WriteId tells it from a write of
// somebody else who wrote the same. A client that repeats is told that nothing changed, which is then true.
//
// Before a row is replaced, the old payload is archived, if there is a container for it, under a name made of its time
// and its content: a repetition finds it there. Before rows are purged they are archived together; a crash in between leaves rows
// that are archived twice, never rows that are gone.
//
// # What it never does
//
// It never writes blindly, and never takes a cached record for what the table says when it decides what to write. It keeps
// no state but connections, the fact that the table exists, who waits for whose turn, and which cached records it could not
// take back. No connection string and no part of a record reaches the log.
package actions
