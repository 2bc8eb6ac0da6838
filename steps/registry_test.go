package steps

import (
	"regexp"
	"strings"
	"testing"
)

// TestExamplesMatchTheirStepOnly keeps the vocabulary free of steps that overlap, and the examples
// true.
func TestExamplesMatchTheirStepOnly(t *testing.T) {
	all := All()
	for _, step := range all {
		text, _, _ := strings.Cut(step.Example, "\n")
		_, text, ok := strings.Cut(text, " ")
		if !ok {
			t.Errorf("example %q does not start with a keyword", step.Example)
			continue
		}
		var matching []string
		for _, other := range all {
			if regexp.MustCompile(`^` + other.Pattern + `$`).MatchString(text) {
				matching = append(matching, other.Pattern)
			}
		}
		if len(matching) != 1 || matching[0] != step.Pattern {
			t.Errorf("example %q matches %q, not just %q", step.Example, matching, step.Pattern)
		}
	}
}
