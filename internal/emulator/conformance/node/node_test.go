package node

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestJavaScriptSDKs runs sdk.test.cjs against storespec-emulate, the program as users start it.
func TestJavaScriptSDKs(t *testing.T) {
	modules := install(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "--test", "--test-reporter", "tap", "sdk.test.cjs")
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules, "STORAGE="+emulate(t))
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if !strings.Contains(string(output), "\n# fail 0\n") || strings.Contains(string(output), "\n# pass 0\n") {
		t.Errorf("Node did not report success:\n%s", output)
	}
}

// install puts the SDKs into the user's cache, once for each lock file, and returns the directory
// for NODE_PATH.
func install(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not in PATH, and CI must run these tests", name)
		}
		t.Skipf("%s is not in PATH", name)
	}
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "storespec", fmt.Sprintf("node-sdk-%.6x", sha256.Sum256(lock)))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), "installing-*")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	for _, name := range []string{"package.json", "package-lock.json"} {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(work, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	npm := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = work
	if output, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, output)
	}
	// An installation appears at once: one that was interrupted is never taken for complete.
	if err := os.Rename(work, dir); err != nil {
		if _, there := os.Stat(modules); there != nil {
			t.Fatal(err)
		}
	}
	return modules
}

// emulate builds and starts storespec-emulate and returns its connection string. It is ended with
// the test, and must end well.
func emulate(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "storespec-emulate")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", program,
		"../../../../cmd/storespec-emulate").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	var complaints strings.Builder
	cmd := exec.Command(program, "--azure-blob", ":0", "--azure-table", ":0")
	cmd.Stderr = &complaints
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); err != nil || complaints.Len() > 0 {
			t.Errorf("storespec-emulate: %v\n%s", err, &complaints)
		}
	})
	connection := ""
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "DefaultEndpointsProtocol="):
			connection = line
		case line == "ready":
			return connection
		}
	}
	t.Fatal("storespec-emulate ended before it was ready")
	return ""
}
