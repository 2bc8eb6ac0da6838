// Package trace follows the storage calls of any program: it puts a gateway in front of a storage account, starts the
// program with connection strings that point to it, shows every call as it ends, and finally reports what stood out.
//
// [Run] does all of this; open it first. [Summarize] is only the analysis, without a clock, a socket or a process:
// which calls form one operation (operation.go), which operations are alike, and what in them is suspicious
// (summary.go). A [Reporter] shows it: [Text] to people, [JSON] to programs.
//
// The package never changes a call, never stores anything, and knows nothing of designs, rules and scenarios. What it
// shows contains keys and filters, which are the program's data, but e-mails are removed from them, and calls never
// contain a credential.
package trace
