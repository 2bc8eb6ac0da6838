package languageserver

import (
	"slices"
	"strings"
	"testing"
)

// A design that builds on a built-in one, in a folder of another name, is offered the steps that check accepts, and a
// step is explained in the design's words.
func TestStepsOfABase(t *testing.T) {
	e := open(t)
	e.write("textDocument/didOpen", "system.yaml", "base: familyscheduler\n")
	e.write("textDocument/didOpen", "stock.feature", feature)
	if labels := e.labels(10, 11); !slices.Contains(labels, "Ana is signed in") {
		t.Errorf("steps: %v", labels)
	}
	var hover shownHover
	e.call("textDocument/hover", e.at("stock.feature", 9, 20), &hover)
	if !strings.Contains(hover.Contents.Value, "```gherkin\nWhen Ana sends GET /stock\n```") {
		t.Errorf("a request is explained as %q", hover.Contents.Value)
	}
}
