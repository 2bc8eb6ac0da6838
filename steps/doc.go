// Package steps is the vocabulary of the feature files: the Gherkin steps, one list for all
// systems, and what stands behind them.
//
// A scenario runs in a World: its people, the names it uses, the requests it sent. It runs on a
// Lane: one target, one namespace of the store, and the gateway between the two that records every
// storage call. Steps reach the target by HTTP only. They reach the store directly, past the
// gateway, to lay out rows and to read them back; those calls are never counted.
//
// The package never knows how a target is built, and never decides what an outcome means for the
// run: that is package verify's.
//
// Open registry.go first: it lists every step with an example. The files beside it are named for
// their themes.
package steps
