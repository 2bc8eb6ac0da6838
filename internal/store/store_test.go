package store_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// kind is one of whose backends nothing is opened.
type kind struct {
	name     string
	backends []string
}

func (k kind) Name() string             { return k.name }
func (kind) Protocols() []wire.Protocol { return nil }
func (kind) Placeholders() []string     { return nil }
func (kind) Reach() []string            { return nil }
func (k kind) Backends() (all []store.Backend) {
	for _, name := range k.backends {
		all = append(all, store.Backend{Name: name, Open: func(context.Context, store.Options) (*store.Pool, error) {
			return store.NewPool(name, k.name, nil, nil), nil
		}})
	}
	return all
}

func TestBackendsOfSeveralKinds(t *testing.T) {
	kinds := []store.Kind{kind{"one", []string{"embedded", "real"}}, kind{"two", []string{"embedded", "local"}}}
	opened, err := store.Open(t.Context(), kinds, store.Options{Name: "embedded"})
	if err != nil || opened.Name() != "embedded" || opened.Version() != "one" {
		t.Errorf("opened %v, %v", opened, err)
	}
	_, err = store.Open(t.Context(), kinds, store.Options{Name: "emb"})
	unknown, ok := errors.AsType[*store.UnknownNameError](err)
	if !ok || !slices.Equal(unknown.Known, []string{"embedded", "real", "embedded", "local"}) {
		t.Errorf("error %v", err)
	}
}

func TestALeaseMayHaveNeitherRowsNorObjects(t *testing.T) {
	wiped := 0
	namespace := &store.Namespace{Name: "place 1", Wipe: func(context.Context) error { wiped++; return nil },
		Dirty: true}
	pool := store.NewPool("test", "1", []*store.Namespace{namespace}, nil)
	lease, err := pool.Lease(t.Context())
	if err != nil || wiped != 1 {
		t.Fatalf("lease: %v, after %d cleanings", err, wiped)
	}
	if lease.Rows() != nil || lease.Objects() != nil || len(lease.Direct()) > 0 || len(lease.Upstream()) > 0 {
		t.Error("a lease has what its namespace has not")
	}
	if _, err := lease.Snapshot(t.Context()); !errors.Is(err, store.ErrNoSnapshots) ||
		!strings.Contains(err.Error(), "place 1") {
		t.Errorf("snapshot: %v", err)
	}
	if _, err := pool.LeaseCold(t.Context()); !errors.Is(err, store.ErrNeverCold) {
		t.Errorf("cold lease: %v", err)
	}
}
