// Package conform holds every store to what package store promises: empty leases, lanes that are apart, cold
// namespaces, snapshots, and an end. A kind of store brings a [Harness] of a few values. What only its own service
// does, such as keys that need care, is tested in its own package.
//
// Open [Run] first. The package is imported by tests only, and knows no kind.
package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/store"
)

// Harness is what the suite needs to know of a store.
type Harness struct {
	Lanes int // of the store
	// Resource is where a lease's rows and objects are put, such as a table.
	Resource func(*store.Lease) string
	// Key is that of a row except its last part.
	Key       []string
	Snapshots bool // whether the store takes them
	// ColdOnce: a cold namespace cannot be leased again.
	ColdOnce bool
	// Closed checks that a closed store does not answer, for a lease of before; nil: there is no way to ask it.
	Closed func(*testing.T, *store.Lease)
}

// Run checks what holds with one lease at a time.
func Run(t *testing.T, s store.Store, h Harness) {
	t.Run("a lease is empty, keeps what is put, and is cleaned", func(t *testing.T) {
		l := lease(t, s)
		defer l.Release()
		h.has(t, l)
		h.put(t, l, "a")
		h.put(t, l, "b c")
		h.has(t, l, "a", "b c")
		if err := l.Clean(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.has(t, l)
		h.put(t, l, "left")
	})
	t.Run("what a lease left is gone", func(t *testing.T) {
		for range h.Lanes {
			l := lease(t, s)
			defer l.Release()
			h.has(t, l)
		}
	})
	t.Run("a snapshot", func(t *testing.T) {
		l := lease(t, s)
		defer l.Release()
		h.put(t, l, "before")
		restore, err := l.Snapshot(t.Context())
		if !h.Snapshots {
			if !errors.Is(err, store.ErrNoSnapshots) {
				t.Errorf("error %v, want %v", err, store.ErrNoSnapshots)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			h.put(t, l, "after")
			if err := restore(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.has(t, l, "before")
		}
	})
	t.Run("a lease waits for a release", func(t *testing.T) { waits(t, s, h.Lanes) })
}

// RunLanes checks what holds for a store of two lanes and one cold namespace, and closes it.
func RunLanes(t *testing.T, s store.Store, h Harness) {
	t.Run("lanes are isolated", func(t *testing.T) {
		a, b := lease(t, s), lease(t, s)
		defer a.Release()
		defer b.Release()
		h.put(t, a, "a")
		h.has(t, b)
		h.put(t, b, "b")
		h.has(t, a, "a")
	})
	t.Run("a cold namespace", func(t *testing.T) {
		l, err := s.LeaseCold(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		h.has(t, l)
		if _, err := s.LeaseCold(t.Context()); !errors.Is(err, store.ErrNoColdNamespace) {
			t.Errorf("a second lease while the only one is held: %v", err)
		}
		h.put(t, l, "left")
		l.Release()
		again, err := s.LeaseCold(t.Context())
		switch {
		case h.ColdOnce && !errors.Is(err, store.ErrNoColdNamespace):
			t.Errorf("a lease of a namespace that was used: %v", err)
		case !h.ColdOnce && err != nil:
			t.Error(err)
		case err == nil:
			h.has(t, again)
			again.Release()
		}
	})
	t.Run("closing", func(t *testing.T) {
		l := lease(t, s)
		for range 2 {
			if err := s.Close(context.WithoutCancel(t.Context())); err != nil {
				t.Error(err)
			}
		}
		if _, err := s.Lease(t.Context()); !errors.Is(err, store.ErrClosed) {
			t.Errorf("lease of a closed store: %v", err)
		}
		if _, err := s.LeaseCold(t.Context()); !errors.Is(err, store.ErrClosed) {
			t.Errorf("cold lease of a closed store: %v", err)
		}
		if h.Closed != nil {
			h.Closed(t, l)
		}
	})
}

func lease(t *testing.T, s store.Store) *store.Lease {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	l, err := s.Lease(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// put writes a row and an object of a name, as far as the namespace has rows and objects.
func (h Harness) put(t *testing.T, l *store.Lease, name string) {
	t.Helper()
	var err error
	if rows := l.Rows(); rows != nil {
		key := append(slices.Clone(h.Key), "row of "+name)
		err = rows.Put(t.Context(), h.Resource(l), key, store.Row{"text": {Is: name}})
	}
	if objects := l.Objects(); objects != nil && err == nil {
		err = objects.Put(t.Context(), h.Resource(l), name, []byte(name))
	}
	if err != nil {
		t.Fatalf("put %s: %v", name, err)
	}
}

// has checks what the namespace contains.
func (h Harness) has(t *testing.T, l *store.Lease, want ...string) {
	t.Helper()
	found, err := store.Read(t.Context(), l.Rows(), l.Objects(), h.Resource(l))
	if err != nil {
		t.Fatal(err)
	}
	var rows, objects []string
	for _, list := range found.Rows {
		for _, row := range list {
			rows = append(rows, fmt.Sprint(row["text"].Is))
		}
	}
	for name, content := range found.Objects[h.Resource(l)] {
		if objects = append(objects, name); string(content) != name {
			t.Errorf("object %s contains %q", name, content)
		}
	}
	slices.Sort(rows)
	slices.Sort(objects)
	if l.Rows() != nil && !slices.Equal(rows, want) || l.Objects() != nil && !slices.Equal(objects, want) {
		t.Errorf("there are rows %q and objects %q, want %q", rows, objects, want)
	}
}

func waits(t *testing.T, s store.Store, lanes int) {
	short, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var held []*store.Lease
	for range lanes {
		held = append(held, lease(t, s))
	}
	ended, end := context.WithCancel(short)
	end()
	if _, err := s.Lease(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("lease with an ended context: %v", err)
	}
	got := make(chan error, 1)
	go func() {
		l, err := s.Lease(short)
		if err == nil {
			l.Release()
		}
		got <- err
	}()
	for _, l := range held {
		l.Release()
		l.Release() // twice: gives back once
	}
	if err := <-got; err != nil {
		t.Errorf("lease after a release: %v", err)
	}
	for range lanes {
		defer lease(t, s).Release()
	}
	if l, err := s.Lease(ended); err == nil {
		l.Release()
		t.Errorf("more than %d lanes are free at the end", lanes)
	}
}
