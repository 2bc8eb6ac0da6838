package scenario

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"
)

// Company says which scenarios may run at the same time on one target.
type Company struct {
	alone  []*regexp.Regexp
	shared *regexp.Regexp // the names of tables, and paths
}

// Company returns the rules for a system: which steps need the target alone, and which tables its scenarios share.
func (v *Vocabulary) Company(shared []string) *Company {
	names := []string{`$^`}
	for _, name := range shared {
		names = append(names, regexp.QuoteMeta(strings.TrimPrefix(name, "/")))
	}
	c := Company{shared: regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)}
	for _, step := range v.steps {
		if step.needsAll {
			c.alone = append(c.alone, step.pattern)
		}
	}
	return &c
}

// Alone reports whether the scenario needs the target, its store and its surroundings to itself.
func (c *Company) Alone(pickle *godog.Scenario) bool {
	return slices.ContainsFunc(pickle.Steps, func(step *godog.Step) bool {
		return slices.ContainsFunc(c.alone, func(p *regexp.Regexp) bool { return p.MatchString(step.Text) }) ||
			inTextOrTable(step, c.shared)
	})
}
