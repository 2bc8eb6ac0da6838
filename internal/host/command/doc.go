// Package command is what the commands of storespec share: the surroundings they run in (env.go), exit statuses and
// mistakes with their hints (errors.go), arguments and flags (flags.go), and a progress line (line.go).
//
// It never ends the process: a command returns an error, and main turns it into an exit status. It knows no store, no
// design and no rule.
//
// Open errors.go first.
package command
