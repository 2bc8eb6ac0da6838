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
	file := filepath.Join(t.TempDir(), "made")
	if err := Setup(t.Context(), `test -n "$NAME" && echo "$NAME" > "$FILE"`, map[string]string{"NAME": "value", "FILE": file}); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "value\n" {
		t.Errorf("it wrote %q, %v", content, err)
	}
}

func TestSetupThatFails(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx          context.Context
		line, reason string
		output       string
	}{
		"with a status":   {t.Context(), "echo no such table; exit 7", "exit status 7", "no such table"},
		"without an end":  {ended, "sleep 60", "did not end: context canceled", ""},
		"without a shell": {t.Context(), "no-such-migration", "exit status 127", "no-such-migration"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Setup(c.ctx, c.line, nil)
			failed, ok := errors.AsType[*SetupError](err)
			if !ok || failed.Reason != c.reason || !strings.Contains(failed.Output, c.output) || !strings.HasPrefix(err.Error()+"\n", "the command of --setup failed: "+c.reason+"\n") {
				t.Errorf("error %v, want one of %q that does not repeat %q", err, c.reason, c.line)
			}
		})
	}
}
