package scenario

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"
)

// Company says which scenarios may run at the same time on one target.
type Company struct {
	vocabulary *Vocabulary
	shared     *regexp.Regexp // the names of tables, and paths
}

// Company returns the rules for a system: which steps need the target alone, and which tables its scenarios share.
func (v *Vocabulary) Company(shared []string) *Company {
	names := []string{`$^`}
	for _, name := range shared {
		names = append(names, regexp.QuoteMeta(strings.TrimPrefix(name, "/")))
	}
	return &Company{v, regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)}
}

// Alone reports whether the scenario needs the target, its store and its surroundings to itself.
func (c *Company) Alone(pickle *godog.Scenario) bool {
	return slices.ContainsFunc(pickle.Steps, func(step *godog.Step) bool {
		known, err := c.vocabulary.find(step)
		return err == nil && known.needsAll || inTextOrTable(step, c.shared)
	})
}
