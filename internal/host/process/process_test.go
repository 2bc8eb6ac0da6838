//go:build unix

package process

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestStopEndsTheWholeGroup(t *testing.T) {
	// The shell ignores the request to end and has a child of its own.
	p, err := Start([]string{"sh", "-c", `trap '' TERM; sleep 300 & echo started; wait; wait`}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(p.Output(), "started") })
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // no Grace
	if err := p.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return syscall.Kill(-p.command.Process.Pid, 0) == syscall.ESRCH })
	if err := p.Stop(context.Background()); err != nil {
		t.Errorf("second Stop: %v", err)
	}
}

// A child that ends when it is asked to has not ignored it; whether one does is known after the grace period.
// A shell that was asked to end is gone at once; the server that it started has the rest of the grace period.
func TestAServerBehindAWrapperHasItsGrace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ended")
	p, err := Start([]string{"sh", "-c", `sh -c 'trap "sleep 0.3; echo in order >\"$1\"; exit" TERM
		echo started; while :; do sleep 0.02; done' server "$0" & wait`, file}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return strings.Contains(p.Output(), "started") })
	if err := p.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "in order\n" {
		t.Errorf("the server was killed before it could end: %q, %v", text, err)
	}
}

func TestIgnoredIsReported(t *testing.T) {
	for script, want := range map[string]bool{`echo started; sleep 300`: false,
		`trap '' TERM; echo started; while :; do sleep 300; done`: true} {
		reported := false
		p, err := Start([]string{"sh", "-c", script},
			Options{Ignored: func(after time.Duration) { reported = after == Grace }})
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() bool { return strings.Contains(p.Output(), "started") })
		if err := p.Stop(t.Context()); err != nil || reported != want {
			t.Errorf("%s: reported %t, not %t; %v", script, reported, want, err)
		}
	}
}

func TestExitTellsStatusAndOutput(t *testing.T) {
	p, err := Start([]string{"sh", "-c", `echo "to out $NAME"; echo to err >&2; exit 7`},
		Options{Env: Environ(map[string]string{"NAME": "a value"})})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Exit(); got != "exit status 7" {
		t.Errorf("Exit() = %q, want exit status 7", got)
	}
	for _, want := range []string{"to out a value", "to err"} {
		if !strings.Contains(p.Output(), want) {
			t.Errorf("output %q lacks %q", p.Output(), want)
		}
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var kept Tail
	for range 3 {
		if _, err := kept.Write([]byte(strings.Repeat("x", tailBytes-10))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := kept.Write([]byte("the end")); err != nil {
		t.Fatal(err)
	}
	got := kept.String()
	if !strings.HasSuffix(got, "the end") || !strings.HasPrefix(got, "[…]") || len(got) != shownBytes+len("[…]") {
		t.Errorf("kept %d bytes, ending in %q", len(got), got[len(got)-10:])
	}
}

func TestStartNamesTheCommand(t *testing.T) {
	if _, err := Start([]string{"no-such-command-here"}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "no-such-command-here") {
		t.Errorf("error %v does not name the command", err)
	}
	if _, err := Start(nil, Options{}); err == nil {
		t.Error("an empty command was accepted")
	}
}

func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); {
		if time.Now().After(deadline) {
			t.Fatal("the condition did not come to hold within 10 s")
		}
		time.Sleep(time.Millisecond)
	}
}

func TestStatusIsThatOfAShell(t *testing.T) {
	for script, want := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -TERM $$": 128 + int(syscall.SIGTERM)} {
		p, err := Start([]string{"sh", "-c", script}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Status(); got != want {
			t.Errorf("%s: status %d, want %d", script, got, want)
		}
	}
}

func TestStreamsAreHandedOn(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if _, err := write.WriteString("said\n"); err != nil {
		t.Fatal(err)
	}
	write.Close()
	var stdout, stderr strings.Builder
	p, err := Start([]string{"sh", "-c", "cat; echo oops >&2"}, Options{Stdin: read, Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	if status := p.Status(); status != 0 || stdout.String() != "said\n" || stderr.String() != "oops\n" ||
		p.Output() != "" {
		t.Errorf("status %d, stdout %q, stderr %q, kept %q", status, &stdout, &stderr, p.Output())
	}
}
