package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Store is a started storage service that gives out isolated namespaces of itself.
type Store interface {
	// Name is the store's name on the command line: embedded, azurite, container, account.
	Name() string
	// Version is what the store says of itself, such as "Azurite 3.35.0".
	Version() string
	// Lease gives an empty namespace nobody else holds. It waits for one to be released when all
	// lanes are taken. Tables and containers of earlier leases may be there, without content.
	// A namespace is cleaned here and not when it is released, so that what a target wrote after
	// its last answer is gone too. When that cleaning fails, its error is returned and the lane is
	// cleaned again by the next lease.
	Lease(ctx context.Context) (*Lease, error)
	// LeaseCold gives a namespace that was never used: no table, no container. The pool is declared
	// when the store is started; ErrNoColdNamespace when it is used up.
	LeaseCold(ctx context.Context) (*Lease, error)
	// Close ends what was started. It is safe to call twice.
	Close(ctx context.Context) error
}

var (
	// ErrUnavailable is wrapped by every error that says the environment lacks what a store needs:
	// Node, Docker, a connection string, an account that answers. The CLI exits with status 3.
	ErrUnavailable = errors.New("store unavailable")
	// ErrNoColdNamespace says that Options.Cold namespaces were handed out.
	ErrNoColdNamespace = errors.New("no namespace left that was never used")
	// ErrNeverCold is an ErrNoColdNamespace of a store that has none from the start.
	ErrNeverCold = fmt.Errorf("%w, nor was there ever one", ErrNoColdNamespace)
	// ErrNoSnapshots says that a store cannot take snapshots.
	ErrNoSnapshots = errors.New("this store takes no snapshots")
	// ErrClosed is returned by leases of a store that was closed.
	ErrClosed = errors.New("store closed")
)

// UnknownNameError is returned by Open for a name that is none of Known.
type UnknownNameError struct {
	Name  string
	Known []string
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("unknown store %q (known: %s)", e.Name, strings.Join(e.Known, ", "))
}

// maxNamespaces keeps AZURITE_ACCOUNTS (about 100 bytes an account) below the 128 KiB that Linux
// allows for one environment string.
const maxNamespaces = 1000

// Options say which store to open and how large.
type Options struct {
	// Name is one of Names.
	Name string
	// Lanes is how many leases can be held at once; 0 means 1. The account store has one lane
	// whatever is asked for.
	Lanes int
	// Cold is how many LeaseCold can be had during the store's life. The account store has none.
	Cold int
	// Log is told what takes long, such as an installation, one line each. Nil: nothing is said.
	Log io.Writer
	// CacheDir is where Azurite is installed; empty: storespec in the user's cache directory.
	CacheDir string
	// Published makes the first lane's key the one that Azure publishes for its storage emulator, and
	// its account devstoreaccount1 where the store makes accounts, for a server that was told them
	// before the store is opened.
	Published bool
	// Entropy is where account keys come from; nil: crypto/rand.
	Entropy io.Reader
	// ConnectionString is the account store's account; empty: the environment variable
	// STORESPEC_ACCOUNT.
	ConnectionString string
	// Confirm must be the account store's account name: its entities and blobs will be deleted.
	Confirm string
}

// opener is one kind of store.
type opener struct {
	name string
	open func(ctx context.Context, opts Options) (*pooled, error) // opts has its defaults filled in
}

// openers lists the stores, in the order in which they are offered.
func openers() []opener {
	return []opener{
		{"embedded", openEmbedded},
		{"azurite", openAzurite},
		{"container", openContainer},
		{"account", openAccount},
	}
}

// Names are the names Open knows, in the order in which they are offered.
func Names() []string {
	var names []string
	for _, o := range openers() {
		names = append(names, o.name)
	}
	return names
}

// Open starts the store opts.Name and returns when it has answered a request. Canceling ctx
// afterwards does not end the store; Close does. The error is a *UnknownNameError, wraps
// ErrUnavailable when the environment lacks something, or says which option cannot be met.
func Open(ctx context.Context, opts Options) (Store, error) {
	if opts.Lanes+opts.Cold > maxNamespaces {
		return nil, fmt.Errorf("open store %s: %d lanes and %d cold namespaces are more than the %d that Azurite can be given",
			opts.Name, opts.Lanes, opts.Cold, maxNamespaces)
	}
	opts.Lanes = max(opts.Lanes, 1)
	opts.Cold = max(opts.Cold, 0)
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	if opts.Entropy == nil {
		opts.Entropy = rand.Reader
	}
	for _, o := range openers() {
		if o.name != opts.Name {
			continue
		}
		s, err := o.open(ctx, opts)
		if err != nil {
			return nil, fmt.Errorf("open store %s: %w", opts.Name, err)
		}
		return s, nil
	}
	return nil, &UnknownNameError{Name: opts.Name, Known: Names()}
}
