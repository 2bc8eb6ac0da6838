package main

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/store"
)

// storeOptions are the flags of every command that opens a store.
type storeOptions struct {
	store   string
	confirm string
}

func (o *storeOptions) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.store, "store", "embedded", "embedded (in this process), azurite (from npm), container (Docker) or account (a real one, from "+store.AccountVariable+")")
	cmd.Flags().StringVar(&o.confirm, "confirm", "", "the name of the real account, whose entities and blobs will be deleted")
}

func (o *storeOptions) check() error {
	if !slices.Contains(store.Names(), o.store) {
		return unknownName("store", o.store, store.Names())
	}
	if o.confirm != "" && o.store != "account" {
		return &usageError{"--confirm is for a real account", "--store account chooses it"}
	}
	return nil
}

// open opens the chosen store. published: with the key that Azure publishes for its emulator.
func (o *storeOptions) open(ctx context.Context, lanes, cold int, published bool, log io.Writer) (store.Store, error) {
	return store.Open(ctx, store.Options{Name: o.store, Lanes: lanes, Cold: cold, Published: published, Log: log, Confirm: o.confirm})
}
