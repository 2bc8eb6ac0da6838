package verify

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/source"
)

// Tags returns the tags with a meaning, besides the ids of rules: the rule is a SHOULD, the scenario applies only to
// the reference server, the rule has an example for each gated route, the scenario is an Invariant.
func Tags() []string { return []string{"should", "reference", "every-route", invariantTag} }

// AnyTag stands, among the tags of a system, for any tag: for features whose description cannot be read.
const AnyTag = "*"

// tagged refuses each unknown tag: it is usually a misspelled one, which would be silently ignored.
func (c *Catalogue) tagged(file string, feature *messages.Feature) error {
	wrong := []error{c.knownTags(file, feature.Tags, nil)}
	for _, rule := range rulesIn(feature) {
		wrong = append(wrong, c.knownTags(file, rule.Tags, rule))
		for _, scenario := range scenariosIn(rule) {
			tags := slices.Clone(scenario.Tags)
			for _, examples := range scenario.Examples {
				tags = append(tags, examples.Tags...)
			}
			wrong = append(wrong, c.knownTags(file, tags, nil))
		}
	}
	return errors.Join(wrong...)
}

// knownTags checks that tags are known; those of a rule include its id.
func (c *Catalogue) knownTags(file string, tags []*messages.Tag, of *messages.Rule) error {
	var wrong []error
	for _, tag := range tags {
		if c.knowsTag(tag) || of != nil && (ruleTag.MatchString(tag.Name) || tag == c.meantAsID(of)) {
			continue
		}
		wrong = append(wrong, refuse(file, tag.Location, "unknown tag %s; known: @%s, and at a Rule its id%s", tag.Name,
			strings.Join(c.tags, ", @"), source.Meant(strings.TrimPrefix(tag.Name, "@"), c.tags)))
	}
	return errors.Join(wrong...)
}

func (c *Catalogue) knowsTag(tag *messages.Tag) bool {
	return slices.Contains(c.tags, strings.TrimPrefix(tag.Name, "@")) || slices.Contains(c.tags, AnyTag)
}

// meantAsID returns the tag of a rule that has no id that looks most like one: with a hyphen, a digit or capitals. Nil
// if the rule has an id, or no such tag.
func (c *Catalogue) meantAsID(rule *messages.Rule) *messages.Tag {
	var meant *messages.Tag
	for _, tag := range rule.Tags {
		switch {
		case ruleTag.MatchString(tag.Name):
			return nil
		case meant == nil && !c.knowsTag(tag) && likeID.MatchString(tag.Name):
			meant = tag
		}
	}
	return meant
}

// withoutID refuses a rule that has no id, and says what one could be.
func (c *Catalogue) withoutID(system, file string, rule *messages.Rule) error {
	if tag := c.meantAsID(rule); tag != nil {
		return refuse(file, tag.Location, "%s is not the id of a rule: an id has three parts, such as %s", tag.Name,
			idLike(tag.Name))
	}
	return refuse(file, rule.Location, "the Rule has no id, a tag with three parts such as %s", idLike(system))
}

var (
	likeID  = regexp.MustCompile(`[A-Z0-9_-]`)
	letters = regexp.MustCompile(`[A-Za-z]+`)
	digits  = regexp.MustCompile(`\d+`)
)

// idLike returns an id with the words and the number of a text, as far as it has any.
func idLike(text string) string {
	words := append(letters.FindAllString(strings.ToUpper(text), 2), "LIST")
	if len(words) == 1 {
		words = append([]string{"NOTES"}, words...)
	}
	return "@" + words[0] + "-" + words[1] + "-" + cmp.Or(digits.FindString(text), "1")
}
