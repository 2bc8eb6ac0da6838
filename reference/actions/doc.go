// Package actions is the reference server of the design "actions": records about GitHub Actions in one Azure table,
// each written only when it has changed. It follows every rule of the design and is meant to be ported by reading.
//
// # What to open first
//
// server.go has the routes in the order of the contract, each with rules that apply to it; record.go defines a record;
// schema.go has keys, columns and blob names. A record is parsed by strict.go, with numbers.go and times.go, and stored
// by packing.go. Then one file per resource: upsert.go, batch.go with transactions.go, list.go (GET one and the list)
// with cursor.go, stats.go. cache.go is the only file that uses Redis, storage.go the only one that uses the storage
// SDK; both services may be absent or down. Details specific to an SDK are marked "Go SDK:" (package account). purge.go
// has no route; `storespec actions purge` runs it, and live.go reads what it must not delete.
//
// # How a record is written
//
// Its canonical JSON (RFC 8785) is hashed. The row is read, and if its hash is the same nothing is written. Otherwise
// the row is replaced under If-Match, or inserted if there was none; a request that loses reads again and decides
// again, up to 64 times (account.Change). Requests of one process for one record run one after the other (turns.go),
// since they would only conflict with each other.
//
// A batch does the same for each of its records, with the writes of one owner in one transaction. If that fails because
// of a conflict on one record, each record is processed again on its own.
//
// The SDK repeats a write whose answer was lost, and then finds its own write: the column WriteId distinguishes it from
// another client's identical write. A client that repeats a request gets "unchanged", which is then true.
//
// Before a row is replaced, the old payload is archived, if there is a container for it, under a name made of its time
// and its content, so that a repetition finds it there. Before rows are purged they are archived together; a crash in
// between leaves rows that are archived twice, never rows that are lost.
//
// # What it never does
//
// It never writes blindly, and never relies on a cached record when it decides what to write. It keeps no state except
// connections, the fact that the table exists, the queues of turns.go, and which cached records it could not delete.
// No connection string and no part of a record is logged.
package actions
