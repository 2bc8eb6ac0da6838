// Package programs starts what conformance tests need besides the emulator's packages: storespec-emulate as users start
// it, and programs from npm, at the versions of a lock file. It is imported by tests only.
package programs

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Install puts the packages of package-lock.json, in the test's folder, into the user's cache, once for each lock file,
// and returns their directory. Without Node the test is skipped, but not in CI.
func Install(t *testing.T, name string) (modules string) {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not in PATH, and CI must run these tests", program)
		}
		t.Skipf("%s is not in PATH", program)
	}
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "storespec", fmt.Sprintf("%s-%.6x", name, sha256.Sum256(lock)))
	modules = filepath.Join(dir, "node_modules")
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
	defer func() { _ = os.RemoveAll(work) }()
	for _, file := range []string{"package.json", "package-lock.json"} {
		content, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(work, file), content, 0o644)
		}
		if err != nil {
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

// Connection starts storespec-emulate with Azure's services and some more flags, like EmulateWarning, and returns the
// connection string that it says.
func Connection(t *testing.T, warning string, flags ...string) string {
	t.Helper()
	flags = append(flags, "--azure-blob", ":0", "--azure-table", ":0")
	for line := range strings.Lines(EmulateWarning(t, warning, flags...)) {
		if strings.HasPrefix(line, "DefaultEndpointsProtocol=") {
			return strings.TrimSpace(line)
		}
	}
	t.Fatal("storespec-emulate says no connection string")
	return ""
}

// Emulate builds and starts storespec-emulate with some flags, and returns what it says before it is ready. It is ended
// with the test, and must end well, without a word on standard error.
func Emulate(t *testing.T, flags ...string) (said string) {
	t.Helper()
	return EmulateWarning(t, "", flags...)
}

// EmulateWarning is Emulate for flags of which storespec-emulate warns: standard error must be one line that contains
// the warning.
func EmulateWarning(t *testing.T, warning string, flags ...string) (said string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "storespec-emulate")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", program,
		"github.com/storespec/storespec/cmd/storespec-emulate").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	var complaints strings.Builder
	cmd := exec.Command(program, flags...)
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
		err, lines := cmd.Wait(), strings.Count(complaints.String(), "\n")
		if err != nil || lines != min(len(warning), 1) || !strings.Contains(complaints.String(), warning) {
			t.Errorf("storespec-emulate: %v\n%s", err, &complaints)
		}
	})
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if lines.Text() == "ready" {
			return said
		}
		said += lines.Text() + "\n"
	}
	t.Fatal("storespec-emulate ended before it was ready")
	return ""
}
