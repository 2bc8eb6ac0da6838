package node

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/emulator/conformance/programs"
)

// TestJavaScriptSDKOfDynamoDB runs dynamodb.test.cjs against storespec-emulate, with the variables that it prints.
func TestJavaScriptSDKOfDynamoDB(t *testing.T) {
	modules := programs.Install(t, "node-sdk")
	said := programs.Emulate(t, "--dynamodb", ":0")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "--test", "--test-reporter", "tap", "dynamodb.test.cjs")
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	for word := range strings.FieldsSeq(said) {
		if strings.HasPrefix(word, "AWS_") {
			cmd.Env = append(cmd.Env, word)
		}
	}
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if !strings.Contains(string(output), "\n# fail 0\n") || strings.Contains(string(output), "\n# pass 0\n") {
		t.Errorf("Node did not report success:\n%s", output)
	}
}
