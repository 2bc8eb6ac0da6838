// Package wiremutant shows what rules prove of a server whose source is unavailable: its surroundings misbehave, as
// if the server were wrong, and the rules that do not notice are too weak.
//
// A mutant is one way to misbehave ([Kind]) on one table or container, or on one route. Those on the store lie between
// the server and the recorder of its calls, or between the recorder and the store, if what is wrong is not the call but
// its answer (storage.go). Those on a route change the server's answers (answers.go). One undisturbed run says which
// scenario uses what (learn.go): a mutant is judged only by the scenarios that it can reach (run.go).
//
// The package knows no service: protocols that implement wire.Distorter know what a condition, a filter and a success
// look like. It never changes or starts a server other than verify.Run does, and prints nothing: package report
// writes the results.
//
// Open [Run] first.
package wiremutant
