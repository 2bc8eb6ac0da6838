// Package run is the wing of one server under test on one lane: what a scenario runs on.
//
// A design's description (system.yaml), a store and a command line or an address go in. A lane comes out: a started
// server with a namespace of the store that belongs to one scenario at a time, a gateway between the two that records
// each storage call, and the companions that the design names. A scenario sends its requests through the lane's client
// and reads the calls from its recorder; then the lane is made as good as new for the next one.
//
// The packages, in reading order:
//
//	system      a design as its system.yaml describes it: its server's environment, its capabilities and its names
//	target      starts a server, waits until it is ready, and stops it
//	lane        a server, a namespace and the gateway between them, for one scenario at a time
//	companion   services next to a server: Redis, OpenAI, an OpenTelemetry collector, a managed identity
//	mapping     a server whose routes, JSON, headers, tables or columns have other names than the contract's
//	contract    whether an answer is as the design's OpenAPI document says
//	matching    whether a value is as a step expects it, and how it differs
//	proof       how much of each family of cases is run, and the token that runs one case again
//	waiting     what a run waits for, for those who watch it
//
// An example: storespec verify --map names.yaml -- bin/server makes one lane.Maker of the design and bin/server, with
// the mapping of names.yaml. The maker makes a lane for each scenario that runs at the same time.
//
// The wing knows nothing of scenarios, steps or rules, and never says what an outcome means. The server learns nothing
// of the harness: it gets an environment, and requests.
package run
