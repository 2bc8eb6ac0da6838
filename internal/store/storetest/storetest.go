// Package storetest leases a store, for tests. It is imported by tests only.
//
// Open [Lease] first.
package storetest

import (
	"context"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

// Lease is an account of an emulator in this process, which is gone after the test.
func Lease(tb testing.TB) *store.Lease {
	tb.Helper()
	return LeaseOf(tb, "embedded")
}

// LeaseOf is an account of the store of that name, which is closed after the test.
func LeaseOf(tb testing.TB, name string) *store.Lease {
	tb.Helper()
	opened, err := store.Open(tb.Context(), store.Options{Name: name})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := opened.Close(context.WithoutCancel(tb.Context())); err != nil {
			tb.Error(err)
		}
	})
	lease, err := opened.Lease(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(lease.Release)
	return lease
}
