// Package reference lists the reference servers by the names of their systems. A reference server implements one design
// completely, on the real SDKs, with nothing of the harness in it: it is configured by ordinary environment variables,
// and is meant to be ported by reading.
//
// # Which one to read first
//
//	actions          one table, a cache, six routes: the shortest, and the one to start with
//	calendsync       one DynamoDB table of several kinds of items, with transactions and indexes
//	c4lendar         Workers KV, where a value may be seen late, and a chat bot
//	lovehunt         a migration from blobs to tables, phase by phase, while servers keep running
//	familyscheduler  ten tables and a container, groups with guests, HTML pages: the largest
//
// # The files of a server
//
//	doc.go      what to read, in which order everything is written, and why
//	server.go   Routes, the whole contract in its order, with the rules of each route; checks of many routes
//	config.go   the environment variables, and Open
//	schema.go   tables, partition keys and row keys, columns, names of blobs
//	storage*.go the only files that know an SDK, one storage call per function
//	*.go        one file per resource; each handler's comment names its route and what it costs
//	tools/      the commands of storespec that work on the data of this design; no server imports them
//
// Where a server has many resources, each has a small type that embeds the server (groups, appointments, connections),
// so that s.people.join is the route of one resource, and s.store, s.now and s.newID are what all of them share.
//
// # What they share
//
//	web          routes, JSON in and out, errors, traces: the frame of a server
//	environment  environment variables, and everything that is wrong with them
//	account      Azure: connections, what its errors mean, conditional writes, blobs, tables created once
//	telemetry    spans and metrics for a collector
//
// # What they never do
//
// A server keeps nothing between requests except connections, and what its Server type lists. It starts without its
// store. It puts no secret, no e-mail address and no text of an SDK's error into an answer or a log. It imports nothing
// below internal/.
package reference
