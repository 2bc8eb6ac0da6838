// Package trace follows the storage calls of any program, without rules: it puts a gateway in front of a storage
// account and starts the program with connection strings that point to it.
//
// What flows in: a leased account, a command and thresholds ([Options]). What flows out: a line for each call as it
// ends, and finally a [Summary] of what stood out. It is one package; in reading order:
//
//	run.go          [Run] does all of this
//	environment.go  the variables that the program is started with
//	operation.go    which calls form one operation of the program
//	summary.go      [Summarize]: which operations are alike, and what in them is suspicious; no clock, no socket
//	text.go         a [Reporter] for people; json.go is one for programs
//
// For example, "storespec trace -- node server.js" shows
//
//	storespec     +815.0 ms    0.9 ms  table point read on Groups fam-1 / fam-1: 200
//
// It never changes a call, never stores anything, and knows nothing of designs, rules and scenarios. What it shows
// contains keys and filters, which are the program's data, but e-mails are removed from them, and calls never contain a
// credential.
package trace
