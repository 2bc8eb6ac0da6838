package conformance

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the lists of differences in docs/emulators.md")

// documentation is where users read about the differences.
const documentation = "../../../docs/emulators.md"

// TestDocumentation keeps the lists in docs/emulators.md what the suite has shown. Each stands between
// two marks; what is around them is written by hand.
func TestDocumentation(t *testing.T) {
	data, err := os.ReadFile(documentation)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, part := range []struct {
		name string
		list []Difference
	}{
		{"tables", TableDifferences()},
		{"blobs", BlobDifferences()},
	} {
		begin, end := "<!-- "+part.name+" -->\n", "<!-- end of "+part.name+" -->\n"
		before, rest, found := strings.Cut(text, begin)
		old, after, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("%s has no marks %q and %q", documentation, begin, end)
		}
		table := markdown(part.list)
		if old != table && !*update {
			t.Errorf("the list of %s is not that of the suite: go test ./internal/emulator/conformance -run TestDocumentation -update", part.name)
		}
		text = before + begin + table + end + after
	}
	if *update {
		if err := os.WriteFile(documentation, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// markdown is a list of differences as a table.
func markdown(list []Difference) string {
	var b strings.Builder
	b.WriteString("\n| case | Azure, and this emulator | Azurite 3.35.0 | source |\n|---|---|---|---|\n")
	cell := strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_").Replace
	for _, d := range list {
		source := d.Source
		if strings.HasPrefix(source, "https://") {
			name := source[strings.LastIndexByte(source, '/')+1:]
			source = "[" + name + "](" + source + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(d.Case), cell(d.Azure), cell(d.Azurite), source)
	}
	b.WriteString("\n")
	return b.String()
}
