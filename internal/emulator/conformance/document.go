package conformance

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Column is what one store lacks, under a heading with its name and version.
type Column struct {
	Heading string
	Lacks   map[*Capability]string
}

// Table returns what stores lack of a service as a Markdown table: a line for each case that one of them fails, in the
// order of the suite. The first heading is for the documented behavior.
func (s Suite[S]) Table(documented string, stores ...Column) string {
	var b strings.Builder
	b.WriteString("\n| case | " + documented)
	for _, store := range stores {
		b.WriteString(" | " + store.Heading)
	}
	b.WriteString(" | source |\n" + strings.Repeat("|---", len(stores)+3) + "|\n")
	for _, c := range s {
		var cells []string
		lacking := false
		for _, store := range stores {
			instead, lacks := store.Lacks[c.Needs]
			lacking = lacking || lacks
			cells = append(cells, instead)
		}
		if lacking {
			line(&b, append([]string{c.Name, c.Needs.Documented}, cells...), c.Needs.Source)
		}
	}
	b.WriteString("\n")
	return b.String()
}

// line appends a line of a table. A source that is an address becomes a link.
func line(b *strings.Builder, cells []string, source string) {
	if strings.HasPrefix(source, "https://") {
		source = "[" + source[strings.LastIndexByte(source, '/')+1:] + "](" + source + ")"
	}
	plain := strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_")
	for _, cell := range cells {
		fmt.Fprintf(b, "| %s ", plain.Replace(cell))
	}
	fmt.Fprintf(b, "| %s |\n", source)
}

// Document compares the tables in a Markdown file with the given ones, by name, and rewrites them if update is set. A
// table is between the marks "<!-- name -->" and "<!-- end of name -->"; the rest of the file is written by hand and
// not changed.
func Document(t *testing.T, file string, update bool, tables map[string]string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for name, table := range tables {
		old, updated, err := replace(text, name, table)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if old != table && !update {
			t.Errorf("the list of %s in %s is not that of the suite: run this test with -update", name, file)
		}
		text = updated
	}
	if !update {
		return
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// replace replaces the table between the marks of that name, and returns the old table and the new text.
func replace(text, name, table string) (old, updated string, err error) {
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(text, begin)
	old, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", "", fmt.Errorf("no marks %q and %q", begin, end)
	}
	return old, before + begin + table + end + after, nil
}
