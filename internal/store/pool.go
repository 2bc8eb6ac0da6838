package store

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/storespec/storespec/internal/wire"
)

// Pool is the only implementation of Store: a fixed number of namespaces to lease, and a way to stop the service behind
// them.
type Pool struct {
	Broken func() error                // nil error while the service is up
	Stop   func(context.Context) error // called once, by Close

	name, version string
	lanes         chan *Namespace // free lanes
	cold          chan *Namespace // free, and never used
	used          chan *Namespace // free, to be dropped before they are cold again
	closed        chan struct{}
	closing       sync.Once
	closeErr      error
}

// Namespace is a part of a store that is isolated from all others, and what a lease of it needs. The fields are what
// the Lease methods of the same names return.
type Namespace struct {
	Name      string // for people, such as "account lane1"
	Values    func(endpoints map[wire.Service]string) map[string]string
	Direct    map[string]string
	Secrets   []string
	Upstream  map[wire.Protocol]http.Handler
	Transport http.RoundTripper // nil: reachable only through a socket
	// Sign signs a request to a service as the target would, if its signature covers what it says.
	Sign     func(wire.Service, *http.Request)
	Rows     Rows    // nil: it has none
	Objects  Objects // nil: it has none
	Wipe     func(context.Context) error
	Drop     func(context.Context) error // Wipe, and the resources too; nil: a cold lease of it is its last
	Snapshot func() (Snapshot, error)    // nil: the store does not support snapshots
	// Simulation makes the namespace behave as a distant store does; nil: it cannot.
	Simulation Simulation
	// Lacks says why the store cannot do what the service does, by what that is.
	Lacks map[string]string
	// Beyond says why the store cannot do a call that the service can, empty: it can; nil: it can do all.
	Beyond func(wire.Call) string
	Dirty  bool // something wrote to it before this lease
}

// NewPool creates the pools. The capacity of each is its size, so returning a namespace never blocks.
func NewPool(name, version string, lanes, cold []*Namespace) *Pool {
	s := &Pool{
		Broken: func() error { return nil }, Stop: func(context.Context) error { return nil },
		name: name, version: version, closed: make(chan struct{}),
		lanes: make(chan *Namespace, len(lanes)),
		cold:  make(chan *Namespace, len(cold)), used: make(chan *Namespace, len(cold)),
	}
	for _, n := range lanes {
		s.lanes <- n
	}
	for _, n := range cold {
		s.cold <- n
	}
	return s
}

// Name implements Store.
func (s *Pool) Name() string { return s.name }

// Version implements Store.
func (s *Pool) Version() string { return s.version }

// Lease implements Store.
func (s *Pool) Lease(ctx context.Context) (*Lease, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	select {
	case n := <-s.lanes:
		if n.Dirty {
			if err := n.Wipe(ctx); err != nil {
				s.lanes <- n
				return nil, fmt.Errorf("lease from store %s: clean %s: %w", s.name, n.Name,
					errors.Join(err, s.Broken()))
			}
		}
		n.Dirty = true
		return &Lease{namespace: n, broken: s.Broken, release: func() { s.lanes <- n }}, nil
	case <-s.closed:
		return nil, s.usable()
	case <-ctx.Done():
		return nil, fmt.Errorf("lease from store %s: wait for one of %d lanes: %w", s.name, cap(s.lanes), ctx.Err())
	}
}

// LeaseCold implements Store.
func (s *Pool) LeaseCold(ctx context.Context) (*Lease, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	var n *Namespace
	select {
	case n = <-s.cold:
	default:
		select {
		case n = <-s.used:
			if err := n.Drop(ctx); err != nil {
				s.used <- n
				return nil, fmt.Errorf("lease from store %s: drop %s: %w", s.name, n.Name, errors.Join(err, s.Broken()))
			}
		default:
			if cap(s.cold) == 0 {
				return nil, fmt.Errorf("lease from store %s: %w", s.name, ErrNeverCold)
			}
			return nil, fmt.Errorf("lease from store %s: %w (of %d)", s.name, ErrNoColdNamespace, cap(s.cold))
		}
	}
	return &Lease{namespace: n, broken: s.Broken, release: func() {
		if n.Drop != nil {
			s.used <- n
		}
	}}, nil
}

// usable returns an error if the store was closed or its service has ended.
func (s *Pool) usable() error {
	select {
	case <-s.closed:
		return fmt.Errorf("lease from store %s: %w", s.name, ErrClosed)
	default:
	}
	if err := s.Broken(); err != nil {
		return fmt.Errorf("lease from store %s: %w", s.name, err)
	}
	return nil
}

// Close implements Store.
func (s *Pool) Close(ctx context.Context) error {
	s.closing.Do(func() {
		close(s.closed)
		if err := s.Stop(ctx); err != nil {
			s.closeErr = fmt.Errorf("close store %s: %w", s.name, err)
		}
	})
	return s.closeErr
}
