// Package report writes what became of runs: as text for people (text.go), and as one JSON document
// for programs (json.go). It also lists the rules of a catalogue (rules.go).
//
// Everything is derived from an [events.Run]: of this very process, or read from an event stream.
// Secrets are scrubbed in it already. The package
// never runs anything, never opens a file and never decides an exit status.
//
// Open [Text] first.
package report
