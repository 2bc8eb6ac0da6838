//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/host/command"
)

// On a terminal deploy asks, and does nothing unless the answer is yes.
func TestDynamodbDeployAsksOnATerminal(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil || exec.Command(script, "--version").Run() != nil {
		if runtime.GOOS == "linux" && os.Getenv("CI") == "true" {
			t.Fatal("script of util-linux is not in PATH: every Linux has it")
		}
		t.Skip("needs script (util-linux), which is not in PATH")
	}
	h := newTableHost(t)
	for _, test := range []struct {
		flags, answer string
		status        int
		want          string
	}{
		{"", "\n", command.StatusBroken, "Create the table calendsync? [y/N] "},
		{"", "no\n", command.StatusBroken, "storespec: not confirmed; nothing was changed"},
		{"", "", command.StatusBroken, "storespec: not confirmed; nothing was changed"},
		{"", "\x03", command.StatusInterrupted, "storespec: interrupted: nothing was changed"},
		{"", "Y\n", command.StatusHolds, "the table calendsync is created"},
		{"", "", command.StatusHolds, "exists already"},
		{"--destroy", "n\n", command.StatusBroken, "Delete the table calendsync with 0 items? [y/N] "},
		{"--destroy", "yes\n", command.StatusHolds, "the table calendsync is deleted"},
	} {
		line := "exec storespec dynamodb deploy " + test.flags
		cmd := exec.CommandContext(t.Context(), script, "-qec", line, "/dev/null")
		cmd.Env = append(os.Environ(), "TERM=xterm")
		for name, value := range h.env {
			cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s", name, value))
		}
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out := &answerer{in: in, answer: test.answer}
		cmd.Stdout, cmd.Stderr = out, out
		_ = cmd.Run() // the status says it
		if got := cmd.ProcessState.ExitCode(); got != test.status || !strings.Contains(out.said.String(), test.want) {
			t.Errorf("%s answered %q: status %d, not %d, or without %q: %s", test.flags, test.answer, got, test.status,
				test.want, out.said.String())
		}
	}
}

// answerer sits at a terminal: it answers once it has read a question; without an answer it goes away.
type answerer struct {
	in     io.WriteCloser
	answer string
	said   bytes.Buffer
}

func (a *answerer) Write(p []byte) (int, error) {
	a.said.Write(p)
	if a.in != nil && bytes.Contains(a.said.Bytes(), []byte("[y/N] ")) {
		if _, _ = io.WriteString(a.in, a.answer); a.answer == "" {
			_ = a.in.Close()
		}
		a.in = nil
	}
	return len(p), nil
}
