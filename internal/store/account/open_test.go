package account

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/fixtures"
	"github.com/storespec/storespec/internal/store"
)

func TestOpenUnknownName(t *testing.T) {
	_, err := store.Open(t.Context(), kinds(), store.Options{Name: "azurit"})
	var unknown *store.UnknownNameError
	if !errors.As(err, &unknown) || unknown.Name != "azurit" || len(unknown.Known) != 4 ||
		unknown.Known[0] != "embedded" {
		t.Errorf("error %v", err)
	}
}

func TestOpenTooManyNamespaces(t *testing.T) {
	if _, err := store.Open(t.Context(), kinds(),
		store.Options{Name: "azurite", Lanes: 2, Cold: maxNamespaces}); err == nil ||
		errors.Is(err, store.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
}

// A store that cannot be used says what it tried and what to do about it.
func TestOpenUnavailable(t *testing.T) {
	nodeOnly := t.TempDir()
	writeScript(t, nodeOnly, "node", "exit 1")
	t.Run("no node", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		unavailable(t, store.Options{Name: "azurite"}, "node is not in PATH", "--store container")
	})
	t.Run("no npm", func(t *testing.T) {
		t.Setenv("PATH", nodeOnly)
		unavailable(t, store.Options{Name: "azurite", CacheDir: t.TempDir()}, "npm is not in PATH",
			"apt-get install nodejs npm")
	})
	t.Run("azurite does not start", func(t *testing.T) {
		bin, cache := t.TempDir(), t.TempDir()
		writeScript(t, bin, "node", `echo "what went wrong"; exit 3`)
		writeScript(t, bin, "npm", fakeInstall)
		t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
		unavailable(t, store.Options{Name: "azurite", CacheDir: cache}, "what went wrong", "exit status 3",
			azuriteEntry)
	})
	t.Run("no connection string", func(t *testing.T) {
		t.Setenv(Variable, "")
		unavailable(t, store.Options{Name: "account"}, Variable)
	})
	t.Run("bad connection string", func(t *testing.T) {
		t.Setenv(Variable, "AccountName=acct")
		unavailable(t, store.Options{Name: "account"}, "AccountKey")
	})
	t.Run("account not confirmed", func(t *testing.T) {
		t.Setenv(Variable, "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey="+testKey)
		unavailable(t, store.Options{Name: "account", Confirm: "acc"}, "--confirm acct")
	})
}

func unavailable(t *testing.T, opts store.Options, words ...string) {
	t.Helper()
	s, err := store.Open(t.Context(), kinds(), opts)
	if err == nil {
		closeStore(t, s)
	}
	if !errors.Is(err, store.ErrUnavailable) {
		t.Fatalf("error %v, want one that wraps ErrUnavailable", err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error lacks %q: %v", word, err)
		}
	}
	if strings.Contains(err.Error(), testKey) {
		t.Errorf("error shows a key: %v", err)
	}
}

// The container library remembers for the life of a process that it found no daemon, so this test
// runs in a process of its own.
func TestOpenWithoutDocker(t *testing.T) {
	const child = "STORESPEC_TEST_NO_DOCKER"
	if os.Getenv(child) == "1" {
		unavailable(t, store.Options{Name: "container"}, "docker does not answer", "DOCKER_HOST is unix://",
			"--store azurite", "--store embedded")
		return
	}
	const socket = "/var/run/docker.sock" // looked at last, whatever the environment says
	if conn, err := net.Dial("unix", socket); err == nil {
		_ = conn.Close()
		t.Skip("Docker answers at " + socket)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOpenWithoutDocker$", "-test.v")
	home := t.TempDir()
	cmd.Env = append(os.Environ(), child+"=1", "DOCKER_HOST=unix://"+filepath.Join(home, "none.sock"), "HOME="+home,
		"XDG_RUNTIME_DIR="+home)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "PASS: TestOpenWithoutDocker") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// A store whose process has ended says so, instead of leasing namespaces that do not answer.
func TestAzuriteEnds(t *testing.T) {
	needNode(t)
	s := openStore(t, store.Options{Name: "azurite"})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.(*store.Pool).Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lease(ctx); !errors.Is(err, store.ErrUnavailable) ||
		!strings.Contains(err.Error(), "Azurite ended at http://127.0.0.1:") {
		t.Errorf("lease: %v", err)
	}
}

func TestConnectionString(t *testing.T) {
	l := store.NewLease(namespace("lane1", "key=", "", nil, ""), func() {})
	for _, c := range []struct{ table, blob, want string }{
		{"http://127.0.0.1:1", "http://127.0.0.1:2/",
			"DefaultEndpointsProtocol=http;AccountName=lane1;AccountKey=key=;BlobEndpoint=http://127.0.0.1:2/lane1;" +
				"TableEndpoint=http://127.0.0.1:1/lane1;"},
		{"https://127.0.0.1:1", "",
			"DefaultEndpointsProtocol=https;AccountName=lane1;AccountKey=key=;" +
				"TableEndpoint=https://127.0.0.1:1/lane1;"},
	} {
		if got := connected(l, c.table, c.blob); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// One version of Azurite is written in three places.
func TestAzuriteVersion(t *testing.T) {
	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	data, err := fixtures.Azurite.ReadFile("azurite/package.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	if got := manifest.Dependencies["azurite"]; got != azuriteVersion {
		t.Errorf("package.json pins %s, want %s", got, azuriteVersion)
	}
	var lock struct {
		Packages map[string]struct{ Version, Resolved, Integrity string }
	}
	if data, err = fixtures.Azurite.ReadFile("azurite/package-lock.json"); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		t.Fatal(err)
	}
	if got := lock.Packages["node_modules/azurite"].Version; got != azuriteVersion {
		t.Errorf("package-lock.json pins %s, want %s", got, azuriteVersion)
	}
	for name, p := range lock.Packages {
		if name != "" && p.Integrity == "" {
			t.Errorf("%s is locked without a digest", name)
		}
		if p.Resolved != "" && !strings.HasPrefix(p.Resolved, "https://registry.npmjs.org/") {
			t.Errorf("%s is locked to %s", name, p.Resolved)
		}
	}
}
