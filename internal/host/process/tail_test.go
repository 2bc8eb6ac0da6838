package process

import (
	"io"
	"strings"
	"testing"
)

func TestTailGivesWhatWasWrittenSince(t *testing.T) {
	var tail Tail
	io.WriteString(&tail, "one")
	text, mark := tail.Since(0)
	if text != "one" {
		t.Errorf("since the start: %q", text)
	}
	if text, _ := tail.Since(mark); text != "" {
		t.Errorf("nothing was written, but %q is there", text)
	}
	io.WriteString(&tail, "two")
	if text, mark = tail.Since(mark); text != "two" {
		t.Errorf("since the first mark: %q", text)
	}
	long := strings.Repeat("x", 2*tailBytes) + "end"
	io.WriteString(&tail, long)
	if text, _ = tail.Since(mark); len(text) != tailBytes || !strings.HasSuffix(text, "end") {
		t.Errorf("of more than is kept, %d bytes are left", len(text))
	}
	if shown := tail.String(); len(shown) != len("[…]")+shownBytes || !strings.HasPrefix(shown, "[…]") ||
		!strings.HasSuffix(shown, "end") {
		t.Errorf("of more than is shown, %d bytes are left", len(shown))
	}
}
