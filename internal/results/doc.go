// Package results is the manual of the wing that says what was found: to people, to programs, to pipelines.
//
// What flows in: the [github.com/storespec/storespec/internal/verify.Result] of each system of a run, without secrets,
// kill matrices, and the findings of random walks. What flows out: an event stream, and reports that are made of it.
//
// # An example
//
// A run over a wrong server is written down once, and then read in several ways:
//
//	storespec verify notes --report out -- node server.js    events writes out/run.ndjson; report makes the rest of it
//	storespec report out/run.ndjson --html page.html         events reads the stream; report makes the page
//	storespec compare main/run.ndjson out/run.ndjson         compare says which calls the new run has added
//	sh scripts/NOTES-LIST-1-30.sh                            byhand wrote it: the failed request, sent again
//
// # The packages, in reading order
//
//	events    the stream: its format, writing, reading, merging the shards of a run
//	report    the model of a run, and its renderers: text, JSON, JUnit, GitHub, page; mutants and walks
//	compare   what changed between two streams: outcomes, and storage calls by their law of growth
//	price     what storage calls cost, by a price list
//	byhand    scripts that send a failed request again, with what the store contained before it
//
// # What it never does
//
// It starts no server and no store, judges nothing and decides no exit status. It scrubs no secret: what it gets has
// none, except what byhand writes for the person who asked for it.
package results
