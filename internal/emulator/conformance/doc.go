// Package conformance runs one suite of cases against every store that behaves like a service: this project's
// emulator, another one, or the service itself.
//
// A suite states what the service documents, independently of any store:
//
//	var RefusesEmptyKeys = &conformance.Capability{Documented: "400 ValidationException", Source: "https://…"}
//
//	func Suite() conformance.Suite[Endpoint] {
//		return conformance.Suite[Endpoint]{
//			{Name: "put and get", Run: func(t *conformance.T, e Endpoint) { … t.OK(err) … }},
//			{Name: "an empty key", Needs: RefusesEmptyKeys, Run: func(t *conformance.T, e Endpoint) { … }},
//		}
//	}
//
// A small harness describes each store: how it is started, and what it lacks.
//
//	conformance.Run(t, Suite(), conformance.Harness[Endpoint]{
//		Store: "other",
//		Open:  func(t *testing.T) Endpoint { … },
//		Lacks: map[*conformance.Capability]string{RefusesEmptyKeys: "stored"},
//	})
//
// Every case is expected to pass, except those that need a capability the store lacks: they have to fail. A case that
// passes unexpectedly reads
//
//	other now does what is documented, "400 ValidationException", and not "stored": take it out of what …
//
// so that the lists which [Document] writes for users from the same values cannot become outdated.
//
// The package never decides by a store's name, and never asks a store what it can do: people write down what a store
// lacks, and the suite proves it.
//
// Open suite.go first, then the package azure below this one, whose suites are run by azure_test.go and
// azurite_test.go.
package conformance
