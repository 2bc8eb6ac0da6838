// Package events is the event stream of runs: NDJSON, one envelope per line, which Cucumber's tools can read and from
// which every report is generated.
//
// There are two kinds of envelopes. Those of Cucumber Messages (meta, gherkinDocument, pickle, testCase,
// testCaseStarted, testStepFinished, testCaseFinished and so on) contain what any tool knows about a scenario. Those of
// storespec, {"storespec":{…}}, contain the rest: what ran against what, each rule, and each scenario with its storage
// calls. [Read] takes results from the latter only, and the wording of scenarios from the former.
//
// An outcome that is newer than the format is written as the closest older one, next to itself, so that older
// readers still read the stream.
//
// Streams are written from a [verify.Result], whose secrets have already been scrubbed. The package never renders
// anything and never decides an exit status.
//
// Open stream.go first: it defines the format.
package events
