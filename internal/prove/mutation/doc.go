// Package mutation makes one program of a server and of everything that could be wrong with it. Each changed function
// is next to its original, behind a switch that an environment variable sets, so that a thousand mutants cost one
// build (mutant schemata: R. H. Untch, A. J. Offutt, M. J. Harrold, "Mutation analysis using mutant schemata", 1993).
//
// A variant is what the switch chooses: a patch that people wrote (join.go), or a change that an operator made to the
// syntax tree (generate.go, the operators in operators_*.go). The overlay (overlay.go) holds all of them, without those
// that are not valid Go (check.go). It also records which blocks of the original are reached (sites.go).
//
// The package reads a source tree and writes files outside it. It runs no server and judges nothing: package mutant
// does.
//
// Open [Load] first.
package mutation
