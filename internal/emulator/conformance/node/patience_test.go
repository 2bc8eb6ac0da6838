package node

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/conformance/programs"
)

// TestBackoffOfAnSDKIsAWait runs faults on a server whose SDK waits between its attempts: that alone breaks no rule,
// and is counted. Where the server itself waits, the rule is broken.
func TestBackoffOfAnSDKIsAWait(t *testing.T) {
	modules := programs.Install(t, "node-sdk")
	storespec := filepath.Join(t.TempDir(), "storespec")
	if output, err := exec.CommandContext(t.Context(), "go", "build", "-o", storespec,
		"../../../../cmd/storespec").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	for _, test := range []struct {
		name, sleep string
		status      int
		said        []string
	}{
		// Each call is tried undisturbed, and under three faults, once and for all attempts: of those the SDK tries
		// again after a 503 and a 500.
		{"the SDK alone", "0", 0, []string{
			`(?m)^7 faults, 2 answered late only by an SDK's back-off; [0-9]+ s of this run were an SDK's back-off$`}},
		{"the server itself", "2500", 1, []string{`4 of 7 faults broke it`,
			`not within 2s, even without the [0-9]s between its attempts at the call`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, storespec, "verify", "--features", "testdata/patience", "--parallel", "1",
				"--budget-time", "2s", "--env", "SLEEP="+test.sleep, "--", "node", "patience.cjs")
			cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
			output, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) || cmd.ProcessState.ExitCode() != test.status {
				t.Fatalf("%v, want status %d\n%s", err, test.status, output)
			}
			for _, said := range test.said {
				if !regexp.MustCompile(said).Match(output) {
					t.Errorf("it does not say %s:\n%s", said, output)
				}
			}
			if strings.Contains(string(output), "AccountKey") {
				t.Errorf("a key is shown:\n%s", output)
			}
		})
	}
}
