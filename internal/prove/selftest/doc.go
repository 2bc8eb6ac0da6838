// Package selftest is a sanity check of storespec: a kit of servers, right ones and wrong ones, whose verdicts are
// known. Each case starts storespec itself on a small design against one of them, and compares exit status, the outcome
// of each scenario and the report with what is expected.
//
// The servers are this program (server/) and, where a runtime matters, a file for Node that is part of the program. The
// package judges nothing by itself and knows nothing of the harness: it reads the program's exit status and output.
//
// Open cases.go first: the table of what is checked. [Kit.Run] runs a case.
package selftest
