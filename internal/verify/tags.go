package verify

import (
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"
)

// Tags returns the tags with a meaning, besides the ids of rules: the rule is a SHOULD, the scenario applies only to
// the reference server, the rule has an example for each gated route, the scenario is an Invariant.
func Tags() []string { return []string{"should", "reference", "every-route", invariantTag} }

// tagged refuses an unknown tag: it is usually a misspelled one, which would be silently ignored.
func (c *Catalogue) tagged(file string, feature *messages.Feature) error {
	if err := c.knownTags(file, feature.Tags, false); err != nil {
		return err
	}
	for _, rule := range rulesIn(feature) {
		if err := c.knownTags(file, rule.Tags, true); err != nil {
			return err
		}
		for _, scenario := range scenariosIn(rule) {
			tags := slices.Clone(scenario.Tags)
			for _, examples := range scenario.Examples {
				tags = append(tags, examples.Tags...)
			}
			if err := c.knownTags(file, tags, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// knownTags checks that tags are known; ids says whether rule ids are allowed.
func (c *Catalogue) knownTags(file string, tags []*messages.Tag, ids bool) error {
	for _, tag := range tags {
		if slices.Contains(c.tags, strings.TrimPrefix(tag.Name, "@")) || ids && ruleTag.MatchString(tag.Name) {
			continue
		}
		return refuse(file, tag.Location, "unknown tag %s; known: @%s, and at a Rule its id", tag.Name,
			strings.Join(c.tags, ", @"))
	}
	return nil
}
