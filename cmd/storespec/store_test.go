package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/run/waiting"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/account"
)

// slow is a kind of store with one backend.
type slow struct {
	account.Kind
	open func() error
}

func (s slow) Backends() []store.Backend {
	return []store.Backend{{Name: "slow", Open: func(context.Context, store.Options) (*store.Pool, error) {
		return nil, s.open()
	}}}
}

func TestOpeningAStoreSaysWhatItWaitsFor(t *testing.T) {
	waits, shown := &waiting.Board{}, ""
	kind := slow{open: func() error {
		shown = waits.At(time.Now().Add(12*time.Second + time.Millisecond))
		return errors.New("it is too slow")
	}}
	o := storeOptions{store: "slow"}
	_, err := o.openAll(t.Context(), map[string]store.Choice{"azure": {Kind: kind, Backend: "slow"}}, store.Options{},
		waits)
	if err == nil || shown != "waiting for the store slow to open, 12 s" {
		t.Errorf("error %v; shown %q", err, shown)
	}
	if after := waits.At(time.Now().Add(time.Minute)); after != "" {
		t.Errorf("afterwards it waits for %q", after)
	}
}
