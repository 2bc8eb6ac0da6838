package node

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/conformance/programs"
)

// TestJavaScriptSDKs runs sdk.test.cjs against storespec-emulate, the program as users start it.
func TestJavaScriptSDKs(t *testing.T) {
	modules := programs.Install(t, "node-sdk")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "--test", "--test-reporter", "tap", "sdk.test.cjs")
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules, "STORAGE="+programs.Connection(t, ""))
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if !strings.Contains(string(output), "\n# fail 0\n") || strings.Contains(string(output), "\n# pass 0\n") {
		t.Errorf("Node did not report success:\n%s", output)
	}
}

// TestDocumentedVersions holds what docs/run/emulators.md says to package.json.
func TestDocumentedVersions(t *testing.T) {
	document, err := os.ReadFile("../../../../docs/run/emulators.md")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Dependencies map[string]string }
	content, err := os.ReadFile("package.json")
	if err == nil {
		err = json.Unmarshal(content, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"@azure/data-tables", "@azure/storage-blob"} {
		version := manifest.Dependencies[name]
		if version == "" || !strings.Contains(string(document), name+" "+version) {
			t.Errorf("docs/run/emulators.md does not have %s %q", name, version)
		}
	}
}
