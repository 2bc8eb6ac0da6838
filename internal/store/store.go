package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/storespec/storespec/internal/wire"
)

// Store is a running storage service that leases isolated namespaces.
type Store interface {
	// Name returns the store's name on the command line: embedded, azurite, container, workerd, account.
	Name() string
	// Version returns the version that the store reports, such as "Azurite 3.35.0".
	Version() string
	// Lease returns an empty namespace that no other lease holds. If all lanes are taken, it waits for one to be
	// released.
	// Resources of earlier leases may exist, without content. A namespace is cleaned here and not on release, so that
	// what a target wrote after its last answer is removed too. If the cleaning fails, its error is returned and the
	// next lease cleans the lane again.
	Lease(ctx context.Context) (*Lease, error)
	// LeaseCold returns a namespace without resources: one that was never used, or, once there is none left, one that
	// was released and is dropped here. ErrNoColdNamespace if all of them are leased, or none can be dropped.
	LeaseCold(ctx context.Context) (*Lease, error)
	// Close stops what was started. It is safe to call twice.
	Close(ctx context.Context) error
}

var (
	// ErrUnavailable is wrapped by every error about something a store needs that is missing in the environment: Node,
	// Docker, a connection string, an account that answers. The CLI exits with status 3.
	ErrUnavailable = errors.New("store unavailable")
	// ErrNoColdNamespace says that no namespace of Options.Cold is free.
	ErrNoColdNamespace = errors.New("no namespace without resources is free")
	// ErrNeverCold is the ErrNoColdNamespace of a store that never had any.
	ErrNeverCold = fmt.Errorf("%w: the store has none", ErrNoColdNamespace)
	// ErrNoSnapshots says that a store does not support snapshots.
	ErrNoSnapshots = errors.New("this store takes no snapshots")
	// ErrClosed is returned by leases of a store that was closed.
	ErrClosed = errors.New("store closed")
)

// UnknownNameError is returned by Open for a name that is not in Known.
type UnknownNameError struct {
	Name  string
	Known []string
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("unknown store %q (known: %s)", e.Name, strings.Join(e.Known, ", "))
}

// Options specify which store to open and its size.
type Options struct {
	// Name is the name of a backend.
	Name string
	// Lanes is how many leases can be held at once; 0 means 1. The account store always has one lane.
	Lanes int
	// Cold is how many namespaces LeaseCold can lease at once. The account store has none.
	Cold int
	// Log receives one line for each slow operation, such as an installation. Nil: no log.
	Log io.Writer
	// CacheDir is where programs from npm are installed; empty: storespec in the user's cache directory.
	CacheDir string
	// Published makes the first lane's key the one that Azure publishes for its storage emulator, and its account
	// devstoreaccount1 if the store creates accounts, for a server that was configured before the store is opened.
	Published bool
	// Entropy is the source of account keys; nil: crypto/rand.
	Entropy io.Reader
	// ConnectionString is the account store's connection string; empty: the environment variable STORESPEC_ACCOUNT.
	ConnectionString string
	// Confirm must be what the account store will empty: the name of an account, or the id of a namespace.
	Confirm string
}

// Kind is a type of storage service: its protocols, and where an instance comes from.
type Kind interface {
	// Name returns the value of store in a design's description, such as "azure".
	Name() string
	// Protocols returns the protocols of its services.
	Protocols() []wire.Protocol
	// Backends returns what can be opened, in the order in which it is offered.
	Backends() []Backend
	// Placeholders returns the names of Lease.Values, in order.
	Placeholders() []string
	// Reach returns the placeholders of which a target needs at least one to find its store.
	Reach() []string
}

// Backend is one way to get a storage service of a kind.
type Backend struct {
	Name string // on the command line, such as "embedded"
	Real bool   // it belongs to a user, and Options.Confirm must confirm that it may be wiped
	// Found says why the machine cannot start it, without starting it; nil: Auto never takes it, except as the first.
	Found func(ctx context.Context) error
	// Open starts it. The options have their defaults filled in.
	Open func(ctx context.Context, opts Options) (*Pool, error)
}

// Backends returns the backends of several kinds.
func Backends(kinds []Kind) []Backend {
	var all []Backend
	for _, kind := range kinds {
		all = append(all, kind.Backends()...)
	}
	return all
}

// Open starts the store opts.Name of the kinds, the first of that name, and returns when it has answered a request.
// Canceling ctx afterwards does not stop the store; Close does. The error is a *UnknownNameError, wraps ErrUnavailable
// if the environment lacks something, or says which option cannot be satisfied.
func Open(ctx context.Context, kinds []Kind, opts Options) (Store, error) {
	opts.Lanes, opts.Cold = max(opts.Lanes, 1), max(opts.Cold, 0)
	opts.Log, opts.Entropy = cmp.Or(opts.Log, io.Discard), cmp.Or(opts.Entropy, rand.Reader)
	unknown := &UnknownNameError{Name: opts.Name}
	for _, backend := range Backends(kinds) {
		if backend.Name != opts.Name {
			unknown.Known = append(unknown.Known, backend.Name)
			continue
		}
		s, err := backend.Open(ctx, opts)
		if err != nil {
			return nil, fmt.Errorf("open store %s: %w", opts.Name, err)
		}
		return s, nil
	}
	return nil, unknown
}
