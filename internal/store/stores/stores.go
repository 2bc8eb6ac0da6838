// Package stores lists the available kinds of stores. A new kind is one line in [Kinds].
//
// It is for callers that look up a store or a service by its name. Package store defines what a store is.
package stores

import (
	"context"
	"slices"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/account"
	"github.com/storespec/storespec/internal/store/namespace"
	"github.com/storespec/storespec/internal/store/tables"
	"github.com/storespec/storespec/internal/wire"
)

// Kinds returns all kinds of stores, in the order in which they are offered.
func Kinds() []store.Kind {
	return []store.Kind{account.Kind{}, tables.Kind{}, namespace.Kind{}}
}

// Protocols returns the protocols of all services of all kinds.
func Protocols() []wire.Protocol {
	var all []wire.Protocol
	for _, kind := range Kinds() {
		all = append(all, kind.Protocols()...)
	}
	return all
}

// Protocol returns the protocol of a service, by its name in budgets; nil: no kind has such a service.
func Protocol(service wire.Service) wire.Protocol {
	for _, protocol := range Protocols() {
		if protocol.Service() == service {
			return protocol
		}
	}
	return nil
}

// Backends returns the stores that Open knows.
func Backends() []store.Backend { return store.Backends(Kinds()) }

// Names returns the names of Backends, each once: kinds share some.
func Names() []string {
	var names []string
	for _, backend := range Backends() {
		if !slices.Contains(names, backend.Name) {
			names = append(names, backend.Name)
		}
	}
	return names
}

// Choose returns the backend that a name means for the kind of a design's store, as store.Choose does.
func Choose(ctx context.Context, kind, name string) store.Choice {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k store.Kind) bool { return k.Name() == kind })
	return store.Choose(ctx, kinds[max(i, 0)], name)
}

// Open starts a store of any kind, as store.Open does.
func Open(ctx context.Context, opts store.Options) (store.Store, error) {
	return store.Open(ctx, Kinds(), opts)
}

// OpenFirst starts the first store of a kind, which needs nothing of the machine.
func OpenFirst(ctx context.Context, kind string, opts store.Options) (store.Store, error) {
	choice := Choose(ctx, kind, "")
	opts.Name = choice.Backend
	return store.Open(ctx, []store.Kind{choice.Kind}, opts)
}
