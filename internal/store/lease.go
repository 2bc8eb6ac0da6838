package store

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/storespec/storespec/internal/wire"
)

// Lease is one isolated namespace: a storage account of its own.
type Lease struct {
	// Account and Key are what a target signs with. For a real account the key is made up: the
	// gateway signs anew.
	Account, Key string
	// Direct is a connection string that leads straight to the store, for the harness's own reads
	// and writes, which are never counted. For a real account it holds the real key: it must never
	// be printed.
	Direct string

	others    string // of a connection string: services that no gateway stands before
	upstream  map[wire.Service]http.Handler
	transport http.RoundTripper
	wipe      func(context.Context) error
	broken    func() error
	snapshots snapshots
	release   func()
	once      sync.Once
}

// Upstream is what a gateway puts behind its recorder: it takes requests in path style
// (/account/…) and sends them to the store. Nil for a service the store does not have.
func (l *Lease) Upstream(service wire.Service) http.Handler {
	return l.upstream[service]
}

// Transport is what reaches the endpoints of Direct without a socket, and nothing else. Nil for a
// store that is not in this process.
func (l *Lease) Transport() http.RoundTripper { return l.transport }

// ConnectionString is the connection string for a target whose gateway listens at the given
// addresses, such as http://127.0.0.1:5000; the account is appended to them as a path. An empty
// address leaves that service out.
func (l *Lease) ConnectionString(tableEndpoint, blobEndpoint string) string {
	return connectionString(l.Account, l.Key, tableEndpoint, blobEndpoint) + l.others
}

// Clean deletes every entity and every blob, in parallel, and keeps tables and containers. Blob
// leases are broken. Rows and blobs that vanish meanwhile are no error. Snapshots are discarded. The error
// wraps ErrUnavailable when the store has ended or gives no answer.
func (l *Lease) Clean(ctx context.Context) error {
	err := cmp.Or(l.Check(), l.snapshots.discard())
	if err == nil {
		if err = l.wipe(ctx); err != nil {
			err = cmp.Or(l.Check(), err) // it may have ended meanwhile
		}
	}
	if err != nil {
		return fmt.Errorf("clean account %s: %w", l.Account, err)
	}
	return nil
}

// Check is an error that wraps ErrUnavailable when the store is known to have ended. It asks nobody, so
// nil does not say that the store would answer.
func (l *Lease) Check() error { return l.broken() }

// Release gives the namespace back; it is cleaned before it is leased again. Snapshots are discarded. Only
// the first call does something. A cold namespace is not leased again.
func (l *Lease) Release() {
	l.once.Do(func() {
		_ = l.snapshots.discard() // the next lease does not care; the files go with the store
		l.release()
	})
}

// connectionString writes a connection string with endpoints in path style.
func connectionString(account, key, tableEndpoint, blobEndpoint string) string {
	protocol := "http"
	if strings.HasPrefix(tableEndpoint+blobEndpoint, "https:") {
		protocol = "https"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "DefaultEndpointsProtocol=%s;AccountName=%s;AccountKey=%s;", protocol, account, key)
	if blobEndpoint != "" {
		fmt.Fprintf(&b, "BlobEndpoint=%s/%s;", strings.TrimSuffix(blobEndpoint, "/"), account)
	}
	if tableEndpoint != "" {
		fmt.Fprintf(&b, "TableEndpoint=%s/%s;", strings.TrimSuffix(tableEndpoint, "/"), account)
	}
	return b.String()
}
