// Package store starts a storage service and leases isolated namespaces of it.
//
// A namespace is a storage account of its own: [Store.Lease] gives one that is empty but may have
// tables and containers (a target provisions once per process), [Store.LeaseCold] one that was
// never used. Isolation comes from the service itself, so nothing has to be prefixed or filtered.
//
// The stores differ only in how they start and stop:
//
//   - embedded: the emulator of internal/emulator in this process, in memory
//   - azurite: Azurite from npm as a child process, installed at first use
//   - container: the same Azurite in a container, started by testcontainers
//   - account: a real storage account; one lease at a time, every request signed anew
//
// [Attach] is for an account that is somebody's and stays as it is.
//
// The package never prints to standard output, never writes a key into an error or a log, never
// ends a process or container it did not start, and never deletes a table or a blob container.
//
// Open [Open] and [Lease] first; pool.go is the one implementation of [Store] that all share.
package store
