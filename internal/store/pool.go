package store

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/storespec/storespec/internal/wire"
)

// pooled is the one implementation of Store: a fixed number of namespaces that are handed out, and
// a way to stop what serves them.
type pooled struct {
	name, version string
	lanes         chan *namespace // free ones
	cold          chan *namespace
	broken        func() error                // nil error while the service is up
	stop          func(context.Context) error // called once
	closed        chan struct{}
	closing       sync.Once
	closeErr      error
}

// namespace is an account of the store and what a lease of it needs.
type namespace struct {
	account, key, direct string
	upstream             map[wire.Service]http.Handler
	transport            http.RoundTripper // nil: only a socket leads there
	wipe                 func(context.Context) error
	snapshot             func() (snapshot, error) // nil: the store takes none
	dirty                bool                     // written to by somebody before this lease
}

// newPooled makes the pools. The capacity of each is its size, so giving back never blocks.
func newPooled(name, version string, lanes, cold []*namespace) *pooled {
	s := &pooled{
		name: name, version: version,
		lanes:  make(chan *namespace, len(lanes)),
		cold:   make(chan *namespace, len(cold)),
		broken: func() error { return nil },
		stop:   func(context.Context) error { return nil },
		closed: make(chan struct{}),
	}
	for _, n := range lanes {
		s.lanes <- n
	}
	for _, n := range cold {
		s.cold <- n
	}
	return s
}

func (s *pooled) Name() string    { return s.name }
func (s *pooled) Version() string { return s.version }

func (s *pooled) Lease(ctx context.Context) (*Lease, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	select {
	case n := <-s.lanes:
		if n.dirty {
			if err := n.wipe(ctx); err != nil {
				s.lanes <- n
				return nil, fmt.Errorf("lease from store %s: clean account %s: %w", s.name, n.account, errors.Join(err, s.broken()))
			}
		}
		n.dirty = true
		return s.leased(n, func() { s.lanes <- n }), nil
	case <-s.closed:
		return nil, fmt.Errorf("lease from store %s: %w", s.name, ErrClosed)
	case <-ctx.Done():
		return nil, fmt.Errorf("lease from store %s: wait for one of %d lanes: %w", s.name, cap(s.lanes), ctx.Err())
	}
}

func (s *pooled) LeaseCold(context.Context) (*Lease, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	select {
	case n := <-s.cold:
		return s.leased(n, func() {}), nil
	default:
		if cap(s.cold) == 0 {
			return nil, fmt.Errorf("lease from store %s: %w", s.name, ErrNeverCold)
		}
		return nil, fmt.Errorf("lease from store %s: %w (%d were declared)", s.name, ErrNoColdNamespace, cap(s.cold))
	}
}

// usable is the error of a store that was closed or whose service has ended.
func (s *pooled) usable() error {
	select {
	case <-s.closed:
		return fmt.Errorf("lease from store %s: %w", s.name, ErrClosed)
	default:
	}
	if err := s.broken(); err != nil {
		return fmt.Errorf("lease from store %s: %w", s.name, err)
	}
	return nil
}

func (s *pooled) Close(ctx context.Context) error {
	s.closing.Do(func() {
		close(s.closed)
		if err := s.stop(ctx); err != nil {
			s.closeErr = fmt.Errorf("close store %s: %w", s.name, err)
		}
	})
	return s.closeErr
}

// leased hands a namespace out.
func (s *pooled) leased(n *namespace, release func()) *Lease {
	return &Lease{
		Account: n.account, Key: n.key, Direct: n.direct,
		upstream: n.upstream, transport: n.transport, wipe: n.wipe, broken: s.broken, release: release,
		snapshots: snapshots{take: n.snapshot},
	}
}

// credential is an account of a store that takes any account.
type credential struct{ account, key string }

// The emulator's account and key as "Use the Azurite emulator" (Microsoft Learn) publishes them.
const (
	publishedAccount = "devstoreaccount1"
	publishedKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// newCredentials makes n accounts named prefix1, prefix2, … with keys of Azure's length.
func newCredentials(entropy io.Reader, prefix string, n int) ([]credential, error) {
	creds := make([]credential, 0, n)
	for i := range n {
		key, err := newKey(entropy)
		if err != nil {
			return nil, err
		}
		creds = append(creds, credential{account: fmt.Sprintf("%s%d", prefix, i+1), key: key})
	}
	return creds, nil
}

// newKey makes an account key: 64 bytes in base64.
func newKey(entropy io.Reader) (string, error) {
	var key [64]byte
	if _, err := io.ReadFull(entropy, key[:]); err != nil {
		return "", fmt.Errorf("make an account key: %w", err)
	}
	return base64.StdEncoding.EncodeToString(key[:]), nil
}

// newTransport is a transport for the many short calls to one store. It never asks for compression,
// since what it carries is passed on unread.
func newTransport(proxy bool) *http.Transport {
	t := &http.Transport{
		MaxIdleConns:        0, // no limit
		MaxIdleConnsPerHost: 256,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
	}
	if proxy {
		t.Proxy = http.ProxyFromEnvironment
	}
	return t
}
