//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/host/terminal"
)

// limit bounds every wait of these tests; it is reached only when something is broken.
const limit = 60 * time.Second

// start runs a command of TestMain.
func start(t *testing.T, argv ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, limit
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, &stdout, &stderr
}

// ends waits for the end and gives the exit status, -1 for the end by a signal.
func ends(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode()
	case <-time.After(limit):
		t.Fatal("it did not end")
		return 0
	}
}

// eventually waits until the condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !holds(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come to be", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// server waits for the process id a scripted server has written.
func server(t *testing.T, file string) int {
	t.Helper()
	eventually(t, "the server", func() bool { _, err := os.Stat(file); return err == nil })
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(content))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func TestInterruptedRunTellsWhatIsKnownAndLeavesNothing(t *testing.T) {
	// Under nohup SIGHUP is ignored, and so it would be by what is started here. One that is caught is not handed on.
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangup) })
	for _, test := range []struct {
		name, behavior string
		signal         syscall.Signal
		times          int  // timeout of coreutils sends its signal to the process and to its group
		known          bool // there is a result to report
		failure        string
	}{
		{"while a scenario waits for its answer", "hang", syscall.SIGINT, 1, true, ""},
		{"twice at once", "hang", syscall.SIGTERM, 2, true, ""},
		{"when the terminal closes", "hang", syscall.SIGHUP, 1, true, ""},
		{"while the server starts", "deaf", syscall.SIGTERM, 1, false, "interrupted before anything was judged"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "server")
			t.Setenv("TMPDIR", t.TempDir())
			cmd, stdout, stderr := start(t, "storespec", "verify", "familyscheduler", "--json", "--parallel", "1",
				"--rule", "FS-ID-1", "--", "scripted-server", test.behavior, file)
			child := server(t, file)
			for range test.times {
				if err := cmd.Process.Signal(test.signal); err != nil {
					t.Fatal(err)
				}
			}
			if got := ends(t, cmd); got != command.StatusInterrupted {
				t.Errorf("exit status %d, not %d:\n%s", got, command.StatusInterrupted, stderr)
			}
			if err := syscall.Kill(child, 0); !errors.Is(err, syscall.ESRCH) {
				t.Errorf("the server is still there: %v", err)
			}
			if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
				t.Errorf("it left %v behind, %v", left, err)
			}
			var document struct {
				Systems []struct {
					Interrupted bool
					Error       string
				}
			}
			if err := json.Unmarshal(stdout.Bytes(), &document); err != nil || len(document.Systems) != 1 ||
				document.Systems[0].Interrupted != test.known {
				t.Errorf("the document does not say that the run was interrupted, %v:\n%s", err, stdout)
			} else if got := document.Systems[0].Error; got != test.failure {
				t.Errorf("the document has a failure: %q, not %q", got, test.failure)
			}
			if !strings.Contains(stderr.String(), "interrupted") {
				t.Errorf("the report does not say that the run was interrupted:\n%s", stderr)
			}
		})
	}
}

// On a terminal the line of progress makes way for what is said of the interruption.
func TestInterruptionIsToldOnALineOfItsOwn(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil || exec.Command(script, "--version").Run() != nil {
		if runtime.GOOS == "linux" && os.Getenv("CI") == "true" {
			t.Fatal("script of util-linux is not in PATH: every Linux has it")
		}
		t.Skip("needs script (util-linux), which is not in PATH")
	}
	directory := t.TempDir()
	file, pid := filepath.Join(directory, "server"), filepath.Join(directory, "pid")
	t.Setenv("TERM", "xterm")
	cmd, stdout, _ := start(t, script, "-qec", "echo -n $$ > "+pid+
		"; exec storespec verify familyscheduler --parallel 1 --rule FS-ID-1 -- scripted-server hang "+file,
		"/dev/null")
	server(t, file)
	if err := syscall.Kill(server(t, pid), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, cmd); got != command.StatusInterrupted {
		t.Errorf("exit status %d, not %d:\n%s", got, command.StatusInterrupted, stdout)
	}
	if want := terminal.EraseLine + "storespec: stopping; interrupt again to stop at once"; !strings.Contains(
		stdout.String(), want) {
		t.Errorf("it shows %q, without %q", stdout, want)
	}
}

func TestInterruptedMutantsLeaveNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	cmd, stdout, stderr := start(t, "storespec", "mutants", "familyscheduler", "--json", "--dir",
		filepath.Join("..", ".."), "--patches", t.TempDir())
	eventually(t, "the directory of the mutants", func() bool {
		found, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "storespec-mutants-*"))
		return err == nil && len(found) == 1
	})
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, cmd); got != command.StatusInterrupted {
		t.Errorf("exit status %d, not %d:\n%s", got, command.StatusInterrupted, stderr)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("it left %v behind, %v", left, err)
	}
	var document struct{ Systems []struct{ Interrupted bool } }
	if err := json.Unmarshal(stdout.Bytes(), &document); err != nil || len(document.Systems) != 1 ||
		!document.Systems[0].Interrupted {
		t.Errorf("the document does not say that the run was interrupted, %v:\n%s", err, stdout)
	}
}

func TestServeUntilInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	cmd := exec.Command("storespec", "serve", "familyscheduler")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	shown := map[string]string{}
	for lines := bufio.NewScanner(out); len(shown) < 4 && lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		shown[name] = strings.TrimSpace(value)
	}
	if !strings.Contains(shown["account"], "TableEndpoint=http://127.0.0.1:") ||
		!strings.HasPrefix(shown["store"], "embedded ") {
		t.Errorf("it printed %v", shown)
	}
	answer, err := http.Get(shown["server"] + "/api/health")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("health answered %d", answer.StatusCode)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, cmd); got != command.StatusHolds {
		t.Errorf("exit status %d, not %d", got, command.StatusHolds)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("it left %v behind, %v", left, err)
	}
}

func TestEmulateUntilInterrupted(t *testing.T) {
	cmd := exec.Command("storespec", "emulate", "--azure-blob", ":0", "--azure-table", ":0", "--data",
		filepath.Join(t.TempDir(), "data"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var said []string
	for lines := bufio.NewScanner(out); len(said) == 0 || said[len(said)-1] != "ready"; {
		if !lines.Scan() {
			t.Fatalf("it ended before it was ready: %q", said)
		}
		said = append(said, lines.Text())
	}
	_, endpoint, _ := strings.Cut(strings.Join(said, "\n"), "TableEndpoint=")
	endpoint, _, _ = strings.Cut(endpoint, ";")
	answer, err := http.Get(endpoint + "/Tables")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.Header.Get("X-Ms-Error-Code") != "AuthenticationFailed" || answer.StatusCode != http.StatusForbidden {
		t.Errorf("a request without signature was answered %d %s", answer.StatusCode,
			answer.Header.Get("X-Ms-Error-Code"))
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got := ends(t, cmd); got != command.StatusHolds {
		t.Errorf("exit status %d, not %d", got, command.StatusHolds)
	}
}
