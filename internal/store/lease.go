package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"

	"github.com/storespec/storespec/internal/wire"
)

// Lease is one isolated namespace, such as a storage account of its own.
type Lease struct {
	namespace *Namespace
	broken    func() error
	release   func()
	once      sync.Once

	mu   sync.Mutex
	kept []Snapshot // to be discarded
}

// NewLease leases a namespace that belongs to no pool; release returns it.
func NewLease(n *Namespace, release func()) *Lease {
	return &Lease{namespace: n, broken: func() error { return nil }, release: release}
}

// Upstream returns what a gateway puts behind its recorder, for each service of the store: handlers that accept
// requests as the target sends them, and pass them on to the store.
func (l *Lease) Upstream() map[wire.Protocol]http.Handler { return l.namespace.Upstream }

// Transport reaches the addresses in Direct without a socket, and nothing else. It is nil for a store outside this
// process.
func (l *Lease) Transport() http.RoundTripper { return l.namespace.Transport }

// Sign signs a request to Upstream as the target would: one that was changed, or that the target did not make. A
// request that is authorized in another way than by the namespace's key stays as it is.
func (l *Lease) Sign(service wire.Service, req *http.Request) {
	if l.namespace.Sign != nil {
		l.namespace.Sign(service, req)
	}
}

// Values returns what a target needs to reach the namespace through a gateway that listens at the given addresses, such
// as http://127.0.0.1:5000, by the names in Kind.Placeholders. A service without an address is omitted.
func (l *Lease) Values(endpoints map[wire.Service]string) map[string]string {
	return l.namespace.Values(endpoints)
}

// Direct returns Values that access the store directly, bypassing any gateway. For a store that belongs to a user
// they contain real keys and must never be printed.
func (l *Lease) Direct() map[string]string { return maps.Clone(l.namespace.Direct) }

// Secrets returns texts that no target may write anywhere.
func (l *Lease) Secrets() []string { return l.namespace.Secrets }

// Rows returns the harness's own access to the namespace's rows; nil: it has none.
func (l *Lease) Rows() Rows { return l.namespace.Rows }

// Objects returns the harness's own access to the namespace's objects; nil: it has none.
func (l *Lease) Objects() Objects { return l.namespace.Objects }

// Simulation makes the namespace behave as a distant store does; nil: the store cannot. Clean ends what it was asked
// for.
func (l *Lease) Simulation() Simulation { return l.namespace.Simulation }

// Units is what a store lacks (Lease.Lacks) that does not count units of capacity as its service does.
const Units = "units of capacity"

// Lacks returns why the store cannot do something that the service does; empty: it can.
func (l *Lease) Lacks(what string) string { return l.namespace.Lacks[what] }

// Beyond returns why the store cannot do a call that the service can; empty: it can.
func (l *Lease) Beyond(call wire.Call) string {
	if l.namespace.Beyond == nil {
		return ""
	}
	return l.namespace.Beyond(call)
}

// Clean deletes every row and every object, in parallel, and keeps their resources. Something that disappears in the
// meantime is not an error. Snapshots are discarded. The error wraps ErrUnavailable if the store has ended or gives no
// answer.
func (l *Lease) Clean(ctx context.Context) error {
	err := cmp.Or(l.Check(), l.discard())
	if err == nil {
		if err = l.namespace.Wipe(ctx); err != nil {
			err = cmp.Or(l.Check(), err) // it may have ended in the meantime
		}
	}
	if err != nil {
		return fmt.Errorf("clean %s: %w", l.namespace.Name, err)
	}
	return nil
}

// Check returns an error that wraps ErrUnavailable if the store is known to have ended. It sends no request, so nil
// does not mean that the store would answer.
func (l *Lease) Check() error { return l.broken() }

// Release returns the namespace; it is cleaned before it is leased again. Snapshots are discarded. Only the first call
// has an effect.
func (l *Lease) Release() {
	l.once.Do(func() {
		_ = l.discard() // the next lease is not affected; the files are removed with the store
		l.release()
	})
}

// Snapshot is the content of a namespace at one moment.
type Snapshot interface {
	Restore() error
	Discard() error
}

// Snapshot saves what Clean would delete, and returns a function that restores it: exactly the same rows and objects,
// with the same versions and times. It can be called many times, until Clean or Release. Resources created in the
// meantime stay. Nothing may write to the namespace while a snapshot is taken; the effects of a request in flight
// during a restore are lost. The error wraps ErrNoSnapshots if the store does not support snapshots, which is not a
// fault of the store.
func (l *Lease) Snapshot(ctx context.Context) (restore func(context.Context) error, err error) {
	if l.namespace.Snapshot == nil {
		return nil, fmt.Errorf("snapshot of %s: %w", l.namespace.Name, ErrNoSnapshots)
	}
	if err := errors.Join(ctx.Err(), l.Check()); err != nil {
		return nil, fmt.Errorf("snapshot of %s: %w", l.namespace.Name, err)
	}
	taken, err := l.namespace.Snapshot()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, taken)
	return func(ctx context.Context) error {
		if err := errors.Join(ctx.Err(), l.Check()); err != nil {
			return fmt.Errorf("restore %s: %w", l.namespace.Name, err)
		}
		return taken.Restore()
	}, nil
}

// discard frees all snapshots.
func (l *Lease) discard() (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, taken := range l.kept {
		err = errors.Join(err, taken.Discard())
	}
	l.kept = nil
	return err
}
