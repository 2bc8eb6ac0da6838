// Package tools is storespec actions load, purge and generate, the commands that work with the records of the system
// actions: reference/actions/bulk loads them, reference/actions purges them, and fixtures/actions generates them.
//
// It reads flags, writes progress and results, and turns what went wrong into an exit status and a hint. No server
// imports it. Open tools.go first.
package tools
