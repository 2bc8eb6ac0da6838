package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes the folder "notes" with a description, and gives the folder.
func write(t *testing.T, description string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "notes")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, File), []byte(description), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

const whole = `ready: /healthz
needs-store: /notes
environment:
  STORAGE: "{connection}"
  LISTEN: 127.0.0.1:{port}
person-headers: {X-User: "{userKey}"}
error-code: code
container: pictures
shared-tables: [Counts]
tags: ["@slow", fast]
capabilities: {search: finding notes by a word, full-text: likewise}
`

func TestRead(t *testing.T) {
	s, err := Read(write(t, whole))
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "notes" || s.Ready != "/healthz" || s.NeedsStore != "/notes" || s.ErrorCode != "code" || s.Container != "pictures" {
		t.Errorf("read %+v", s)
	}
	if len(s.Env) != 2 || s.Env[0].Name != "STORAGE" || !s.Env[1].Uses("port") || len(s.People) != 1 || s.People[0].Name != "X-User" {
		t.Errorf("environment %v, headers %v", s.Env, s.People)
	}
	if strings.Join(s.Shared, " ") != "Counts" || strings.Join(s.Tags, " ") != "slow fast needs-search needs-full-text" || s.Contract != nil {
		t.Errorf("shared %v, tags %v", s.Shared, s.Tags)
	}
	if len(s.Capabilities) != 2 || s.Capabilities[0].Name != "search" || s.Capabilities[0].Description != "finding notes by a word" {
		t.Errorf("capabilities %v", s.Capabilities)
	}
}

func TestWhatIsNotUnderstood(t *testing.T) {
	for _, test := range []struct{ name, description, want string }{
		{"nothing", "", "system.yaml: it is empty; it must say ready, needs-store and environment"},
		{"no YAML", "ready: [", "system.yaml:1: did not find expected node content"},
		{"a list", "- ready", "system.yaml:1: the description must be a mapping with ready, "},
		{"an unknown key", "ready: /\nreday: /x\n", `system.yaml:2: the description has an unknown key "reday"; it knows ready, `},
		{"a key twice", "ready: /\nready: /x\n", `system.yaml:2: the description has the key "ready" twice`},
		{"no readiness", "needs-store: /notes\n", "system.yaml:1: it does not say ready: the path that answers 200"},
		{"no path", "ready: healthz\n", "system.yaml:1: ready must be the path that answers 200"},
		{"no route of the store", "ready: /healthz\n", "system.yaml:1: it does not say needs-store: a path that"},
		{"no environment", "ready: /a\nneeds-store: /b\n", "system.yaml:1: it does not say environment: "},
		{"an environment without the store", "ready: /a\nneeds-store: /b\nenvironment:\n  A: b\n", "system.yaml:4: no variable of environment tells the server where its store is"},
		{"a brace without quotes", "ready: /a\nneeds-store: /b\nenvironment:\n  A: {tables}\n", `system.yaml:4: environment: A must be a text; one that begins with a brace needs quotes`},
		{"a variable without a name", "ready: /a\nneeds-store: /b\nenvironment:\n  '': '{tables}'\n", `system.yaml:4: environment: "" is no name of a variable`},
		{"a variable with an equals sign", "ready: /a\nneeds-store: /b\nenvironment:\n  A=B: '{tables}'\n", `system.yaml:4: environment: "A=B" is no name of a variable`},
		{"an unknown placeholder", "ready: /a\nneeds-store: /b\nenvironment:\n  A: '{table}'\n", "system.yaml:4: environment: A: {table} is not known; known: {account}, "},
		{"an unknown placeholder of a person", strings.Replace(whole, "userKey", "id", 1), "system.yaml:6: person-headers: X-User: {id} is not known; known: {email}, {name}, {userKey}"},
		{"no header", strings.Replace(whole, "X-User", "X User", 1), `system.yaml:6: person-headers: "X User" is no name of a header`},
		{"no container", strings.Replace(whole, "pictures", "Pictures", 1), "system.yaml:8: container must be the name of a blob container"},
		{"no list", strings.Replace(whole, "[Counts]", "Counts", 1), "system.yaml:9: shared-tables must be a list of names"},
		{"no capabilities", strings.Replace(whole, "{search: finding notes by a word, full-text: likewise}", "[search]", 1), "system.yaml:11: capabilities must be a mapping from names to what each is"},
		{"a capability twice", strings.Replace(whole, "full-text", "search", 1), `system.yaml:11: capabilities has the key "search" twice`},
		{"no name of a capability", strings.Replace(whole, "full-text", "full text", 1), `system.yaml:11: capabilities: "full text" is no name`},
		{"a capability without a description", strings.Replace(whole, "full-text: likewise", "full-text: ", 1), "system.yaml:11: capabilities: full-text must be a text that says what it is"},
		{"a contract that is not there", whole + "contract: api.yaml\n", "system.yaml:12: contract: "},
		{"a contract that is none", whole + "contract: system.yaml\n", "system.yaml:12: contract: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(write(t, test.description))
			if err == nil {
				t.Fatal("it was understood")
			}
			got := err.Error()
			if at := strings.Index(got, "system.yaml"); !strings.HasPrefix(got[at:], test.want) || strings.Contains(got, "\n") {
				t.Errorf("got %q, want %q", got[at:], test.want)
			}
		})
	}
}
