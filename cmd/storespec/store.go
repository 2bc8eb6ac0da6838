package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/stores"
)

// storeOptions holds the flags of every command that opens a store.
type storeOptions struct {
	store   string
	confirm string
}

func (o *storeOptions) addTo(cmd *cobra.Command) {
	var offered []string
	for _, backend := range stores.Backends() {
		offered = append(offered, backend.Name+" ("+backend.Help+")")
	}
	last := len(offered) - 1
	cmd.Flags().StringVar(&o.store, "store", "embedded", strings.Join(offered[:last], ", ")+" or "+offered[last])
	cmd.Flags().StringVar(&o.confirm, "confirm", "",
		"the name of the real account, whose entities and blobs will be deleted")
}

func (o *storeOptions) check() error {
	if !slices.Contains(stores.Names(), o.store) {
		return unknownName("store", o.store, stores.Names())
	}
	if o.confirm != "" && !isReal(o.store) {
		return &usageError{"--confirm is for a real account", "--store account chooses it"}
	}
	return nil
}

// isReal reports whether a store is a real account.
func isReal(name string) bool {
	return slices.ContainsFunc(stores.Backends(), func(b store.Backend) bool { return b.Name == name && b.Real })
}

// open opens the chosen store. published: use the key that Azure publishes for its emulator.
func (o *storeOptions) open(ctx context.Context, lanes, cold int, published bool, log io.Writer) (store.Store, error) {
	return stores.Open(ctx,
		store.Options{Name: o.store, Lanes: lanes, Cold: cold, Published: published, Log: log, Confirm: o.confirm})
}
