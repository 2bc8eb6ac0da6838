package mutant

import (
	"time"

	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify"
)

// Verdict is the outcome for a mutant.
type Verdict string

// The verdicts. Only the first is good.
const (
	Killed         Verdict = "killed"           // by the rule it names
	KilledByOthers Verdict = "killed by others" // the rule it names did not detect it, others did
	Survived       Verdict = "survived"         // no rule detected it
	NotJudged      Verdict = "not judged"       // no scenario of the rule it names could be judged
	Errored        Verdict = "error"            // it does not apply or build, changes nothing, or could not be judged
)

// Result is the result of one mutant: a row of the kill matrix.
type Result struct {
	Patch
	Verdict Verdict `json:"verdict"`
	Kill    *Kill   `json:"kill,omitempty"` // the first scenario of its rule that detected it
	// Others are the other rules that detected it. They are known if all rules were run: for a mutant that its own rule
	// did not kill, and for all with Options.Full.
	Others   []string      `json:"others,omitempty"`
	Err      error         `json:"-"` // why the verdict is Errored or NotJudged
	Duration time.Duration `json:"-"` // building and running
}

func (r Result) verdict() Verdict { return r.Verdict }

// Kill is a scenario that detected a mutant.
type Kill struct {
	Scenario string         `json:"scenario"`
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Where    string         `json:"-"`       // both, and its name if others are there
	Outcome  verify.Outcome `json:"outcome"` // failed, over budget or not prepared; of a generated one also TimedOut
	Step     string         `json:"step,omitempty"`
	Reason   string         `json:"reason"` // its first line
}

// Matrix is the results of all mutants of a system.
type Matrix struct {
	Mutants []Result // in the order of the patches; after an interruption, only those that were judged
	Missing []string // rules without a mutant
	Ending
}

// Counts returns the number of mutants with each verdict.
func (m *Matrix) Counts() map[Verdict]int {
	counts := map[Verdict]int{}
	for _, result := range m.Mutants {
		counts[result.Verdict]++
	}
	return counts
}

// Complete reports whether every rule has a mutant and every mutant was killed by its rule.
func (m *Matrix) Complete() bool {
	return !m.Interrupted && len(m.Missing) == 0 && m.Counts()[Killed] == len(m.Mutants)
}

// notices reports whether a scenario has detected a mutant. One that starts the server again has detected one that does
// not start, since the unmutated server does.
func notices(result verify.ScenarioResult) bool { return result.Outcome.Noticed() || result.Unstarted }

// Killing returns the first scenario of a rule that detected a mutant, or nil.
func Killing(rule verify.RuleResult) *Kill {
	for _, result := range rule.Results {
		if notices(result) {
			return &Kill{Scenario: result.Name, File: result.File, Line: result.Line, Where: rule.Where(result),
				Outcome: result.Outcome, Step: result.Step, Reason: source.FirstLine(result.Reason)}
		}
	}
	return nil
}
