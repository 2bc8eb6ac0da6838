package store

import (
	"context"
	"net/http"

	"github.com/storespec/storespec/internal/wire"
)

// Store is a started storage service that gives out isolated namespaces of itself.
type Store interface {
	// Name is the store's name on the command line: azurite, container, account.
	Name() string
	// Version is what the store says of itself, such as "Azurite 3.35.0".
	Version() string
	// Lease gives an empty namespace nobody else holds. It waits for one to be released when all
	// lanes are taken. Tables and containers of earlier leases may be there, without content.
	Lease(ctx context.Context) (*Lease, error)
	// LeaseCold gives a namespace that was never used: no table, no container. The pool is declared
	// when the store is started; ErrNoColdNamespace when it is used up.
	LeaseCold(ctx context.Context) (*Lease, error)
	// Close ends what was started. It is safe to call twice.
	Close(ctx context.Context) error
}

// Lease is one isolated namespace: a storage account of its own.
type Lease struct {
	// Account and Key are what a target signs with. For a real account the key is made up: the
	// gateway signs anew.
	Account, Key string
	// Direct is a connection string that leads straight to the store, for the harness's own reads
	// and writes, which are never counted.
	Direct string

	upstream map[wire.Service]http.Handler
	// unexported: clean and release hooks
}
