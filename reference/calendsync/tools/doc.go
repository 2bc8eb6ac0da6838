// Package tools is storespec dynamodb, the commands that create, fill, repair and delete the table of the system
// calendsync: the work itself is done by reference/calendsync.
//
// It reads flags, writes progress and results, and turns what went wrong into an exit status and a hint. No server
// imports it. Open tools.go first.
package tools
