// Package verify runs the rules of systems against a target and says which of them hold.
//
// It reads the features into a catalogue (catalogue.go), gives each scenario a lane of its own
// (lanes.go), lets godog run the steps (run.go), and counts the outcomes by itself (result.go):
// godog's own tallies count skipped scenarios as passed and an empty selection as success.
//
// It never knows a system's contract nor how a target is built, and it prints nothing: package
// report does.
package verify
