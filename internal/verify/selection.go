package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/proof"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/verify/baseline"
)

// tags returns the filter for godog, which supports "," for or and "&&" for and, without parentheses, so a selection of
// rules is distributed over each alternative.
func (r *run) tags() string {
	alternatives := strings.Split(r.options.Tags, ",")
	if len(r.options.Rules) > 0 {
		var spread []string
		for _, id := range r.options.Rules {
			for _, alternative := range alternatives {
				spread = append(spread, and("@"+id, alternative))
			}
		}
		alternatives = spread
	}
	for i, alternative := range alternatives {
		alternatives[i] = and("~@"+invariantTag, alternative)
		if !r.options.Reference {
			alternatives[i] = and("~@reference", alternatives[i])
		}
	}
	return strings.Join(alternatives, ",")
}

// paths returns the files that hold the selected rules, so that no others are parsed. Those with the longest scenarios
// come first.
func (r *run) paths() []string {
	var files []string
	for _, rule := range r.options.Catalogue.Rules {
		chosen := len(r.options.Rules) == 0 || slices.Contains(r.options.Rules, rule.ID)
		if rule.System == r.options.System.Name && chosen && !slices.Contains(files, rule.File) {
			files = append(files, rule.File)
		}
	}
	if len(files) == 0 {
		return []string{r.options.System.Name}
	}
	r.longestFirst(files)
	return files
}

func and(a, b string) string {
	if strings.TrimSpace(b) == "" {
		return a
	}
	return a + " && " + b
}

// selection counts the scenarios that pass the filter and belong to the shard, by rule. An empty shard is not an error,
// as long as others are not empty.
func (r *run) selection() (map[string]int, error) {
	for alternative := range strings.SplitSeq(r.options.Tags, ",") {
		for tag := range strings.SplitSeq(alternative, "&&") {
			if name := strings.TrimPrefix(strings.TrimSpace(tag), "~"); r.options.Tags != "" &&
				(!strings.HasPrefix(name, "@") || len(name) < 2) {
				return nil, fmt.Errorf("the tag filter %q is not like \"@FS-GATE-1 && ~@slow,@FS-APT-1\": %q is not "+
					"a tag: %w", r.options.Tags, name, ErrNothingSelected)
			}
		}
	}
	suite := godog.TestSuite{Options: &godog.Options{FS: r.options.Catalogue.files, Paths: r.paths(), Tags: r.tags()}}
	features, err := suite.RetrieveFeatures()
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	var selected []baseline.Case
	faulty := 0
	for _, feature := range features {
		for _, read := range feature.Pickles {
			pickle := r.options.Catalogue.located(read)
			if !r.replayed(pickle) {
				continue
			}
			selected = append(selected, r.caseOf(pickle))
			if r.takes(pickle) {
				counts[ruleOf(pickle)]++
				r.total++
				if slices.ContainsFunc(pickle.Steps, r.options.Catalogue.steps.Faulty) {
					faulty++
				}
			}
		}
	}
	if len(selected) == 0 {
		if r.options.Proofs.Only != nil {
			return nil, fmt.Errorf("%w by the replay token: there is none at %s", ErrNothingSelected,
				r.options.Proofs.Only.Scenario)
		}
		return nil, fmt.Errorf("%w by rules %v and tags %q", ErrNothingSelected, r.options.Rules, r.options.Tags)
	}
	if r.options.Proofs.Faults != proof.NoFaults {
		r.options.Cases.Expect(faulty, r.options.Lanes)
	}
	r.share = r.options.Shard.share(selected)
	return counts, nil
}

// takes reports whether a scenario is run here.
func (r *run) takes(pickle *godog.Scenario) bool {
	return r.replayed(pickle) && r.options.Shard.Has(r.caseOf(pickle)) &&
		(r.options.Select == nil || r.options.Select(placeOf(pickle)))
}

// caseOf returns a scenario as a baseline names it.
func (r *run) caseOf(pickle *godog.Scenario) baseline.Case {
	return baseline.Case{Rule: ruleOf(pickle), Scenario: pickle.Name,
		Example: r.options.Catalogue.examples[placeOf(pickle)]}
}

// replayed reports whether a scenario is run: all are, except when one is replayed. Older tokens lack its name.
func (r *run) replayed(pickle *godog.Scenario) bool {
	only := r.options.Proofs.Only
	return only == nil || strings.HasPrefix(scenario.Where(pickle)+" ", only.Scenario+" ")
}

// notForThisTarget returns the scenarios that apply only to the reference, as skipped.
func (r *run) notForThisTarget() []ScenarioResult {
	if r.options.Reference || r.options.Tags != "" {
		return nil
	}
	var skipped []ScenarioResult
	for _, rule := range r.options.Catalogue.Rules {
		if len(r.options.Rules) > 0 && !slices.Contains(r.options.Rules, rule.ID) {
			continue
		}
		for _, s := range rule.Scenarios {
			if r.options.Select != nil && !r.options.Select(Place{rule.ID, s.Line, s.Name}) {
				continue
			}
			if s.Reference && r.options.Shard.Has(baseline.Case{Rule: rule.ID, Scenario: s.Name, Example: s.Example}) {
				skipped = append(skipped, ScenarioResult{
					Rule: rule.ID, Name: s.Name, File: s.File, Line: s.Line, Outcome: Skipped,
					Reason: "its exact calls are checked only on the reference server",
				})
			}
		}
	}
	return skipped
}

// ruleOf returns the id of the rule of a scenario.
func ruleOf(pickle *godog.Scenario) string {
	for _, tag := range pickle.Tags {
		if m := ruleTag.FindStringSubmatch(tag.Name); m != nil {
			return m[1]
		}
	}
	return ""
}
