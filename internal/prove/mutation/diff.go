package mutation

import (
	"fmt"
	"slices"
	"strings"
)

// Diff returns what the mutant changes, as a unified diff with one line of context.
func (m *Mutant) Diff() string {
	file := m.unit.file
	before := strings.SplitAfter(string(file.content), "\n")
	whole := &unit{file: file, from: file.tree.FileStart, to: file.tree.FileEnd}
	after := strings.SplitAfter(whole.edited(m.edits), "\n")
	start := 0
	for start < min(len(before), len(after)) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < min(len(before), len(after))-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	start, end = max(0, start-1), max(0, end-1) // the context
	removed, added := before[start:len(before)-end], after[start:len(after)-end]
	var diff strings.Builder
	fmt.Fprintf(&diff, "--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n", file.name, file.name, start+1, len(removed),
		start+1, len(added))
	if len(removed) < 2 || len(added) < 2 {
		return diff.String() + prefixed("-", removed) + prefixed("+", added)
	}
	last := len(removed) - 1
	return diff.String() + prefixed(" ", removed[:1]) + prefixed("-", removed[1:last]) +
		prefixed("+", added[1:len(added)-1]) + prefixed(" ", removed[last:])
}

func prefixed(prefix string, lines []string) string {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i] = prefix + lines[i]
	}
	return strings.Join(lines, "")
}
