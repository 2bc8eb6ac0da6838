// Package events is the event stream of runs: NDJSON, one envelope a line, that Cucumber's tools read and that every
// report is made of.
//
// Two kinds of envelopes alternate. Those of Cucumber Messages (meta, gherkinDocument, pickle, testCase,
// testCaseStarted, testStepFinished, testCaseFinished and so on) say what any tool knows of a scenario. Those of
// storespec, {"storespec":{…}}, say the rest: what ran on what, each rule, and each scenario with its storage calls.
// [Read] takes what it gives from the latter.
//
// What is written comes from a [verify.Result], in which secrets are scrubbed already. The package never renders
// anything and never decides an exit status.
//
// Open stream.go first: it is the format.
package events
