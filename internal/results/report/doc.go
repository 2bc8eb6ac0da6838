// Package report writes the results of runs. model.go is the one model of a run: [New] builds it from an event stream,
// and every renderer reads it: text for people (text*.go), one JSON document for programs (json.go), JUnit XML
// (junit.go), GitHub's annotations, summary and badge (github.go), and a page (html*.go, with the templates of the
// folder page). No renderer knows another one; words.go, causes.go and commands.go are what they have in common.
//
// It also writes what is not a run: rules, steps and vacuous rules (lists.go), mutants (mutants*.go), and random walks
// (explored.go).
//
// Its input has no secrets: they were scrubbed before. The package never runs anything, never opens a file and never
// decides an exit status.
//
// Open model.go first, then [Text].
package report
