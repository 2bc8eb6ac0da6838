// Package tools is storespec lovehunt, the commands that migrate, compare, repair, back up and archive the data of the
// system lovehunt: the work itself is done by reference/lovehunt.
//
// It reads flags, writes progress and results, and turns what went wrong into an exit status and a hint. No server
// imports it. Open tools.go first.
package tools
