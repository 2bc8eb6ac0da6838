package main

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// A load that a step runs shares its process with a run of rules, which needs more memory.
func TestALoadInAStepLeavesTheMemoryLimit(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	lines := filepath.Join(t.TempDir(), "lines.ndjson")
	if err := os.WriteFile(lines, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, said := runStorespec(t.Context(), nil, []string{"actions", "load", lines, "--url", "http://127.0.0.1:9"})
	if status != 3 || !strings.Contains(said, "the server cannot be used") {
		t.Fatalf("status %d: %s", status, said)
	}
	if now := debug.SetMemoryLimit(-1); now != math.MaxInt64 {
		t.Errorf("the process may use %d bytes", now)
	}
}
