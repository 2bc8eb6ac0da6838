// Package contract holds what a server answers to its system's HTTP contract, an OpenAPI 3.1 document, and renders that
// document for people.
//
// It never repeats a value of an answer: what it says of a violation is where it is and what the contract asks for there.
// It knows nothing of scenarios, and judges answers only: whether a request deserved its answer is what scenarios are for.
//
// Open first: contract.go (Load, Check), then violation.go; page.go writes docs/<system>-contract.md.
package contract
