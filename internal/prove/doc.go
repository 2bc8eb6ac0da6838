// Package prove checks the checks: whether rules can fail, and whether storespec gives the right verdict.
//
// What flows in: the rules of a design, and servers that are wrong on purpose. What flows out: which rule notices which
// wrong server, and what none notices. In reading order:
//
//	vacuity     runs rules against stubs that never touch a store: a rule that passes on one proves little
//	mutant      runs rules against wrong versions of the reference server: patches by hand, and generated changes
//	mutation    makes those changes: one program that is a thousand servers, chosen by an environment variable
//	wiremutant  does the same without source: the store and the answers around any server misbehave
//	selftest    runs storespec itself against servers whose verdict is known
//
// For example, "storespec mutants c4lendar" is mutant.Run, whose result package report writes as a kill matrix; with
// --generated it is mutant.Generate, and with --wire wiremutant.Run.
//
// It never changes a source tree (the compiler gets an overlay), never judges a scenario by itself (verify.Run does),
// and prints nothing.
package prove
