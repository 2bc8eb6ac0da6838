package python

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/conformance/programs"
	"github.com/storespec/storespec/internal/wire"
)

// imports are what the tests need of the SDKs.
const imports = "import azure.data.tables, azure.identity, azure.storage.blob, sys; print(sys.executable)"

// interpreter returns the path of a Python that has the SDKs: Debian's, or else the first in PATH. In CI one must have
// them.
func interpreter(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if found, err := exec.CommandContext(t.Context(), python, "-c", imports).Output(); err == nil {
			return strings.TrimSpace(string(found))
		}
	}
	const missing = "no Python has Azure's SDKs: apt-get install python3-azure python3-azure-storage"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// TestDocumentedVersions holds what docs/run/emulators.md says to Debian 12, whose packages are never other ones.
func TestDocumentedVersions(t *testing.T) {
	python := interpreter(t)
	release, err := os.ReadFile("/etc/os-release")
	if err != nil || python != "/usr/bin/python3" || !strings.Contains(string(release), "VERSION_CODENAME=bookworm") {
		t.Skip("the versions in docs/run/emulators.md are those of Debian 12, and these packages are not from it")
	}
	document, err := os.ReadFile("../../../../docs/run/emulators.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"azure-data-tables", "azure-storage-blob", "azure-identity"} {
		version, err := exec.CommandContext(t.Context(), python, "-c",
			"import importlib.metadata as m; print(m.version('"+name+"'), end='')").Output()
		if err != nil || !strings.Contains(string(document), name+" "+string(version)) {
			t.Errorf("docs/run/emulators.md does not have %s %s, %v", name, version, err)
		}
	}
}

// mixed has tests for each scheme, and skips those of the other one.
const mixed = "test_tokens.py"

// ran is unittest's summary of a run in which no test failed: how many tests there are, and how many were skipped.
var ran = regexp.MustCompile(`\nRan ([0-9]+) tests? in .*\n\nOK(?: \(skipped=([0-9]+)\))?\n$`)

// passed returns how many tests of a run passed and were skipped, by what unittest wrote; none if one failed.
func passed(output []byte) (passed, skipped int) {
	counts := ran.FindSubmatch(output)
	if counts == nil {
		return 0, 0
	}
	all, _ := strconv.Atoi(string(counts[1]))    // digits
	skipped, _ = strconv.Atoi(string(counts[2])) // digits, or nothing was skipped
	return all - skipped, skipped
}

// TestPythonSDKs runs each test_*.py against storespec-emulate, the program as users start it.
func TestPythonSDKs(t *testing.T) {
	python := interpreter(t)
	scripts, err := filepath.Glob("test_*.py")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			var flags []string
			var warning string
			environment := append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
			if scheme == "https" {
				trusted, certificate, key := certificates(t)
				flags = []string{"--oauth", "--tls-cert", certificate, "--tls-key", key}
				warning = "the signatures of bearer tokens are not checked"
				environment = append(environment, "REQUESTS_CA_BUNDLE="+trusted)
			}
			environment = append(environment, "STORAGE="+programs.Connection(t, warning, flags...))
			for _, script := range scripts {
				t.Run(script, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
					defer cancel()
					cmd := exec.CommandContext(ctx, python, "-m", "unittest", strings.TrimSuffix(script, ".py"))
					cmd.Env = environment
					output, err := cmd.CombinedOutput()
					if passed, skipped := passed(output); err != nil || passed == 0 || skipped > 0 && script != mixed {
						t.Errorf("%d passed, %d skipped, %v\n%s", passed, skipped, err, output)
					}
				})
			}
		})
	}
}

// certificates writes a certificate for 127.0.0.1 with its key, and the authority that a client must trust, to files.
func certificates(t *testing.T) (trusted, certificate, key string) {
	t.Helper()
	authority, err := wire.NewAuthority(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	server := authority.Server().Certificates[0]
	private, err := x509.MarshalPKCS8PrivateKey(server.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("authority.pem", authority.Certificate()),
		write("cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate[0]})),
		write("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
}
