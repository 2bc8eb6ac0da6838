// Package verify runs the rules of systems against a target and reports which of them hold.
//
// It reads the features into a catalogue (catalogue.go), in which Examples of every route are filled (fill.go), gives
// each scenario its own lane (lanes.go), the longest first (queue.go), runs the steps with godog (run.go, bound.go),
// judges the outcomes (judge.go), and does its own counting (result.go): godog's tallies count skipped scenarios as
// passed and an empty selection as success.
//
// It knows neither a system's contract nor how a target is built, and it prints nothing: package report does.
package verify
