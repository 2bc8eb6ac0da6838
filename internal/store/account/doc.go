// Package account provides Azure storage accounts as the namespaces of package store: each lease is a separate account.
//
// The backends of [Kind] differ only in how they start and stop:
//
//   - embedded: the emulator of internal/emulator in this process, in memory
//   - azurite: Azurite from npm as a child process, installed at first use
//   - container: the same Azurite in a container, started by testcontainers
//   - account: a real storage account; one lease at a time, every request re-signed
//
// [Attach] is for a user's account, which stays as it is.
//
// This is the only package of the harness that uses Azure's SDK: clean.go empties accounts, hold.go keeps two runs from
// emptying a real one at once, data.go reads and writes directly, bypassing any gateway. It never prints to standard
// output, never includes a key in an error or a log, never ends a process or container it did not start, and never
// deletes a table or a blob container.
//
// Open kind.go first.
package account
