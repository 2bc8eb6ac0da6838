package main

import (
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/host/command"
	"github.com/storespec/storespec/internal/prove/mutant"
)

// Each line takes the place of the one before.
func TestProgressIsOneLine(t *testing.T) {
	var shown strings.Builder
	line := &command.Line{W: &shown}
	showMutants(line, "notes")(mutant.Progress{Done: 1, Total: 2, Killed: 1})
	line.Clear()
	const want = "\r\x1b[Knotes: 1 of 2 mutants: 1 killed, 0 not\r\x1b[K"
	if shown.String() != want {
		t.Errorf("got  %q\nwant %q", shown.String(), want)
	}
}
