// Package internal is the map of what lies below it. Each folder is a wing, and its doc.go is the wing's manual. They
// are listed here in reading order; none imports one that is listed after it, which imports_test.go checks.
//
//	source    files that people write: YAML, mistakes with their lines, did-you-mean
//	host      the machine: processes, ports, files, the terminal, a command's flags and exit statuses
//	emulator  the stores themselves: Azure Tables and Blobs, DynamoDB, Workers KV
//	wire      a storage call: recorded, decoded, held, broken
//	store     starts a store, leases a piece of it, reads and lays rows
//	run       one server under test on one lane
//	scenario  one scenario: its words, its cases, its budgets and verdicts
//	search    what no rule asks: random walks, and differences from a contract
//	verify    a run of rules
//	prove     whether the rules and storespec itself can fail: mutants, vacuity, self-test
//	results   what people and programs read: events, reports, comparisons
//	trace     any program, without rules
//	dev       for the people of this repository: benchmarks, soak, releases
package internal
