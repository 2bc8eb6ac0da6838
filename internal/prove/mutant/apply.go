package mutant

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// apply returns source with the change applied. A patch survives edits above it: each hunk is applied at the one place
// where its old lines (context and deletions) are now, whatever its header says.
func apply(source []byte, change *gitdiff.File) ([]byte, error) {
	lines := strings.SplitAfter(string(source), "\n")
	moved := &gitdiff.File{}
	for i, hunk := range change.TextFragments {
		places := placesOf(lines, hunk)
		if len(places) != 1 {
			return nil, fmt.Errorf("hunk %d of %s (%s): %s", i+1, change.NewName, strings.TrimSpace(hunk.Header()),
				misplaced(places))
		}
		there := *hunk
		there.OldPosition = int64(places[0])
		moved.TextFragments = append(moved.TextFragments, &there)
	}
	var changed bytes.Buffer
	if err := gitdiff.Apply(&changed, bytes.NewReader(source), moved); err != nil {
		return nil, fmt.Errorf("%s: %w", change.NewName, err)
	}
	return changed.Bytes(), nil
}

// placesOf returns the line numbers, from 1, where the old lines of hunk occur.
func placesOf(lines []string, hunk *gitdiff.TextFragment) []int {
	var old []string
	for _, line := range hunk.Lines {
		if line.Old() {
			old = append(old, line.Line)
		}
	}
	var places []int
	for i := 0; i+len(old) <= len(lines) && len(old) > 0; i++ {
		if slices.Equal(lines[i:i+len(old)], old) {
			places = append(places, i+1)
		}
	}
	return places
}

func misplaced(places []int) string {
	if len(places) == 0 {
		return "its old lines are nowhere in the file"
	}
	return fmt.Sprintf("its old lines are in several places, at lines %s: give it more context",
		strings.Trim(strings.ReplaceAll(fmt.Sprint(places), " ", ", "), "[]"))
}
