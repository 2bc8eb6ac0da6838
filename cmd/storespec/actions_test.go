//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/storespec/storespec/fixtures/actions"
	"github.com/storespec/storespec/internal/host/command"
)

// loadable is a file of records and a server that answers some requests and then waits.
func loadable(t *testing.T, records, answers int) (input string, s *actionsServer, url string) {
	t.Helper()
	var text bytes.Buffer
	if err := actions.Write(&text, 1, records); err != nil {
		t.Fatal(err)
	}
	input = filepath.Join(t.TempDir(), "in.ndjson")
	if err := os.WriteFile(input, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s = &actionsServer{slow: make(chan struct{}, 10_000)}
	for range answers {
		s.slow <- struct{}{}
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return input, s, server.URL
}

func TestInterruptedLoadGoesOn(t *testing.T) {
	input, s, url := loadable(t, 3_000, 10)
	log, err := os.Create(filepath.Join(t.TempDir(), "stderr")) // which can be read while it is written
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var stdout bytes.Buffer
	cmd := exec.Command("storespec", "actions", "load", input, "--url", url, "--parallel", "2")
	cmd.Stdout, cmd.Stderr = &stdout, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	logged := func() string { text, _ := os.ReadFile(log.Name()); return string(text) }
	eventually(t, "the answers to ten requests", func() bool { return len(s.slow) == 0 && s.count() > 900 })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the interruption", func() bool { return strings.Contains(logged(), "stopping") })
	for range 2 { // what is under way is still answered
		s.slow <- struct{}{}
	}
	if got := ends(t, cmd); got != command.StatusInterrupted {
		t.Errorf("exit status %d, not %d:\n%s", got, command.StatusInterrupted, logged())
	}
	before := s.count()
	if !strings.Contains(stdout.String(), fmt.Sprintf("%d records: %d created", before, before)) ||
		!strings.Contains(logged(), "run the same command again to resume") {
		t.Errorf("with %d records in, it printed:\n%s%s", before, &stdout, logged())
	}
	close(s.slow)
	again, out, stderr := start(t, "storespec", "actions", "load", input, "--url", url)
	if got := ends(t, again); got != command.StatusHolds {
		t.Errorf("exit status %d, not %d:\n%s", got, command.StatusHolds, stderr)
	}
	if !strings.Contains(out.String(),
		fmt.Sprintf("3000 records: 3000 created, 0 updated, 0 unchanged, 0 failed; %d by earlier runs", before)) {
		t.Errorf("it printed:\n%s%s", out, stderr)
	}
	for id, times := range s.sent {
		if times != 1 {
			t.Fatalf("%s was sent %d times", id, times)
		}
	}
}

// TestLoadAfterACrash ends the process as a power failure does: no handler runs.
func TestLoadAfterACrash(t *testing.T) {
	input, s, url := loadable(t, 3_000, 10)
	cmd, _, _ := start(t, "storespec", "actions", "load", input, "--url", url, "--parallel", "2")
	eventually(t, "a state file that says how far it came", func() bool {
		state, err := os.ReadFile(input + ".state")
		return err == nil && regexp.MustCompile(`"line":[1-9]`).Match(state) && s.count() > 900
	})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ends(t, cmd)
	close(s.slow)
	cmd, stdout, stderr := start(t, "storespec", "actions", "load", input, "--url", url)
	if got := ends(t, cmd); got != command.StatusHolds {
		t.Errorf("exit status %d, not %d:\n%s", got, command.StatusHolds, stderr)
	}
	if s.count() != 3_000 || !strings.Contains(stdout.String(), "3000 records: ") ||
		!strings.Contains(stderr.String(), "resuming after line ") {
		t.Errorf("with %d records in, it printed:\n%s%s", s.count(), stdout, stderr)
	}
}

// A line that no server takes is in no file, and no message points there.
func TestALineThatIsTooLongIsNotSaidToBeKept(t *testing.T) {
	input, _, url := loadable(t, 0, 1)
	text := named("a") + "\n" + named(strings.Repeat("x", 11<<20)) + "\n[]\n"
	if err := os.WriteFile(input, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := start(t, "storespec", "actions", "load", input, "--url", url)
	if got := ends(t, cmd); got != command.StatusBroken {
		t.Errorf("exit status %d, not %d:\n%s%s", got, command.StatusBroken, stdout, stderr)
	}
	if want := "2 lines were not loaded: 1 are in " + input +
		".failed, 1 were too long to keep\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("it printed:\n%s", stderr)
	}
}
