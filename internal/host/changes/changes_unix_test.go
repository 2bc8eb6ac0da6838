//go:build unix

package changes

import (
	"context"
	"slices"
	"syscall"
	"testing"
	"time"
)

// Reading a pipe without a writer would block, whatever ends the context.
func TestAPipeIsNotRead(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "1", "server.js")
	w := watched(t, []string{"."}, nil)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, "2", "server.js")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	done := make(chan []string, 1)
	go func() {
		paths, _ := w.Next(ctx)
		done <- paths
	}()
	select {
	case paths := <-done:
		if !slices.Equal(paths, []string{"server.js"}) {
			t.Errorf("changes %v", paths)
		}
	case <-ctx.Done():
		t.Fatal("Next still waits")
	}
}
