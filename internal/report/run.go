package report

import (
	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/verify"
)

// Options say what counts, and how it is shown.
type Options struct {
	Strict      bool // count what the design calls preferred or optional as well
	BudgetsWarn bool // a broken budget is only told
	Color       bool // for text on a terminal (ECMA-48 colors)
}

// Outcome is a run's verdict.
func (o Options) Outcome(run events.Run) verify.Outcome { return run.Verdict(o.Strict, o.BudgetsWarn) }

// outcomes is the order in which counts are told.
func outcomes() []verify.Outcome {
	return []verify.Outcome{verify.Passed, verify.Skipped, verify.KnownFailing, verify.Unfinished, verify.Fixed, verify.OverBudget, verify.Failed, verify.Errored}
}

// counts reports whether an outcome of the rule changes the verdict.
func (o Options) counts(rule verify.RuleResult) bool {
	switch {
	case rule.Outcome == verify.OverBudget && o.BudgetsWarn,
		rule.Outcome != verify.Errored && rule.Outcome != verify.Fixed && rule.Severity == "SHOULD" && !o.Strict:
		return false
	}
	return true
}

// broken reports whether the outcome is one that a reader must be told about.
func broken(outcome verify.Outcome) bool {
	switch outcome {
	case verify.Passed, verify.Skipped, verify.KnownFailing, verify.Unfinished:
		return false
	}
	return true
}
