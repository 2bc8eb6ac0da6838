// Package report writes the results of runs: as text for people (text.go), and as one JSON document for programs
// (json.go). It also lists rules (rules.go) and steps (steps.go), and writes kill matrices (mutants.go), vacuity
// results (vacuity.go) and comparisons (compare.go). The page (html*.go) takes its templates, its style and its script
// from the directory page; html.go says which file makes what.
//
// Everything is derived from an [events.Run], either of this process or read from an event stream. Its secrets have
// already been scrubbed. The package never runs anything, never opens a file and never decides an exit status.
//
// Open [Text] first.
package report
