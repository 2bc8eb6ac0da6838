//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/store/storetest"
)

func TestInterruptedTraceEndsItsCommandAndTellsWhatIsKnown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program")
	cmd, stdout, stderr := start(t, "storespec", "trace", "--", "storage-program", "fill", "read-each", "hang", file)
	child := server(t, file)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, cmd); got != command.StatusInterrupted {
		t.Errorf("exit status %d, not %d:\n%s", got, command.StatusInterrupted, stderr)
	}
	if err := syscall.Kill(child, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the command is still there: %v", err)
	}
	for _, want := range []string{"storespec trace: 8 storage calls", "n+1: table point read on Things"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, stderr)
		}
	}
	if stdout.Len() > 0 {
		t.Errorf("standard output: %s", stdout)
	}
}

// A user's account, on the embedded store and on the real Azurite: for a command, and for a program that
// is started with the connection string that --listen shows.
func TestTraceSomebodysAccount(t *testing.T) {
	for _, name := range []string{"embedded", "azurite"} {
		t.Run(name, func(t *testing.T) {
			if name == "azurite" && !canOpen(t, name) {
				t.Skip("no Azurite here")
			}
			account := storetest.LeaseOf(t, name)
			t.Run("command", func(t *testing.T) {
				t.Setenv("MINE", account.Direct()["connection"])
				cmd, _, stderr := start(t, "storespec", "trace", "--azure", account.Direct()["connection"], "--fail-on",
					"scan", "--",
					"storage-program", "from", "MINE", "fill", "read", "scan", "blob", "a")
				if got := ends(t, cmd); got != command.StatusBroken {
					t.Errorf("exit status %d, not %d", got, command.StatusBroken)
				}
				seen(t, stderr.String(), account.Direct()["key"])
			})
			t.Run("listen", func(t *testing.T) {
				listens(t, account)
			})
		})
	}
}

// seen checks that every call of a storage program was reported, and the key was not.
func seen(t *testing.T, report, key string) {
	t.Helper()
	for _, want := range []string{"table transaction on Things p: 202, 6 operations",
		"table partition query on Things p: 200, 6 found", "table scan on Things where Email",
		"blob read on state/a: 20", "scan: table scan on Things: 1 time"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, strings.ReplaceAll(report, key, "<key>"))
		}
	}
	if strings.Contains(report, key) {
		t.Error("the report holds the account's key")
	}
}

func listens(t *testing.T, account *store.Lease) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("storespec", "trace", "--azure", account.Direct()["connection"], "--listen", "--fail-on", "n+1")
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	shown := map[string]string{}
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "ready"; {
		name, value, _ := strings.Cut(lines.Text(), " ")
		shown[name] = strings.TrimSpace(value)
	}
	connection := shown["connection"]
	if connection == "" || strings.Contains(connection, account.Direct()["key"]) ||
		!strings.Contains(connection, "TableEndpoint="+
			shown["tables"]) || !strings.Contains(connection, "BlobEndpoint="+shown["blobs"]) {
		t.Fatalf("it printed %s", strings.ReplaceAll(connection, account.Direct()["key"], "<the account's key>"))
	}
	program := exec.Command("storage-program", "fill", "read", "scan", "blob", "a")
	program.Env = append(os.Environ(), "AZURE_STORAGE_CONNECTION_STRING="+connection)
	if output, err := program.CombinedOutput(); err != nil {
		t.Errorf("the program: %v\n%s", err, output)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, cmd); got != command.StatusHolds {
		t.Errorf("exit status %d, not %d", got, command.StatusHolds)
	}
	seen(t, stderr.String(), account.Direct()["key"])
}
