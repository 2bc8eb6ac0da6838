//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/storespec/storespec/internal/host/command"
)

// unread is an output without a reader, as behind head once that has ended.
func unread(t *testing.T) *os.File {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	t.Cleanup(func() { write.Close() })
	return write
}

func TestReaderThatHasSeenEnough(t *testing.T) {
	directory := t.TempDir()
	kept := filepath.Join(directory, "run.ndjson")
	var all []string // what verify writes
	for _, name := range []string{"failed.json", "junit.xml", "report.html", "run.json", "run.ndjson", "summary.md"} {
		all = append(all, filepath.Join(directory, name))
	}
	t.Run("of verify's text", func(t *testing.T) {
		cmd := exec.Command("storespec", "verify", "familyscheduler", "--rule", "FS-GRP-1", "--report", directory)
		cmd.Stdout = unread(t)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if got := ends(t, cmd); got != command.StatusGone {
			t.Errorf("exit status %d, not %d", got, command.StatusGone)
		}
		if got, err := filepath.Glob(filepath.Join(directory, "*")); err != nil || !slices.Equal(got, all) {
			t.Errorf("there is %v", got)
		}
	})
	t.Run("of a report", func(t *testing.T) {
		var stderr bytes.Buffer
		cmd := exec.Command("storespec", "report", kept, "--json", "--html",
			filepath.Join(directory, "new", "report.html"))
		cmd.Stdout, cmd.Stderr = unread(t), &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if got := ends(t, cmd); got != command.StatusGone || stderr.Len() > 0 {
			t.Errorf("exit status %d, not %d; it said %q", got, command.StatusGone, &stderr)
		}
		if got, err := filepath.Glob(filepath.Join(directory, "*")); err != nil || !slices.Equal(got, all) {
			t.Errorf("there is %v", got)
		}
	})
	t.Run("of a trace, whose command and what that has started end", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "program")
		cmd := exec.Command("storespec", "trace", "--json", "--", "sh", "-c",
			`storage-program hang "$0" & while [ ! -e "$0" ]; do sleep 0.01; done; storage-program fill; wait`, file)
		cmd.Stdout = unread(t)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		child := server(t, file)
		if got := ends(t, cmd); got != command.StatusGone {
			t.Errorf("exit status %d, not %d", got, command.StatusGone)
		}
		t.Cleanup(func() { _ = syscall.Kill(child, syscall.SIGKILL) })
		eventually(t, "the end of what the command has started",
			func() bool { return errors.Is(syscall.Kill(child, 0), syscall.ESRCH) })
	})
}
