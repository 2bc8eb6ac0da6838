// Package store is the wing of storage services: it starts one, and leases isolated parts of it.
//
// In comes a name, such as embedded or azurite, with the number of lanes; out come leases. A lease has what a target
// needs to reach its part of the store, what a gateway puts behind its recorder, and the harness's own access to rows
// and objects, which is never recorded.
//
//	opened, err := stores.Open(ctx, store.Options{Name: "azurite", Lanes: 4})
//	lease, err := opened.Lease(ctx) // empty; waits if all lanes are taken
//	gate, err := wire.NewGateway(rec, lease.Upstream(), wire.GatewayOptions{})
//	// start the target with lease.Values(gate.Endpoints()); look at what it wrote with lease.Rows()
//	lease.Release()
//	err = opened.Close(ctx)
//
// # What to open first
//
// store.go has [Store], [Kind] and [Open]. [Lease] (lease.go) is what most callers hold, and pool.go is the one
// implementation of [Store]. data.go is the access to rows and objects; content.go and lay.go read and write all of
// them as a document. npm.go, child.go and ports.go are for stores that are programs or listen in this process.
//
// # The packages, in reading order
//
//   - account: Azure Tables and Blobs (embedded, Azurite, a container, a real account)
//   - tables: DynamoDB (embedded, dynalite, DynamoDB Local, a real table)
//   - namespace: Workers KV (embedded, workerd, a real namespace)
//   - stores: the list of the kinds, for callers that look up a store or a service by its name
//   - conform: what every store promises, as a suite of tests with a harness for each kind
//   - storetest: a store for one test
//
// The kinds import this package and not each other. A new kind is a package with a Kind, one line in stores.Kinds, and
// a harness of conform. The service itself provides the isolation, so names are neither prefixed nor filtered.
//
// # What it never does
//
// This package knows no service. None of the wing prints to standard output or has a key in an error or a log, and a
// store that belongs to a user is not wiped without its confirmation.
package store
