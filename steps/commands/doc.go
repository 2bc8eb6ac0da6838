// Package commands has the steps for storespec's own commands, run on the store and in the environment of a target, and
// for clients that must not send two requests at once.
//
// It never starts a process: a command is run by the system's Tool, and skipped if it has none.
//
// Open [Words] first.
package commands
