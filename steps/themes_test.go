package steps

import (
	"regexp"
	"strings"
	"testing"

	"github.com/storespec/storespec/internal/scenario"
)

// TestExamplesMatchTheirStepOnly keeps the vocabulary free of steps that overlap, and the examples
// true.
func TestExamplesMatchTheirStepOnly(t *testing.T) {
	all := everyStep()
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

// TestEveryMethodCanBeSent holds each step that sends a request to taking any method, and only what is a path.
func TestEveryMethodCanBeSent(t *testing.T) {
	method := regexp.MustCompile(`\b(GET|POST) /`)
	for _, step := range everyStep() {
		text, _, _ := strings.Cut(step.Example, "\n")
		_, text, _ = strings.Cut(text, " ")
		if !method.MatchString(text) || strings.Contains(step.Pattern, "sends GET ") { // what a cache answers is a GET
			continue
		}
		pattern := regexp.MustCompile(`^` + step.Pattern + `$`)
		for _, other := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if sent := method.ReplaceAllString(text, other+" /"); !pattern.MatchString(sent) {
				t.Errorf("%q is not read", sent)
			}
		}
		if sent := method.ReplaceAllString(text, "$1 "); pattern.MatchString(sent) {
			t.Errorf("%q is read, though it names no path", sent)
		}
	}
}

func everyStep() (all []scenario.Step) {
	for _, theme := range Themes() {
		all = append(all, theme.Steps...)
	}
	return all
}
