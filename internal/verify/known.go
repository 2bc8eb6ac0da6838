package verify

import (
	"fmt"
	"time"

	"github.com/storespec/storespec/internal/baseline"
)

// Known is what a run is told of failures that are known (design, "Outcomes").
type Known struct {
	File *baseline.File
	Now  time.Time // an entry whose last day is over by then counts for nothing
	// Adopt takes what fails to be known, and an entry that passes to be gone: for a new baseline.
	Adopt bool
}

// judge turns the outcome of a scenario into what it is in the light of what is known of it.
func (k *Known) judge(result *ScenarioResult) {
	if k == nil {
		return
	}
	entry, known := k.File.Find(result.known())
	fails := result.Outcome == Failed || result.Outcome == OverBudget
	switch {
	case fails && !known && k.Adopt:
		result.Outcome, result.Known = KnownFailing, baseline.Todo
	case fails && known && entry.Expired(k.Now):
		result.Reason = fmt.Sprintf("it was a known failure until %s (%s)\n%s", entry.Expires.Format(time.DateOnly), k.File.Where(entry), result.Reason)
	case fails && known:
		result.Outcome, result.Known = KnownFailing, entry.Reason
	case result.Outcome == Passed && known && !k.Adopt:
		result.Outcome = Fixed
		result.Reason = fmt.Sprintf("it passes, but is a known failure: fixed? remove it from the baseline (%s)", k.File.Where(entry))
	}
}

// Updated is the list of known failures after runs that were told of this one: what the runs did not
// judge stays, what passed is gone, what fails is there. It also says how many entries came and went.
func (k *Known) Updated(results []*Result) (file *baseline.File, added, removed int) {
	file = &baseline.File{Path: k.File.Path}
	judged := &baseline.File{}
	for _, result := range results {
		for _, rule := range result.Rules {
			for _, scenario := range rule.Results {
				if scenario.Outcome == Skipped {
					continue
				}
				judged.Entries = append(judged.Entries, baseline.Entry{Case: scenario.known()})
				if _, was := k.File.Find(scenario.known()); !was && scenario.Outcome == KnownFailing {
					file.Entries = append(file.Entries, baseline.Entry{Case: scenario.known(), Reason: scenario.Known})
					added++
				}
				if entry, was := k.File.Find(scenario.known()); was && scenario.Outcome != Passed {
					file.Entries = append(file.Entries, entry)
				}
			}
		}
	}
	for _, entry := range k.File.Entries {
		if _, was := judged.Find(entry.Case); !was {
			file.Entries = append(file.Entries, entry)
		}
	}
	return file, added, len(k.File.Entries) + added - len(file.Entries)
}

// known is the scenario as a baseline names it.
func (s *ScenarioResult) known() baseline.Case {
	return baseline.Case{Rule: s.Rule, Scenario: s.Name, Example: s.Example}
}
