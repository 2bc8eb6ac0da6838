// Package store defines what storespec needs from a storage service: leases of isolated namespaces.
//
// [Store.Lease] returns a namespace that is empty but may have resources such as tables (a target provisions once per
// process), [Store.LeaseCold] one without resources. The service itself provides the isolation, so nothing has to be
// prefixed or filtered. A [Kind] defines the protocols of its services and the backends that can be opened. The lease's
// [Lease.Values] are what a target needs to reach a namespace; its [Rows] and [Objects] are what the harness itself
// reads and writes there, unrecorded.
//
// The package knows no service: kinds have their own packages, such as package azure/account, and package stores lists
// them. It never prints to standard output and never includes a key in an error or a log.
//
// Open [Open] and [Lease] first; pool.go is the one implementation of [Store] that all kinds share.
package store
