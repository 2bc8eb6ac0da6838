// Package telemetry reports a reference server's requests to an OpenTelemetry collector, if the standard environment
// variables name one: a span and a measurement of each request. Without them it does nothing and opens no connection.
//
// It never reports a query string, a header, a body or an address: any of them may contain an e-mail or a session id. A
// request is identified by its route.
//
// Open first: telemetry.go.
package telemetry
