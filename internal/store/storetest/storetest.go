// Package storetest opens a store for a test and ends it with the test. It is imported by tests only.
//
// Open [Lease] first: most tests want one account and nothing else.
package storetest

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/stores"
)

// Lease is an account of an emulator in this process, which is gone after the test.
func Lease(tb testing.TB) *store.Lease {
	tb.Helper()
	return LeaseOf(tb, "embedded")
}

// LeaseOf is an account of the store of that name, which is closed after the test. The test is skipped where
// [Open] skips it.
func LeaseOf(tb testing.TB, name string) *store.Lease {
	tb.Helper()
	return LeaseFrom(tb, Open(tb, name))
}

// LeaseFrom is an account of a store, given back after the test.
func LeaseFrom(tb testing.TB, opened store.Store) *store.Lease {
	tb.Helper()
	lease, err := opened.Lease(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(lease.Release)
	return lease
}

// Open starts the store of that name and closes it after the test. Where the environment lacks what it needs, such as
// Node, the test is skipped, but not in CI: there it is a mistake.
func Open(tb testing.TB, name string) store.Store {
	tb.Helper()
	opened, err := stores.Open(tb.Context(), store.Options{Name: name})
	if errors.Is(err, store.ErrUnavailable) && os.Getenv("CI") != "true" {
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := opened.Close(context.WithoutCancel(tb.Context())); err != nil {
			tb.Error(err)
		}
	})
	return opened
}
