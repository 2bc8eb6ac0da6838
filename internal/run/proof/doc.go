// Package proof says which cases the families of a run include: which faults, how many orders, with which seed, or the
// one case that a replay token names.
//
// It holds these settings and runs nothing: package cases does.
//
// Open [Proofs] first.
package proof
