// Package account has what every reference server on an Azure storage account needs, whatever its design: how often and
// how long the SDK tries, ids and traces on its calls, what its errors mean, and how often a server creates its tables.
//
// Change (change.go) is the loop that changes rows and blobs with conditional writes.
//
// # Porting
//
// A comment that begins with "Go SDK:" marks something specific to the Azure SDK for Go: a port leaves it out, or has
// to check how its own SDK behaves. "Go:" marks the same for the language's standard library. This applies to all
// packages below reference/.
//
// # What it never does
//
// It never logs, and never passes on the text of an SDK's error: the text quotes URLs, which contain keys and ids.
//
// Open first: connection.go, then failures.go and change.go.
package account
