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
	long := strings.Repeat("x", tailBytes) + "end"
	io.WriteString(&tail, long)
	if text, _ = tail.Since(mark); len(text) != tailBytes || !strings.HasSuffix(text, "end") || !strings.HasPrefix(tail.String(), "[…]") {
		t.Errorf("of more than is kept, %d bytes are left", len(text))
	}
}
