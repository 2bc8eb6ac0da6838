package verify

import (
	"cmp"
	"fmt"
	"time"

	"github.com/storespec/storespec/internal/scenario/cause"
	"github.com/storespec/storespec/internal/verify/baseline"
)

// Known is the list of known failures given to a run (design, "Outcomes").
type Known struct {
	File *baseline.File
	Now  time.Time // an entry whose last day is over by then is ignored
	// Adopt treats every failure as known, and removes entries that pass: for a new baseline.
	Adopt bool
}

// judge adjusts the outcome of a scenario to what is known about it.
func (k *Known) judge(result *ScenarioResult) {
	if k == nil {
		return
	}
	entry, known := k.File.Find(result.known())
	varies := known && entry.Outcome == string(Unclear)
	fails := result.Outcome.Noticed() || result.Outcome == Unclear
	switch {
	case varies && result.Outcome == Passed:
	case fails && !known && k.Adopt:
		result.Fails, result.Outcome, result.Known = result.Outcome, KnownFailing, baseline.Todo
	case fails && known && entry.Expired(k.Now):
		result.Reason = fmt.Sprintf("it was a known failure until %s (%s)\n%s", entry.Expires.Format(time.DateOnly),
			k.File.Where(entry), result.Reason)
	case varies && (result.Outcome == OverBudget || result.Outcome == Unclear):
		result.Fails, result.Outcome, result.Known = result.Outcome, KnownFailing, entry.Reason
	case fails && known && !k.Adopt && !entry.Alike(string(result.Outcome), result.digest()):
		result.Reason = fmt.Sprintf("it is known to fail (%s), but not like this: it was %s, with another message\n%s",
			k.File.Where(entry), cmp.Or(entry.Outcome, string(Failed)), result.Reason)
	case fails && known:
		result.Fails, result.Outcome, result.Known = result.Outcome, KnownFailing, entry.Reason
	case result.Outcome == Passed && known && !k.Adopt:
		result.Outcome = Fixed
		result.Reason = fmt.Sprintf("it passes, but is a known failure: fixed? remove it from the baseline (%s)",
			k.File.Where(entry))
	}
}

// Updated returns the list of known failures after runs that used this one: it keeps what the runs did not judge,
// removes what passed, and adds what failed. It also returns how many entries were added and removed.
func (k *Known) Updated(results []*Result) (file *baseline.File, added, removed int) {
	file = &baseline.File{Path: k.File.Path}
	judged := &baseline.File{}
	for _, result := range results {
		for _, scenario := range result.All() {
			if scenario.Outcome == Skipped {
				continue
			}
			named := scenario.known()
			judged.Entries = append(judged.Entries, baseline.Entry{Case: named})
			switch entry, was := k.File.Find(named); {
			case !was && scenario.Outcome == KnownFailing:
				file.Entries = append(file.Entries, baseline.Entry{Case: named, Reason: scenario.Known,
					Outcome: string(scenario.Fails), Digest: scenario.digest()})
				added++
			case was && (scenario.Outcome != Passed || entry.Outcome == string(Unclear)):
				if scenario.Outcome == KnownFailing && entry.Outcome != string(Unclear) {
					entry.Outcome, entry.Digest = string(scenario.Fails), scenario.digest()
				}
				file.Entries = append(file.Entries, entry)
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

func (s *ScenarioResult) digest() string { return cause.Digest(s.Cause()) }

// known returns the scenario as a baseline names it.
func (s *ScenarioResult) known() baseline.Case {
	return baseline.Case{Rule: s.Rule, Scenario: s.Name, Example: s.Example}
}
