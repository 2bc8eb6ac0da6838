package verify

import (
	"cmp"
	"strings"

	"github.com/storespec/storespec/internal/scenario"
)

// Examples returns an example of each step, by the step's pattern: its first use in the features of the catalogues, or
// that of the vocabulary in their words. Without a catalogue it is empty.
func Examples(catalogues ...*Catalogue) map[string]string {
	found := map[string]string{}
	var words scenario.Words
	for _, c := range catalogues {
		for pattern, example := range c.used() {
			found[pattern] = cmp.Or(found[pattern], example)
		}
		for _, document := range c.Documents {
			for _, pickle := range document.Pickles {
				for _, step := range pickle.Steps {
					words.Add(c.steps, step)
				}
			}
		}
	}
	for _, c := range catalogues[:min(1, len(catalogues))] { // they have the same vocabulary
		for _, step := range c.steps.Steps() {
			if found[step.Pattern] == "" {
				found[step.Pattern] = words.Example(c.steps, step)
			}
		}
	}
	return found
}

// used returns the first use of each step in the features, as these have it, by the step's pattern. Steps of an outline
// have placeholders of its own and are left out.
func (c *Catalogue) used() map[string]string {
	found := map[string]string{}
	for _, doc := range c.Documents {
		for _, step := range stepsInOrder(doc.Tree.Feature) {
			_, known, ok := c.steps.Described(step.Text)
			if ok && found[known.Pattern] == "" && !inOutline.MatchString(step.Text) {
				keyword, _, _ := strings.Cut(known.Example, " ")
				written := *step
				written.Keyword = keyword + " "
				found[known.Pattern] = strings.TrimSuffix(gherkinOf(&written), "\n")
			}
		}
	}
	return found
}
