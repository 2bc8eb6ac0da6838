package scenario

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/source"
)

// A step is suggested if at most this share of its words had to change; at most this many steps are suggested.
const (
	nearEnough  = 0.5
	suggestions = 3
)

// fits is the cost of a word that a step would take as a value: it is weaker evidence than one of the step's own words.
const fits = 0.2

// unknown returns the error for a text that matches no step, with suggestions of similar steps.
func (v *Vocabulary) unknown(text string) error {
	if err := malformedJSON(text); err != nil {
		return err
	}
	message := fmt.Sprintf("no step reads %q", text)
	if near := v.nearest(text); len(near) > 0 {
		return fmt.Errorf("%s; did you mean\n  %s", message, strings.Join(near, "\n  "))
	}
	return fmt.Errorf("%s; storespec steps lists them all", message)
}

// nearest returns the examples of the steps whose words are similar to those of a text, the most similar first.
func (v *Vocabulary) nearest(text string) []string {
	type candidate struct {
		example string
		off     float64
	}
	words := split(text)
	var near []candidate
	for _, step := range v.steps {
		known := step.words()
		off := source.Distance(words, known, misspelt) / float64(max(len(words), len(known)))
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

// text returns the step of the example, without its keyword and without the table or text below it.
func (k known) text() string {
	line, _, _ := strings.Cut(k.Example, "\n")
	_, text, _ := strings.Cut(line, " ")
	return text
}

// word is one word of a step: a text, or the pattern of a value in that place.
type word struct {
	text  string
	value *regexp.Regexp
}

// parts matches the units of a step: a quoted text, a JSON object, a word.
var parts = regexp.MustCompile(`"[^"]*"|\{".*\}|\S+`)

func split(text string) []string { return parts.FindAllString(text, -1) }

// words returns the words of the example; a word that a group of the pattern matches may be anything the group matches.
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
				found.value = regexp.MustCompile(`^` + regexp.QuoteMeta(text[at[0]:start]) + `(?:` + value + `)` +
					regexp.QuoteMeta(text[end:at[1]]) + `$`)
			}
		}
		list = append(list, found)
	}
	return list
}

// groups returns the expression inside each group of a pattern, in the order in which they begin. No class in it may
// begin with a closing bracket.
func groups(pattern string) []string {
	var found []string
	var open []int // where in found a group is that has not ended, or -1 for one that captures nothing
	var starts []int
	class := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(' && strings.HasPrefix(pattern[i:], "(?"):
			open, starts = append(open, -1), append(starts, i+1)
		case c == '(':
			open, starts, found = append(open, len(found)), append(starts, i+1), append(found, "")
		case c == ')':
			last := len(open) - 1
			if open[last] >= 0 {
				found[open[last]] = pattern[starts[last]:i]
			}
			open, starts = open[:last], starts[:last]
		}
	}
	return found
}

// misspelt returns how far a word is from a step's word: 0 for the same, 1 for an entirely different one.
func misspelt(text string, known word) float64 {
	if known.value != nil && known.value.MatchString(text) {
		return fits
	}
	return source.Off(text, known.text)
}
