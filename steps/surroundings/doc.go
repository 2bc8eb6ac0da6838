// Package surroundings has the steps for the surroundings of a target: a store that goes down and comes back, short
// pages, fresh starts, and several instances at once.
//
// It never sends a request for a person: package web does.
//
// Open service.go first; instances.go is about how many instances of a target run, and with what.
package surroundings
