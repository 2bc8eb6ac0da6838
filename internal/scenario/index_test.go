package scenario

import (
	"slices"
	"testing"
)

func TestPatternsDemandWholeWords(t *testing.T) {
	for pattern, want := range map[string][]string{
		`the answer is (\d+)`:              {"the", "answer", "is"},
		`(\w+) is signed in`:               {"is", "signed", "in"},
		`(\w+)'s row is kept`:              {"row", "is", "kept"},
		`rows? of (\w+)s are kept`:         {"of", "are", "kept"},
		`nobody asks( again)?`:             {"nobody"},
		`the store (?:is|was) down`:        {"the", "store", "down"},
		`one thing|another`:                nil,
		`(?i:the case) is not looked at`:   {"is", "not", "looked", "at"},
		`the "([^"]*)" of an answer (.*)`:  {"the", "of", "an", "answer"},
		`no storage call was made`:         {"no", "storage", "call", "was", "made"},
		`(`:                                nil,
		`the calls of (\w+)\.(\w+) are -1`: {"the", "calls", "of", "are", "-1"},
	} {
		if got := demands(pattern); !slices.Equal(got, want) {
			t.Errorf("%s demands %q, not %q", pattern, got, want)
		}
	}
}
