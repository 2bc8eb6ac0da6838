// Package mutant proves that rules can fail. A mutant is the reference server with one small, wrong
// change, kept as a patch whose header names the rule that must notice it. The package reads such
// patches (patch.go), puts each where its old lines stand today (apply.go), builds the changed server
// (build.go), runs it as a black box under the rule's scenarios and says which rule killed it (run.go).
//
// It never changes the source tree, and never judges a mutant by anything but outcomes of package
// verify. It prints nothing: package report writes the kill matrix.
//
// Open [Run] first; docs/mutants.md says how patches are written.
package mutant
