// Package account is what every reference server on an Azure storage account needs and no design decides: how often and
// how long the SDK tries, ids and traces on its calls, what its errors mean, and how often a server creates its tables.
//
// It never logs, and never passes on the text of an SDK's error: that quotes URLs, and those hold keys and ids.
//
// Open first: connection.go, then failures.go.
package account
