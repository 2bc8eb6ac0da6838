//go:build unix

package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/run/mapping"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/verify"
)

// sh runs a line with a shell in which a program of that name prints its arguments, and returns them.
func sh(t *testing.T, program, line string) []string {
	t.Helper()
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, program), []byte("#!/bin/sh\nprintf '%s\\0' \"$@\"\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = directory
	cmd.Env = append(os.Environ(), "PATH="+directory+":"+os.Getenv("PATH"), "SERVER=http://here",
		"SESSION_OF_ANA=s1 $x", "EMAIL_OF_ANA=ana@example.com", "OWNED=`touch owned`")
	told, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, told)
	}
	if left, err := os.ReadDir(directory); err != nil || len(left) > 1 {
		t.Errorf("%s has made %v, %v", line, left, err)
	}
	return strings.Split(strings.TrimSuffix(string(told), "\x00"), "\x00")
}

// What a shell makes of the line is the request that was sent, whatever stands in it.
// sentAgain is a request of a run, and what curl is called with to send it again.
type sentAgain struct {
	name    string
	run     events.Run
	request scenario.Exchange
	want    []string
}

func sentAgains() []sentAgain {
	started, url := events.Run{Asked: events.Asked{Started: "command"}},
		events.Run{Asked: events.Asked{Started: "url"}, Result: &verify.Result{Target: "http://localhost:7071"}}
	return []sentAgain{
		{"plain", started, scenario.Exchange{Method: "GET", Path: "/api/x"},
			[]string{"-i", "-X", "GET", "http://here/api/x"}},
		{"a query", started, scenario.Exchange{Method: "GET", Path: "/api/x", Query: "?a=b&c=%7Bd%7D"},
			[]string{"-i", "-X", "GET", "http://here/api/x?a=b&c=%7Bd%7D"}},
		{"a query with something confidential", started,
			scenario.Exchange{Person: "Ana", Method: "GET", Path: "/api/x", Query: "?a=b&email={email}&c=d"},
			[]string{"-i", "-X", "GET", "http://here/api/x?a=b&email=ana@example.com&c=d"}},
		{"a header", started,
			scenario.Exchange{Method: "POST", Path: "/x", Set: []string{"Idempotency-Key: it's $OWNED"}},
			[]string{"-i", "-X", "POST", "http://here/x", "-H", "Idempotency-Key: it's $OWNED"}},
		{"a letter many times", started, scenario.Exchange{Method: "POST", Path: "/x", Body: `{"text":"{200×a}b"}`},
			[]string{"-i", "-X", "POST", "http://here/x", "-d", `{"text":"` + strings.Repeat("a", 200) + `b"}`}},
		{"a body with something confidential", started,
			scenario.Exchange{Person: "Ana", Method: "POST", Path: "/x", Body: `{"a":{"email":"{email}"}}`},
			[]string{"-i", "-X", "POST", "http://here/x", "-d", `{"a":{"email":"ana@example.com"}}`}},
		{"what shells read", started,
			scenario.Exchange{Method: "GET", Path: "/$(touch owned)/`touch owned`/$OWNED/\"'\\;touch owned;#!*~"},
			[]string{"-i", "-X", "GET", "http://here/$(touch owned)/`touch owned`/$OWNED/\"'\\;touch owned;#!*~"}},
		{"what curl reads", started, scenario.Exchange{Method: "GET", Path: "/a/[1-9]/{b,c}"},
			[]string{"-i", "-g", "-X", "GET", "http://here/a/[1-9]/{b,c}"}},
		{"by address", url, scenario.Exchange{Method: "GET", Path: "/a$b", Query: "?c"},
			[]string{"-i", "-X", "GET", "http://localhost:7071/a$b?c"}},
		{"a body", started, scenario.Exchange{Method: "POST", Path: "/x", Type: "application/json",
			Body: `{"text":"it's $(touch owned) \"here\""}`},
			[]string{"-i", "-X", "POST", "http://here/x", "-H", "Content-Type: application/json", "-d",
				`{"text":"it's $(touch owned) \"here\""}`}},
		{"a session", started,
			scenario.Exchange{Person: "Ana", Method: "GET", Path: "/x", Caller: []string{"x-session-id: {session}"}},
			[]string{"-i", "-X", "GET", "http://here/x", "-H", "x-session-id: s1 $x"}},
		{"a cookie", started,
			scenario.Exchange{Person: "Ana", Method: "GET", Path: "/x", Caller: []string{"Cookie: id={session}"}},
			[]string{"-i", "-X", "GET", "http://here/x", "-H", "Cookie: id=s1 $x"}},
		{"headers of a design of one's own", started, scenario.Exchange{Person: "Ana", Method: "GET", Path: "/x",
			Caller: []string{"X-User: a'b$(touch owned)", `X-Claims: {"mail":"{email}"}`}},
			[]string{"-i", "-X", "GET", "http://here/x", "-H", "X-User: a'b$(touch owned)", "-H",
				`X-Claims: {"mail":"ana@example.com"}`}},
		{"a request as the server takes it", started, scenario.Exchange{Person: "Ana", Method: "PUT", Path: "/a",
			Query: "?b=c", Type: "application/json", Body: `{"google_email":"{email}"}`,
			Caller: []string{"x-session-id: {session}"}, Own: &mapping.Shown{Method: "POST", Path: "/v1/a/b",
				Body: `{"mail":"{email}"}`, Header: []string{"Authorization: Bearer {session}",
					"Content-Type: application/json"}}},
			[]string{"-i", "-X", "POST", "http://here/v1/a/b", "-H", "Authorization: Bearer s1 $x", "-H",
				"Content-Type: application/json", "-d", `{"mail":"ana@example.com"}`}},
		{"a person of a stream that somebody has changed", started,
			scenario.Exchange{Person: `A"$(touch owned)`, Method: "GET;touch owned", Path: "/x",
				Caller: []string{"a: {session}"}},
			[]string{"-i", "-X", "GET;touch owned", "http://here/x", "-H", "a: "}},
	}
}

func TestCurlSendsTheSameRequest(t *testing.T) {
	for _, test := range sentAgains() {
		t.Run(test.name, func(t *testing.T) {
			line := NewRun(test.run, Options{}).curl(test.request, "")
			if diff := cmp.Diff(test.want, sh(t, "curl", line)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", line, diff)
			}
		})
	}
}

func TestReplayCommandIsThatOfTheRun(t *testing.T) {
	run := events.Run{System: "notes",
		Asked: events.Asked{Flags: []string{"--features", "my $rules", "--tags", "~@slow"},
			Command: []string{"node", "it's", "`touch owned`", ""}}}
	line := NewRun(run, Options{}).replayCommand(cases.BrokenCase{Replay: "dG9rZW4"})
	want := []string{"verify", "notes", "--replay", "dG9rZW4", "--features", "my $rules", "--tags", "~@slow", "--",
		"node", "it's", "`touch owned`", ""}
	if diff := cmp.Diff(want, sh(t, "storespec", line)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", line, diff)
	}
}
