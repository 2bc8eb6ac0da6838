package account

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/store"
)

// Whoever is in the process needs no socket: the connection string is the same, the transport another.
func TestEmbeddedIsReachedWithoutASocket(t *testing.T) {
	s := openStore(t, store.Options{Name: "embedded", Lanes: 1})
	l := mustLease(t, s)
	defer l.Release()
	inside := newClients(t, l.Direct()["connection"], l.Transport())
	exerciseTables(t, inside)
	exerciseTransaction(t, inside)
	exerciseBlobs(t, inside)

	if _, err := inside.blobs.CreateContainer(t.Context(), "seen", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := newClients(t, l.Direct()["connection"], nil).blobs.UploadBuffer(t.Context(), "seen", "b",
		[]byte("content"),
		nil); err != nil {
		t.Errorf("over a socket: %v", err)
	}
	if _, err := (&http.Client{Transport: l.Transport()}).Get("http://127.0.0.1:1/"); err != nil {
		t.Errorf("another address: %v", err)
	}
}

// A store that was closed breaks connections instead of answering from a closed engine.
func TestEmbeddedAfterClose(t *testing.T) {
	s, err := store.Open(t.Context(), kinds(), store.Options{Name: "embedded"})
	if err != nil {
		t.Fatal(err)
	}
	l := mustLease(t, s)
	closeStore(t, s)
	closeStore(t, s)
	c := newClients(t, l.Direct()["connection"], l.Transport())
	if _, err := c.blobs.CreateContainer(t.Context(), "late", nil); err == nil ||
		!strings.Contains(err.Error(), "reset") {
		t.Errorf("error %v, want a connection that was reset", err)
	}
}
