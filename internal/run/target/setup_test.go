//go:build unix

package target

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSetupRunsThroughTheShell(t *testing.T) {
	directory := t.TempDir()
	if err := Setup(t.Context(), directory, `test -n "$NAME" && echo "$NAME" > made`,
		map[string]string{"NAME": "value"}); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(filepath.Join(directory, "made")); err != nil || string(content) != "value\n" {
		t.Errorf("it wrote %q, %v", content, err)
	}
}

func TestSetupThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		canceled     bool
		line, reason string
		output       string
	}{
		"with a status":   {false, "echo no such table; exit 7", "exit status 7", "no such table"},
		"without an end":  {true, "sleep 60", "did not end: context canceled", ""},
		"without a shell": {false, "no-such-migration", "exit status 127", "no-such-migration"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.canceled {
				cancel()
			}
			err := Setup(ctx, "", c.line, nil)
			failed, ok := errors.AsType[*SetupError](err)
			if !ok || failed.Reason != c.reason || !strings.Contains(failed.Output, c.output) ||
				!strings.HasPrefix(err.Error()+"\n", "the command of --setup failed: "+c.reason+"\n") {
				t.Errorf("error %v, want one of %q that does not repeat %q", err, c.reason, c.line)
			}
		})
	}
}
