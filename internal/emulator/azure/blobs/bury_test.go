package blobs_test

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/storespec/storespec/internal/emulator/engine"
)

// TestContainerDeletedBesideWrites deletes a container while many clients write, copy and delete its blobs, which share
// their bodies with those of another one: those stay whole, and nothing of the container is left.
func TestContainerDeletedBesideWrites(t *testing.T) {
	m := startWith(t, engine.Options{Dir: t.TempDir()}, true, false)
	m.serve("PUT", "/kept?restype=container", nil)
	bodies := [][]byte{noise(5000), noise(1<<20 + 5)} // in a row, and in a file
	for i, body := range bodies {
		m.serve("PUT", fmt.Sprintf("/kept/%d", i), body, block)
	}
	rows := m.rows(t)
	for range 30 {
		m.serve("PUT", "/cont?restype=container", nil)
		for i := range 6 {
			source := fmt.Sprintf("x-ms-copy-source: %s/kept/%d", m.url(), i%len(bodies))
			if a := m.serve("PUT", fmt.Sprintf("/cont/b%d", i), nil, source); a.Code != http.StatusAccepted {
				t.Fatalf("copy: status %d", a.Code)
			}
		}
		var clients sync.WaitGroup
		for i := range 6 {
			name := fmt.Sprintf("/cont/b%d", i)
			clients.Go(func() {
				m.serve("DELETE", name, nil)
				m.serve("PUT", name, bodies[0], block)
				m.serve("PUT", name+"?comp=block&blockid=MDE=", noise(10))
			})
		}
		clients.Go(func() {
			if a := m.serve("DELETE", "/cont?restype=container", nil); a.Code != http.StatusAccepted {
				t.Errorf("delete the container: status %d", a.Code)
			}
		})
		clients.Wait()
		if n := m.rows(t); n != rows {
			t.Fatalf("%d rows, want %d", n, rows)
		}
		for i, body := range bodies {
			a := m.serve("GET", fmt.Sprintf("/kept/%d", i), nil)
			if a.Code != http.StatusOK || !bytes.Equal(a.Body.Bytes(), body) {
				t.Fatalf("status %d, %d bytes of %d", a.Code, a.Body.Len(), len(body))
			}
		}
	}
	if left := files(t, m.engine); len(left) != 1 {
		t.Errorf("files %v are left, want 1", left)
	}
}
