// Package telemetry reports what a reference server does to an OpenTelemetry collector, when the standard environment
// variables name one: a span and a measurement of each request. Without them it does nothing and opens no connection.
//
// It never reports a query string, a header, a body or an address: any of them may hold an e-mail or a session id. A
// request is named by its route.
//
// Open first: telemetry.go.
package telemetry
