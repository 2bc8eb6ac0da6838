package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/host/atomicfile"
	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// What a run found is on the disk, even if no report can be made of it.
func TestTheStreamIsKeptIfItCannotBeReadAgain(t *testing.T) {
	a := &app{Env: command.Env{Stdout: io.Discard, Stderr: io.Discard, LookupEnv: os.LookupEnv}}
	path := filepath.Join(t.TempDir(), streamName)
	kept, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Abandon()
	rule := verify.RuleResult{Rule: verify.Rule{ID: "N-A-1"}, Outcome: "an unknown outcome"}
	runs := []events.Run{{System: "notes", Result: &verify.Result{Rules: []verify.RuleResult{rule}}}}
	if err := (verifyOptions{app: a}).writeReports(kept, nil, nil, runs); err == nil {
		t.Error("it was read again; the test needs a stream that cannot be")
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "N-A-1") {
		t.Errorf("the stream is %q, error %v", text, err)
	}
}
