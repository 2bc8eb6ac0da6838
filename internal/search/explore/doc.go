// Package explore finds bugs that no rule covers: it takes random walks through a design's contract on two servers at
// once, and compares them after each step.
//
// A [Walk] is a list of requests in which nothing is an id that a server made: a value is a literal, a name that a
// scenario would use, such as {Ana.email}, or a reference to a member of an earlier answer. So the subject and the
// oracle, which make different ids, take the same walk. Ids are paired when they first appear in the same
// place (pairing.go); times are equal if they were made in the same step.
//
// After each step (judge.go) it judges what always holds, such as that a refusal writes nothing, and the design's
// invariants (invariants.go). Then it compares the two answers, what the two stores contain, and the storage calls that
// the step made. A [Spec], read from explore.yaml in the system's folder, says what walks begin with, which values they
// use, and what the design leaves open.
//
// A walk is kept if it shows something new (corpus.go): a status of a route, a sequence of storage calls, a shape of
// rows. Walks that were kept are changed and taken again. A difference is confirmed on fresh lanes, its walk is made as
// short as possible (shrink.go), and is written as a scenario (gherkin.go, expect.go).
//
// The package starts servers only through lanes, and never prints. It knows no system by name. Open [Run] first.
package explore
