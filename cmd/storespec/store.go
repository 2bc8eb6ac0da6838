package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/progress"
	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
)

// embedded is the store that needs nothing.
const embedded = "embedded"

// storeOptions holds the flags of every command that opens a store.
type storeOptions struct {
	store   string
	confirm string
}

func (o *storeOptions) addTo(cmd *cobra.Command) {
	var offered []string
	for _, kind := range stores.Kinds() {
		var names []string
		for _, backend := range kind.Backends() {
			names = append(names, backend.Name)
		}
		offered = append(offered, "for "+kind.Name()+" "+command.Either(names))
	}
	cmd.Flags().StringVar(&o.store, "store", embedded, "`NAME` of the store to use: "+strings.Join(offered, "; ")+
		"; or "+store.Auto+", which is container if Docker has the image, else embedded (storespec help stores)")
	cmd.Flags().StringVar(&o.confirm, "confirm", "",
		"`NAME` of the real account or table, or id of the real namespace, whose data will be deleted")
}

// storeNames returns what --store takes.
func storeNames() []string { return append(stores.Names(), store.Auto) }

func (o *storeOptions) check() error {
	if !slices.Contains(storeNames(), o.store) {
		return command.UnknownName("store", o.store, storeNames())
	}
	if o.confirm != "" && !isReal(o.store) {
		return command.Misused("--confirm is for a real account", "--store account selects one")
	}
	return nil
}

// isReal reports whether a store is a real account.
func isReal(name string) bool {
	return slices.ContainsFunc(stores.Backends(), func(b store.Backend) bool { return b.Name == name && b.Real })
}

// openedStores holds a store for each kind that the systems of a run have, by the kind's name.
type openedStores map[string]store.Store

// Close closes all of them, even after ctx has ended.
func (s openedStores) Close(ctx context.Context) (err error) {
	for _, opened := range s {
		err = errors.Join(err, stores.Close(ctx, opened))
	}
	return err
}

// choose finds out which store each system gets, by the name of its kind, and says so where --store does not: one line
// for each system.
func (o *storeOptions) choose(ctx context.Context, list []system.System, log io.Writer) map[string]store.Choice {
	chosen := map[string]store.Choice{}
	for _, s := range list {
		choice, known := chosen[s.Store]
		if !known {
			choice = stores.Choose(ctx, s.Store, o.store)
			chosen[s.Store] = choice
		}
		o.sayChoice(log, s.Name, choice)
	}
	return chosen
}

func allEmbedded(chosen map[string]store.Choice) bool {
	for _, choice := range chosen {
		if choice.Backend != embedded {
			return false
		}
	}
	return true
}

func (o *storeOptions) sayChoice(log io.Writer, name string, choice store.Choice) {
	switch {
	case choice.Why != "":
		fmt.Fprintf(log, "%s: --store %s is %s here: %s\n", name, o.store, choice.Backend,
			strings.ReplaceAll(choice.Why, "\n", "; "))
	case o.store == store.Auto:
		fmt.Fprintf(log, "%s: --store %s is %s here\n", name, o.store, choice.Backend)
	}
}

// openAll opens the chosen stores, and says what it waits for; opts are those of each. With --store auto, one that
// cannot be used gives way to the kind's first.
func (a *app) openStores(ctx context.Context, o storeOptions, chosen map[string]store.Choice,
	opts store.Options) (openedStores, error) {
	status := progress.NewStores(a.Stderr, a.IsDumb())
	defer status.Run()()
	opts.Log = status
	return o.openAll(ctx, chosen, opts, &status.Waits)
}

// openAll is app.openStores with the board for what is waited for.
func (o *storeOptions) openAll(ctx context.Context, chosen map[string]store.Choice, opts store.Options,
	waits *waiting.Board) (openedStores, error) {
	opened := openedStores{}
	for kind, choice := range chosen {
		end := waits.Begin(waiting.Reason, func(lasted time.Duration) string {
			return "waiting for the store " + choice.Backend + " to open, " + waiting.Of(lasted, 0)
		})
		one, err := o.open(ctx, choice, opts)
		end()
		if err != nil {
			return nil, errors.Join(err, opened.Close(ctx))
		}
		opened[kind] = one
	}
	return opened, nil
}

func (o *storeOptions) open(ctx context.Context, choice store.Choice, opts store.Options) (store.Store, error) {
	opts.Name, opts.Confirm = choice.Backend, o.confirm
	opened, err := store.Open(ctx, []store.Kind{choice.Kind}, opts)
	first := choice.Kind.Backends()[0].Name
	if o.store != store.Auto || choice.Backend == first || !errors.Is(err, store.ErrUnavailable) || ctx.Err() != nil {
		return opened, err
	}
	o.sayChoice(opts.Log, choice.Kind.Name(), store.Choice{Backend: first, Why: err.Error()})
	opts.Name = first
	return store.Open(ctx, []store.Kind{choice.Kind}, opts)
}
