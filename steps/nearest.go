package steps

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// A step is suggested when at most this share of its words had to change, and no more than so many are.
const (
	nearEnough  = 0.5
	suggestions = 3
)

// fits is what a word costs that a step would take as a value: it says less than a word that is the step's own.
const fits = 0.2

// unknown is the error for a text that no step reads, with the steps that read something like it.
func (v *Vocabulary) unknown(text string) error {
	message := fmt.Sprintf("no step reads %q", text)
	if near := v.nearest(text); len(near) > 0 {
		return fmt.Errorf("%s; did you mean\n  %s", message, strings.Join(near, "\n  "))
	}
	return fmt.Errorf("%s; storespec steps lists them all", message)
}

// nearest is the examples of the steps whose words are like those of a text, the likeliest first.
func (v *Vocabulary) nearest(text string) []string {
	type candidate struct {
		example string
		off     float64
	}
	words := split(text)
	var near []candidate
	for _, step := range v.steps {
		known := step.words()
		off := distance(words, known, misspelt) / float64(max(len(words), len(known)))
		if off <= nearEnough {
			near = append(near, candidate{step.text(), off})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.off, b.off) })
	var examples []string
	for _, c := range near[:min(len(near), suggestions)] {
		examples = append(examples, c.example)
	}
	return examples
}

// text is the step of the example, without its keyword and without what stands below it.
func (k known) text() string {
	line, _, _ := strings.Cut(k.Example, "\n")
	_, text, _ := strings.Cut(line, " ")
	return text
}

// word is one of a step's: a text, or what a value must be like that stands there.
type word struct {
	text  string
	value *regexp.Regexp
}

// parts finds what is one thing in a step: a quoted text, a JSON object, a word.
var parts = regexp.MustCompile(`"[^"]*"|\{".*\}|\S+`)

func split(text string) []string { return parts.FindAllString(text, -1) }

// words are those of the example; one that a group of the pattern takes may be any that the group takes.
func (k known) words() []word {
	text := k.text()
	spans := k.pattern.FindStringSubmatchIndex(text)
	values := groups(k.Pattern)
	var list []word
	for _, at := range parts.FindAllStringIndex(text, -1) {
		found := word{text: text[at[0]:at[1]]}
		for i, value := range values {
			start, end := spans[2*i+2], spans[2*i+3]
			if at[0] <= start && end <= at[1] && start < end {
				found.value = regexp.MustCompile(`^` + regexp.QuoteMeta(text[at[0]:start]) + `(?:` + value + `)` + regexp.QuoteMeta(text[end:at[1]]) + `$`)
			}
		}
		list = append(list, found)
	}
	return list
}

// groups is what stands in each group of a pattern.
func groups(pattern string) []string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil // NewVocabulary has compiled it
	}
	var found []string
	var walk func(*syntax.Regexp)
	walk = func(r *syntax.Regexp) {
		if r.Op == syntax.OpCapture {
			found = append(found, r.Sub[0].String())
		}
		for _, sub := range r.Sub {
			walk(sub)
		}
	}
	walk(parsed)
	return found
}

// misspelt is how far a word is from a step's: 0 for the same, 1 for another one altogether.
func misspelt(text string, known word) float64 {
	if known.value != nil && known.value.MatchString(text) {
		return fits
	}
	a, b := []rune(text), []rune(known.text)
	other := func(x, y rune) float64 {
		if x == y {
			return 0
		}
		return 1
	}
	return distance(a, b, other) / float64(max(len(a), len(b)))
}

// distance is the edit distance of two sequences, where cost says what it costs to put one element for another.
func distance[A, B any](a []A, b []B, cost func(A, B) float64) float64 {
	row := make([]float64, len(b)+1)
	for j := range row {
		row[j] = float64(j)
	}
	for i, x := range a {
		corner := row[0]
		row[0] = float64(i + 1)
		for j, y := range b {
			best := min(corner+cost(x, y), row[j]+1, row[j+1]+1)
			corner, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}
