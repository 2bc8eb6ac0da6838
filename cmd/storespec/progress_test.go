package main

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/mutant"
	"github.com/storespec/storespec/internal/verify"
)

// Each line takes the place of the one before, is cut where the terminal ends, and leaves the terminal as it was.
func TestProgressIsOneLine(t *testing.T) {
	var shown strings.Builder
	line := &progressLine{w: &shown, system: "notes"}
	line.show(verify.Progress{Rules: 2, Done: 1, Total: 3, Passed: 1})
	line.showMutants(mutant.Progress{Done: 1, Total: 2, Killed: 1})
	line.clear()
	const want = "\r\x1b[K\x1b[?7lnotes: 0 of 2 rules done; 1 of 3 scenarios: 1 passed, 0 failed\x1b[?7h" +
		"\r\x1b[K\x1b[?7lnotes: 1 of 2 mutants: 1 killed, 0 not\x1b[?7h\r\x1b[K"
	if shown.String() != want {
		t.Errorf("got  %q\nwant %q", shown.String(), want)
	}
}
