// Package mutant proves that rules can fail. A mutant is the reference server with one small, wrong change.
//
// Some are patches that people wrote, each of which names the rule that must detect it: the package reads them
// (patch.go), applies each where its old lines are now (apply.go), and runs each as a black box under that rule
// (run.go). Others are made by the operators of package mutation (generated.go): each is run under the scenarios that
// reach its change (reach.go) until one detects it, and those that none detects need a reason (excuses.go). All of them
// are one program (together.go), except patches that change more than functions, which are built alone (build.go).
//
// It never changes the source tree, and judges a mutant only by outcomes of package verify. It prints nothing: package
// report writes the kill matrix and the score.
//
// Open [Run] and [Generate] first; docs/rules/mutants.md explains how to write patches and reasons.
package mutant
