package designs

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/steps"
)

// Steps returns the steps. If there is a directory, their examples are in the words of its features, and those that are
// for the rules of other systems are left out. The error joins a *source.Error for each mistake in the directory; the
// steps are those of what could be read, nil if nothing could.
func (s Source) Steps() ([]scenario.Theme, error) {
	all := steps.Themes()
	if s.Directory == "" {
		return all, nil
	}
	list, err := s.Described()
	if len(list) == 0 {
		return nil, err
	}
	loaded, wrong := s.Catalogues(list)
	examples := verify.Examples(loaded...)
	all = slices.DeleteFunc(all, func(t scenario.Theme) bool {
		return !slices.ContainsFunc(list, func(d system.System) bool { return d.Knows(t.Of) })
	})
	for _, theme := range all {
		for i, step := range theme.Steps {
			theme.Steps[i].Example = cmp.Or(examples[step.Pattern], step.Example)
		}
	}
	return all, errors.Join(err, wrong)
}

// Matching returns the steps whose examples, or the names of their themes, contain all words, ignoring case.
func Matching(themes []scenario.Theme, words []string) []scenario.Theme {
	var left []scenario.Theme
	for _, theme := range themes {
		theme.Steps = slices.DeleteFunc(slices.Clone(theme.Steps), func(step scenario.Step) bool {
			text := strings.ToLower(theme.Name + " " + step.Example)
			return slices.ContainsFunc(words, func(word string) bool {
				return !strings.Contains(text, strings.ToLower(word))
			})
		})
		if len(theme.Steps) > 0 {
			left = append(left, theme)
		}
	}
	return left
}
