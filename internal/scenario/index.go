package scenario

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// index finds the steps whose patterns may match a text by a word that each of them demands, so that a text is held
// against a few patterns and not against all.
type index struct {
	byWord map[string][]known
	others []known // whose patterns demand no whole word
}

// newIndex files each step under the word of its pattern that the fewest others demand.
func newIndex(steps []known) index {
	demanded, words := map[string]int{}, make([][]string, len(steps))
	for i, step := range steps {
		words[i] = demands(step.Pattern)
		for _, word := range words[i] {
			demanded[word]++
		}
	}
	made := index{byWord: map[string][]known{}}
	for i, step := range steps {
		if len(words[i]) == 0 {
			made.others = append(made.others, step)
			continue
		}
		rarest := slices.MinFunc(words[i], func(a, b string) int { return demanded[a] - demanded[b] })
		made.byWord[rarest] = append(made.byWord[rarest], step)
	}
	return made
}

// matching returns the steps whose patterns match a text.
func (x index) matching(text string) (matching []known) {
	words := strings.Split(text, " ")
	slices.Sort(words)
	candidates := slices.Clone(x.others)
	for _, word := range slices.Compact(words) {
		candidates = append(candidates, x.byWord[word]...)
	}
	return slices.DeleteFunc(candidates, func(k known) bool { return !k.pattern.MatchString(text) })
}

// demands returns the words that are in every text that a pattern matches as a whole, between spaces or at an end.
func demands(pattern string) (words []string) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	parts := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		parts = parsed.Sub
	}
	for i, part := range parts {
		if part.Op != syntax.OpLiteral || part.Flags&syntax.FoldCase != 0 {
			continue
		}
		whole := strings.Split(string(part.Rune), " ")
		if i > 0 { // the first may continue what is before it
			whole = whole[1:]
		}
		if i < len(parts)-1 && len(whole) > 0 {
			whole = whole[:len(whole)-1]
		}
		words = append(words, whole...)
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}
