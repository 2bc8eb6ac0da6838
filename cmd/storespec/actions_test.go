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
	"time"

	"github.com/storespec/storespec/fixtures/actions"
	"github.com/storespec/storespec/internal/host/terminal"
	"github.com/storespec/storespec/reference/actions/bulk"
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
	told := func() string { text, _ := os.ReadFile(log.Name()); return string(text) }
	eventually(t, "the answers to ten requests", func() bool { return len(s.slow) == 0 && s.count() > 900 })
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the interruption", func() bool { return strings.Contains(told(), "stopping") })
	for range 2 { // what is under way is still answered
		s.slow <- struct{}{}
	}
	if got := ends(t, cmd); got != statusInterrupted {
		t.Errorf("exit status %d, not %d:\n%s", got, statusInterrupted, told())
	}
	before := s.count()
	if !strings.Contains(stdout.String(), fmt.Sprintf("%d records: %d created", before, before)) ||
		!strings.Contains(told(), "run the same command again to resume") {
		t.Errorf("with %d records in, it printed:\n%s%s", before, &stdout, told())
	}
	close(s.slow)
	again, out, stderr := start(t, "storespec", "actions", "load", input, "--url", url)
	if got := ends(t, again); got != statusHolds {
		t.Errorf("exit status %d, not %d:\n%s", got, statusHolds, stderr)
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
	if got := ends(t, cmd); got != statusHolds {
		t.Errorf("exit status %d, not %d:\n%s", got, statusHolds, stderr)
	}
	if s.count() != 3_000 || !strings.Contains(stdout.String(), "3000 records: ") ||
		!strings.Contains(stderr.String(), "resuming after line ") {
		t.Errorf("with %d records in, it printed:\n%s%s", s.count(), stdout, stderr)
	}
}

// A line that no server takes is in no file, and nobody is sent to look for it there.
func TestALineThatIsTooLongIsNotSaidToBeKept(t *testing.T) {
	input, _, url := loadable(t, 0, 1)
	text := named("a") + "\n" + named(strings.Repeat("x", 11<<20)) + "\n[]\n"
	if err := os.WriteFile(input, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, stdout, stderr := start(t, "storespec", "actions", "load", input, "--url", url)
	if got := ends(t, cmd); got != statusBroken {
		t.Errorf("exit status %d, not %d:\n%s%s", got, statusBroken, stdout, stderr)
	}
	if want := "2 lines were not loaded: 1 are in " + input +
		".failed, 1 were too long to keep\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("it printed:\n%s", stderr)
	}
}

func TestProgressText(t *testing.T) {
	at := func(seconds int, records, done, size int64) bulk.Snapshot {
		return bulk.Snapshot{Counts: bulk.Counts{Created: records}, Done: done, Size: size,
			Elapsed: time.Duration(seconds) * time.Second}
	}
	failed := at(4, 10, 500, 0)
	failed.Failed, failed.Bad = 2, 1
	for _, test := range []struct {
		name    string
		then, s bulk.Snapshot
		want    string
	}{
		{"half", at(0, 0, 0, 1000), at(5, 2000, 500, 1000),
			"[==========          ] 50% 2000 records, 400 a second, 5s left"},
		{"slower now", at(5, 2000, 500, 1000), at(15, 2100, 600, 1000),
			"[============        ] 60% 2100 records, 10 a second, 40s left"},
		{"the beginning", at(0, 0, 0, 1000), at(0, 0, 0, 1000), "[                    ] 0% 0 records, 0 a second"},
		{"the end", at(0, 0, 0, 1000), at(2, 9, 1000, 1000),
			"[====================] 100% 9 records, 4 a second, 0s left"},
		{"a file that grew", at(0, 0, 0, 1000), at(2, 9, 1100, 1000),
			"[====================] 100% 9 records, 4 a second, 0s left"},
		{"a stream", at(0, 0, 0, 0), failed, "12 records, 3 a second, 3 failed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := progressText(test.then, test.s); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestManyProblemsAreSummedUp(t *testing.T) {
	var out strings.Builder
	l := &loadTeller{w: &out, watched: true, input: "in"}
	l.progress(bulk.Snapshot{Size: 10})
	for i := range 25 {
		l.problem(bulk.Problem{Line: int64(i + 1), Reason: "owner is missing"})
	}
	l.end()
	if text := out.String(); strings.Count(text, "owner is missing") != shownProblems ||
		!strings.HasSuffix(text, "\nin:20: owner is missing\n… and 5 lines more\n") ||
		!strings.Contains(text, terminal.EraseLine+"in:1:") {
		t.Errorf("it printed %q", text)
	}
}
