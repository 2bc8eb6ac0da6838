package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/host/command"
)

func alternatives() string { return filepath.Join("..", "..", "fixtures", "alternatives") }

// needNode skips a test, or fails it on CI, if a server in Node cannot be started.
func needNode(t *testing.T, server string) {
	t.Helper()
	_, err := os.Stat(filepath.Join(alternatives(), server, "node_modules"))
	if _, noNode := exec.LookPath("node"); noNode != nil || err != nil {
		needs := "it needs Node, and npm ci in fixtures/alternatives/" + server
		if os.Getenv("CI") == "true" {
			t.Fatal(needs)
		}
		t.Skip(needs)
	}
}

// A server whose names are all its own is fitted by a mapping alone: rules hold and walks find nothing with it, and
// rules break without it, or if one field is mapped wrongly. .ci/run verifies it whole.
func TestARenamedServerIsFittedByAMapping(t *testing.T) {
	server := filepath.Join(alternatives(), "node-renamed-familyscheduler")
	needNode(t, "node-familyscheduler")
	right := read(t, filepath.Join(server, "map.yaml"))
	write := func(name, text string) string { return written(t, name, text) }
	replaced := func(from, to string) string {
		if !strings.Contains(right, from) {
			t.Fatalf("the mapping has no %q", from)
		}
		return write("map.yaml", strings.Replace(right, from, to, 1))
	}
	verify := []string{"verify", "familyscheduler", "--tls", "--stateless", "--faults", "none", "--parallel", "1",
		"--rule", "FS-GRP-1"}
	probe := []string{"probe", "familyscheduler", "--tls"}
	draft := filepath.Join(t.TempDir(), "draft.yaml")
	_, less := between(right, "\n  groupName: ", "\n")
	_, bare := between(right, "\n# An error says", "\nheaders:")
	strangers := filepath.Join(t.TempDir(), "strangers.yaml")
	_, sessionless := between(right, "\ncodes:", "\nheaders:")
	sessionless, _, _ = strings.Cut(sessionless, "\nsession:")
	for name, test := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"with the mapping": {append(verify, "--map", write("map.yaml", right)), command.StatusHolds,
			"all selected rules hold"},
		"with a field mapped wrongly": {append(verify, "--map", replaced("groupName: title", "groupName: name")),
			command.StatusBroken, "FS-GRP-1 failed"},
		"with a code mapped wrongly": {append(verify[:len(verify)-1:len(verify)-1], "FS-GATE-1", "--map",
			replaced("NOT_A_MEMBER: not_allowed",
				"NOT_A_MEMBER: forbidden")), command.StatusBroken, "FS-GATE-1 failed"},
		"in walks": {[]string{"explore", "familyscheduler", "--tls", "--steps", "300", "--parallel", "1", "--map",
			write("map.yaml", right)}, command.StatusHolds, ""},
		"probed with the mapping": {append(probe, "--map", write("map.yaml", right)), command.StatusHolds,
			"all fit (29 routes); 1 missing by the mapping"},
		"probed with less of it": {append(probe, "--map", write("map.yaml", less)), command.StatusBroken,
			"POST /api/group/delete"},
		"probed without errors": {append(probe, "--map", write("map.yaml", bare)), command.StatusBroken,
			"error is problem.code; message is problem.text"},
		"probed without the mapping": {append(probe, "--ready", "/healthz", "--write-map", draft), command.StatusBroken,
			"1 of 30 routes fit; 29 missing"},
		"probed without sessions": {append(probe, "--map", write("map.yaml", sessionless), "--write-map", strangers),
			command.StatusBroken, "every request with a session is answered 401"},
		// Each request gets a 404, so no storage call is made.
		"without the mapping": {append(verify, "--ready", "/healthz"), command.StatusUnusable,
			"the server does not seem to have the routes of the contract"},
	} {
		t.Run(name, func(t *testing.T) {
			args := slices.Concat(test.args, []string{"--", "node", filepath.Join(server, "server.mjs")})
			status, said := runPlain(t, "storespec", args...)
			if status != test.status || !strings.Contains(said, test.want) {
				t.Errorf("status %d, not %d:\n%s", status, test.status, said)
			}
		})
	}
	status, said := runPlain(t, "storespec", "check", "familyscheduler", "--map", draft)
	if status != 0 {
		t.Errorf("the mapping that probe has written: %s", said)
	}
	guessesNoSession(t, read(t, strangers))
}

// written writes a file into a directory of its own, and returns its path.
func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// guessesNoSession checks the mapping that probe has drafted for a server that knew none of its sessions.
func guessesNoSession(t *testing.T, draft string) {
	t.Helper()
	for line := range strings.Lines(draft) {
		if text := strings.Trim(line, "# \n"); strings.HasPrefix(text, "NO_SESSION:") &&
			!strings.HasPrefix(text, "NO_SESSION: unauthorized") || strings.HasPrefix(text, "401:") {
			t.Errorf("guessed from an answer to a session that the server does not know: %s", line)
		}
	}
	if !strings.Contains(draft, "NO_SESSION: unauthorized") {
		t.Error("the answer to a caller without a session is not in the draft")
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// between returns a text from one word up to the next occurrence of another, and the rest of it.
func between(text, from, to string) (found, rest string) {
	begin := strings.Index(text, from)
	length := strings.Index(text[begin+1:], to) + 1
	return text[begin : begin+length], text[:begin] + text[begin+length:]
}
