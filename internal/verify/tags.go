package verify

import (
	"fmt"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"
)

// Tags are the tags that mean something, beside the ids of rules: the rule is a SHOULD, the scenario is the reference
// server's alone, the rule has an example for each gated route.
func Tags() []string { return []string{"should", "reference", "every-route"} }

// tagged refuses a tag that means nothing: it is most often a misspelt one, which would be passed over in silence.
func (c *Catalogue) tagged(file string, feature *messages.Feature) error {
	if err := c.knownTags(file, feature.Tags, false); err != nil {
		return err
	}
	for _, child := range feature.Children {
		if child.Rule == nil {
			continue
		}
		if err := c.knownTags(file, child.Rule.Tags, true); err != nil {
			return err
		}
		for _, inner := range child.Rule.Children {
			if inner.Scenario == nil {
				continue
			}
			tags := slices.Clone(inner.Scenario.Tags)
			for _, examples := range inner.Scenario.Examples {
				tags = append(tags, examples.Tags...)
			}
			if err := c.knownTags(file, tags, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// knownTags holds tags to those that are known; ids says whether that of a rule may be among them.
func (c *Catalogue) knownTags(file string, tags []*messages.Tag, ids bool) error {
	for _, tag := range tags {
		if slices.Contains(c.tags, strings.TrimPrefix(tag.Name, "@")) || ids && ruleTag.MatchString(tag.Name) {
			continue
		}
		return &FeatureError{
			Where:  at(file, tag.Location),
			Reason: fmt.Sprintf("unknown tag %s; known: @%s, and at a Rule its id", tag.Name, strings.Join(c.tags, ", @")),
		}
	}
	return nil
}
