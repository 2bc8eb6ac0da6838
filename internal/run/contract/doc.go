// Package contract checks a server's answers against its system's HTTP contract, an OpenAPI 3.1 document, and renders
// that document for people.
//
// It never repeats a value of an answer: a violation says only where it is and what the contract requires there. It
// knows nothing of scenarios, and judges only answers: whether a request deserved its answer is up to the scenarios.
//
// Open first: contract.go (Load, Check), then violation.go; page.go writes docs/designs/<system>-contract.md.
package contract
