// Package engine keeps ordered keys and values for the emulators: atomic batches, iterators over a
// snapshot, cheap namespaces. It stands over Pebble, in memory or in a directory.
//
// # What to open first
//
// Engine (engine.go) is a store. Account (account.go) is one namespace of it, with a catalogue that
// survives a reset and data that does not, nor a restore to a Snapshot (snapshot.go). Space (space.go) makes the keys: order-preserving tuples
// under a prefix, so that account, service, table and partition are ranges.
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
//   - With a directory, a write that returned nil is on disk before it returns, unless NoSync; it
//     survives the death of the process.
//   - A batch is there whole or not at all. An iterator sees one moment.
//   - A disk that refuses a write (full, read-only, broken) ends all writing: that write and every
//     later one returns ErrFailed, reads go on, and what was acknowledged is in the directory for the
//     next start (guard.go). A write that was refused at that moment may be seen by later reads, and
//     may be there or not after the next start; it was never acknowledged.
//   - One process at a time has a directory (ErrLocked), and a directory written by a newer
//     program is refused (ErrNewerFormat).
//
// # What it never does
//
// It knows no protocol, parses no value, keeps no clock, and prints nothing. It does not guard
// against use after Close: stop serving first.
package engine
