// Package cases runs one step of a scenario in many cases: once for each way in which each storage call can fail, or
// once for each order of the storage calls of simultaneous requests.
//
// Each case starts from the state that the earlier steps have left, and the later steps are judged in each. The package
// does not choose which orders are worth running (package order does), does not enforce an order itself (package
// schedule does), and has no steps: packages steps/faults and steps/races have them.
//
// # An example
//
// A step that sends a request whose outcome must be right whichever storage call fails:
//
//	scenario.On(`(\w+) sends `+scenario.MethodAndPath+`, and any one storage call fails`,
//		`When Ana sends GET /notes, and any one storage call fails`,
//		func(ctx context.Context, w *scenario.World, name, method, path string) error {
//			return cases.UnderFaults(ctx, w, cases.Request{Name: name, Method: method, Path: path, Patient: true})
//		})
//
// The request is sent once without a fault, to learn which calls it makes; then once for each fault, followed by the
// client's retry if it is Patient.
//
// # Entry points
//
//	UnderFaults                     a request, with each storage call failing in each possible way
//	RunTogether, RaceColumns        the requests of a table, in each order of their storage calls that matters
//	NextRequest, Fault              one fault on the next request
//	Meanwhile, Racer                a request sent while a call of the next one is held
//	Cut, CutAfter, Refused          ways in which a call fails
//	Summaries, CaseSummary          the results of a scenario's families
//	Error, BrokenCase               the cases that failed, for messages and for reports
//
// How many cases to run, or which single one, is in proof.Proofs.
//
// # A case that fails
//
// The other cases still run. Three failures are shown, each with another message, and a token that replays it (long
// lines are cut here):
//
//	notes/notes.feature:24 the store fails: failed
//	  step: Ana sends POST /notes {"id":"milk","text":"Buy milk"}, and any one storage call fails
//	  2 of 7 faults broke it
//	  - when the answer to the first attempt at table insert on Notes is lost: the answer is 201: POST /notes …
//	    again: --replay OWRmNWRkNTYxAG5vdGVzADc4MGFhNzI5MzBjNAAxAG5vdGVzL25vdGVzLmZlYXR1cmU6MjQAZmF1bHQ…
//	  - when the answer to every attempt at table insert on Notes is lost: the answer is 201: POST /notes …
//	    again: --replay NDA1NGE2M2YxAG5vdGVzADc4MGFhNzI5MzBjNAAxAG5vdGVzL25vdGVzLmZlYXR1cmU6MjQAZmF1bHQ…
//	  before: Ana sent POST /notes: 502, 1 storage call
//	  request: Ana sent POST /notes: 409, 1 storage call
//	    table insert on Notes {Ana.userKey} / milk: 409
//
// A server that retries an insert after its answer was lost must accept a 409 as possibly the result of its own insert.
//
// # Files
//
// cases.go runs a family; faults.go is the family of faults, kinds.go the ways in which calls fail, fault.go a fault on
// one call, spread.go lends cases that wait to idle lanes; race.go is the family of orders. Open cases.go first.
package cases
