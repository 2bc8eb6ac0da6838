package account

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

// closedAddress is an address where nothing listens any more.
func closedAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return listener.Addr().String()
}

func TestAStoreThatGivesNoAnswerIsUnavailable(t *testing.T) {
	address := closedAddress(t)
	connection := connectionString("acct", testKey, "http://"+address, "http://"+address)
	err := wipe(t.Context(), connection, newTransport(false), "")
	if !errors.Is(err, store.ErrUnavailable) || !strings.Contains(err.Error(), address) ||
		strings.Contains(err.Error(), "acct") {
		t.Errorf("error %v; it must wrap ErrUnavailable and name %s, not what was asked for", err, address)
	}
}

func TestAStoreThatRefusesIsThere(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	err := wipe(t.Context(), connectionString("acct", testKey, server.URL, server.URL), newTransport(false), "")
	if err == nil || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("error %v; a store that answers 403 is not unavailable", err)
	}
}

func TestACallerThatDoesNotWaitBlamesNoStore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	err := wipe(ctx, connectionString("acct", testKey, server.URL, server.URL), newTransport(false), "")
	if !errors.Is(err, context.Canceled) || errors.Is(err, store.ErrUnavailable) {
		t.Errorf("error %v; it is the caller's", err)
	}
}

// A lease of a store that has ended knows so without asking it.
func TestCleanOfABrokenStoreAsksNothing(t *testing.T) {
	asked := false
	s := store.NewPool("test", "",
		[]*store.Namespace{{Name: "account lane1", Wipe: func(context.Context) error { asked = true; return nil }}},
		nil)
	var broken error
	s.Broken = func() error { return broken }
	lease := mustLease(t, s)
	if err := lease.Clean(t.Context()); err != nil || !asked {
		t.Fatalf("Clean: %v, asked %v", err, asked)
	}
	asked = false
	broken = store.ErrUnavailable
	if err := lease.Clean(t.Context()); !errors.Is(err, store.ErrUnavailable) ||
		!strings.Contains(err.Error(), "lane1") ||
		asked {
		t.Errorf("Clean: %v, asked %v", err, asked)
	}
}
