// Package mapping fits a server that differs from a contract in names alone: routes, fields, headers, error codes, and
// what else the harness must prepare for it. A team states the differences in a file (docs/run/verify-your-server.md).
//
// A [Mapping] is a transport between the harness' client and the server: requests leave with the server's names, and
// answers come back with the contract's, so that scenarios, walks and the contract's checks know one set of names.
// Nothing is dropped: members without an entry stay as they are, and so does every body that is not JSON.
//
// It never makes a failure look like a success: a status stays in its class, and a server error keeps its status.
// [Exchange] has what really went over the wire, for checks of secrets and for reports.
//
// Open [Read] and [Mapping.Transport] first. read.go understands the file, routes.go translates addresses, json.go and
// names.go bodies, headers.go headers, laid.go adds what a server needs besides the prepared rows and objects.
package mapping
