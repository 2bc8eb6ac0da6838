package verify

import "strings"

// Examples returns the first use of each step in the features, as these have it, by the step's pattern. Steps of an
// outline have placeholders of its own and are left out.
func (c *Catalogue) Examples() map[string]string {
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
