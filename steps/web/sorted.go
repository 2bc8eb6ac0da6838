package web

import (
	"context"
	"fmt"
	"regexp"

	"github.com/storespec/storespec/internal/scenario"
)

// answerIsSorted holds for a list of at least two objects, each with a text under name that is greater, byte by byte,
// than that of the one before; or less.
func answerIsSorted(descends bool) any {
	order := map[bool]string{false: "ascending", true: "descending"}[descends]
	return func(_ context.Context, e *scenario.RoundTrip, path, name string) error {
		list, _ := e.JSON(path).([]any)
		if len(list) < 2 {
			return fmt.Errorf("the answer to %s has no list %q of two or more items to be in order", e, path)
		}
		before := ""
		for i, item := range list {
			object, _ := item.(map[string]any)
			text, ok := object[name].(string)
			if !ok {
				return fmt.Errorf("item %d of %q of the answer to %s has no text %q", i+1, path, e, name)
			}
			if i > 0 && (text == before || text < before != descends) {
				return fmt.Errorf("%q of the answer to %s is not in %s order: item %d has %s %q, and the one before %q",
					path, e, order, i+1, name, text, before)
			}
			before = text
		}
		return nil
	}
}

func answerMatches(_ context.Context, e *scenario.RoundTrip, path, pattern string) error {
	matcher, err := regexp.Compile(pattern)
	if err != nil {
		return scenario.Misused("%q is not a regular expression: %v", pattern, err)
	}
	if text, ok := e.JSON(path).(string); !ok || !matcher.MatchString(text) {
		return fmt.Errorf("%q of the answer to %s is %v, which does not match %q", path, e, e.JSON(path), pattern)
	}
	return nil
}
