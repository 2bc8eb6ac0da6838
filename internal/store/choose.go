package store

import (
	"context"
	"fmt"
)

// Auto is the name by which Choose takes the best backend that a machine has.
const Auto = "auto"

// Choice is the backend that a name means for a kind of store.
type Choice struct {
	Kind    Kind
	Backend string // its name
	// Why says why it is not the one that was asked for, or with Auto not a better one; empty: it is.
	Why string
}

// Choose returns the backend that a name means for a kind: with Auto the first one that its Found finds, otherwise the
// one with that name. Where there is none it is the kind's first, which needs nothing.
func Choose(ctx context.Context, kind Kind, name string) Choice {
	backends := kind.Backends()
	first := Choice{Kind: kind, Backend: backends[0].Name}
	for _, backend := range backends {
		switch {
		case backend.Name == name:
			return Choice{Kind: kind, Backend: name}
		case name == Auto && backend.Found != nil:
			err := backend.Found(ctx)
			if err == nil {
				return Choice{Kind: kind, Backend: backend.Name}
			}
			first.Why = err.Error()
		}
	}
	if name != Auto {
		first.Why = fmt.Sprintf("%s has no store %s", kind.Name(), name)
	}
	return first
}
