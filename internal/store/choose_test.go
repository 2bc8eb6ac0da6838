package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

func TestWhatANameMeansForAKind(t *testing.T) {
	found := func(err error) func(context.Context) error { return func(context.Context) error { return err } }
	backends := func(container error) choosing {
		return choosing{kind{name: "one"}, []store.Backend{{Name: "embedded"}, {Name: "npm"},
			{Name: "container", Found: found(container)}, {Name: "local", Found: found(errors.New("no local"))}}}
	}
	for _, c := range []struct {
		kind               store.Kind
		name, backend, why string
	}{
		{backends(nil), "npm", "npm", ""},
		{backends(errors.New("no docker")), "container", "container", ""},
		{backends(nil), store.Auto, "container", ""},
		{backends(errors.New("no docker")), store.Auto, "embedded", "no local"},
		{backends(nil), "account", "embedded", "one has no store account"},
		{kind{"two", []string{"embedded", "npm"}}, store.Auto, "embedded", ""},
	} {
		got := store.Choose(t.Context(), c.kind, c.name)
		if got.Backend != c.backend || got.Why != c.why || got.Kind.Name() != c.kind.Name() {
			t.Errorf("%s of %s is %q because of %q, want %q, %q", c.name, c.kind.Name(), got.Backend, got.Why,
				c.backend, c.why)
		}
	}
}

// choosing is a kind with these backends.
type choosing struct {
	kind
	list []store.Backend
}

func (c choosing) Backends() []store.Backend { return c.list }
