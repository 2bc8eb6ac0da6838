//go:build unix

package byhand

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/verify"
)

// What curl gets is the request that was sent, whatever stands in it.
func TestTheRequestIsSentAsItWas(t *testing.T) {
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Add(pairs[i], pairs[i+1])
		}
		return h
	}
	for _, test := range []struct {
		name    string
		request scenario.Repeat
		want    []string
	}{
		{"a query with signs of a shell", scenario.Repeat{Method: "GET", Path: "/a?b=$HOME&c='`touch owned`'"},
			[]string{"-X", "GET", "http://here/a?b=$HOME&c='`touch owned`'"}},
		{"only the head", scenario.Repeat{Method: "HEAD", Path: "/"}, []string{"--head", "http://here/"}},
		{"a header without a value, and one twice", scenario.Repeat{Method: "GET", Path: "/",
			Header: header("X-None", "", "X-Two", "a", "X-Two", "$b")},
			[]string{"-X", "GET", "http://here/", "-H", "X-None;", "-H", "X-Two: a", "-H", "X-Two: $b"}},
		{"the server's own address", scenario.Repeat{Method: "GET", Path: "/",
			Header: header("Origin", scenario.ServerAddress)},
			[]string{"-X", "GET", "http://here/", "-H", "Origin: http://here"}},
		{"no body where one is usual", scenario.Repeat{Method: "POST", Path: "/"},
			[]string{"-X", "POST", "http://here/", "-H", "Content-Type:", "--data-raw", ""}},
		{"a body that looks like a file", scenario.Repeat{Method: "PUT", Path: "/", Body: "@it's\nhere",
			Header: header("Content-Type", "text/plain")},
			[]string{"-X", "PUT", "http://here/", "-H", "Content-Type: text/plain", "--data-raw", "@it's\nhere"}},
		{"a body that no word holds", scenario.Repeat{Method: "PUT", Path: "/", Body: "\x00",
			Header: header("Content-Type", "text/plain")},
			[]string{"-X", "PUT", "http://here/", "-H", "Content-Type: text/plain", "--data-binary",
				"@a place/it's.body"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			cmd := exec.Command("sh", "-c", `here="a place"; printf '%s\0' `+request("it's", &test.request))
			cmd.Env = append(os.Environ(), "SERVER=http://here")
			told, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(strings.TrimSuffix(string(told), "\x00"), "\x00")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Filled examples have one line, and files of their own, whichever of them fail.
func TestFilesOfFilledExamples(t *testing.T) {
	directory := t.TempDir()
	again := &scenario.Repeat{Method: "GET", Path: "/", Before: &store.Content{}}
	one := verify.RuleResult{Rule: verify.Rule{ID: "X-1", Scenarios: []verify.Scenario{
		{Name: "GET /a", Line: 7}, {Name: "GET /b", Line: 7}, {Name: "GET /c", Line: 7}, {Name: "other", Line: 9}}}}
	for _, s := range one.Scenarios[1:] {
		one.Results = append(one.Results, verify.ScenarioResult{Rule: "X-1", Name: s.Name, Line: s.Line,
			Outcome: verify.Failed, Repeat: again})
	}
	result := &verify.Result{Rules: []verify.RuleResult{one}}
	if err := (Server{Command: []string{"server"}}).Write(directory, result); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"X-1-7-2.sh", "X-1-7-3.sh", "X-1-9.sh"} {
		found := result.Rules[0].Results[i]
		text, err := os.ReadFile(found.Script)
		if err != nil || found.Script != filepath.Join(directory, want) || !strings.Contains(string(text), found.Name) {
			t.Errorf("%s has the script %s, not %s: %v\n%s", found.Name, found.Script, want, err, text)
		}
	}
}

// Only what can be sent again has files, and those of an earlier run are replaced.
func TestFilesAreReplaced(t *testing.T) {
	directory := t.TempDir()
	again := &scenario.Repeat{Method: "PUT", Path: "/", Body: strings.Repeat("ab", longestWord),
		Before: &store.Content{}}
	result := &verify.Result{Rules: []verify.RuleResult{{Results: []verify.ScenarioResult{
		{Rule: "X-1", Line: 7, Outcome: verify.Failed, Repeat: again},
		{Rule: "X-1", Line: 8, Outcome: verify.KnownFailing, Repeat: again},
		{Rule: "X-1", Line: 9, Outcome: verify.Failed},
	}}}}
	if err := os.WriteFile(filepath.Join(directory, "X-1-7.sh"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (Server{Command: []string{"server"}}).Write(directory, result); err != nil {
		t.Fatal(err)
	}
	var scripts []string
	for _, one := range result.Rules[0].Results {
		scripts = append(scripts, one.Script)
	}
	if diff := cmp.Diff([]string{filepath.Join(directory, "X-1-7.sh"), "", ""}, scripts); diff != "" {
		t.Errorf("scripts (-want +got):\n%s", diff)
	}
	found, err := os.ReadDir(directory)
	if err != nil || len(found) != 3 {
		t.Fatalf("%v, %v", found, err)
	}
	for _, file := range found {
		if info, err := file.Info(); err != nil || info.Mode() != 0o600 || info.Size() < 3 {
			t.Errorf("%s: %v, %v", file.Name(), info, err)
		}
	}
	if err := (Server{}).Write(filepath.Join(directory, "nowhere"), result); err == nil {
		t.Error("files were written into a directory that is not there")
	}
}
