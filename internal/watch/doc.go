// Package watch follows the storage calls of any program: it puts a gateway before a storage account, starts the program
// with connection strings that lead through it, has every call shown as it ends, and says at the end what stood out.
//
// [Run] does all of that and is what to open first. [Summarize] is the judgment alone, without a clock, a socket or a
// process: which calls are one operation (operation.go), which operations are alike, and what in them is suspicious
// (summary.go). A [Reporter] shows it: [Text] to people, [JSON] to programs.
//
// The package never changes a call, never stores anything, and knows nothing of designs, rules and scenarios. What it shows
// holds keys and filters, which are the program's data, but e-mails are taken out of them, and no credential is ever
// in a call.
package watch
