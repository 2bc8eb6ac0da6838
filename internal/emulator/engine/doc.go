// Package engine stores ordered keys and values for the emulators: atomic batches, iterators over a
// snapshot, cheap namespaces. It is built on Pebble, in memory or in a directory.
//
// # What to open first
//
// Engine (engine.go) is a store. Account (account.go) is a namespace in it, with a catalogue that survives a reset, or
// a restore to a Snapshot (snapshot.go), and data that does not. Space (space.go) builds the keys: order-preserving
// tuples under a prefix, so that account, service, table and partition are ranges.
//
//	e, err := engine.Open(engine.Options{Dir: "data"})
//	account := e.Account("devstoreaccount1")
//	data := account.Data() // once per request
//	err = e.Set(data.Key(nil, "table", "partition", "row"), value)
//	lower, upper := data.Range("table", "partition")
//	it, err := e.Iter(lower, upper)
//
// # What it promises
//
//   - With a directory, a write is on disk before it returns nil, unless NoSync is set; it survives a
//     crash of the process.
//   - A batch is atomic. An iterator sees one moment.
//   - A disk that refuses a write (full, read-only, broken) ends all writing: that write and every
//     later one returns ErrFailed, reads still work, and acknowledged writes are in the directory for
//     the next start (guard.go). Later reads may see a write that was refused at that moment, and it
//     may or may not exist after the next start; it was never acknowledged.
//   - One process at a time uses a directory (ErrLocked), and a directory written by a newer
//     program is refused (ErrNewerFormat).
//
// # What it never does
//
// It knows no protocol, parses no value, has no clock, and prints nothing. It does not guard
// against use after Close: stop serving first.
package engine
