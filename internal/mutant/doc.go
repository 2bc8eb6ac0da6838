// Package mutant proves that rules can fail. A mutant is the reference server with one small, wrong change, kept as a
// patch whose header names the rule that must detect it. The package reads such patches (patch.go), applies each where
// its old lines are today (apply.go), builds the changed server (build.go), runs it as a black box under the rule's
// scenarios and reports which rule killed it (run.go).
//
// It never changes the source tree, and judges a mutant only by outcomes of package verify. It prints nothing: package
// report writes the kill matrix.
//
// Open [Run] first; docs/mutants.md explains how to write patches.
package mutant
