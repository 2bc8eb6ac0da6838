// Package rows has the steps for rows of tables: to write them before a request, and to read them back after it.
//
// It bypasses the gateway to reach the store, so that its calls are never counted, and it never judges a storage call:
// package budgets does.
//
// Open rows.go first; columns.go checks whole rows for their columns and types.
package rows
