package report

import (
	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// Options specify what counts, and how it is shown.
type Options struct {
	Strict      bool // also count what the design calls preferred or optional
	BudgetsWarn bool // a broken budget is only a warning
	Color       bool // for text on a terminal (ECMA-48 colors)
	Verbose     bool // text also says how the run went about it: lanes, attribution, the slowest scenarios
}

// Outcome returns a run's verdict.
func (o Options) Outcome(run events.Run) verify.Outcome { return run.Verdict(o.Strict, o.BudgetsWarn) }

// Miswritten reports whether a run could not judge something, and only because of feature files. besides is the worst
// outcome that counts of what it did judge: verify.Passed if none makes it fail.
func (o Options) Miswritten(run events.Run) (besides verify.Outcome, miswritten bool) {
	if !run.Judged() || !run.Result.Miswritten() {
		return "", false
	}
	besides = verify.Passed
	for rule, scenario := range run.Result.All() {
		if scenario.Outcome != verify.Errored && o.Fails(rule.Rule, scenario.Outcome) {
			besides = verify.Worse(besides, scenario.Outcome)
		}
	}
	return besides, true
}

// outcomes returns the outcomes in the order in which their counts are shown.
func outcomes() []verify.Outcome {
	return []verify.Outcome{verify.Passed, verify.Skipped, verify.KnownFailing, verify.Unfinished, verify.Fixed,
		verify.Unclear, verify.OverBudget, verify.NotPrepared, verify.Failed, verify.Errored}
}

// Fails reports whether the outcome of a scenario of a rule makes a run fail.
func (o Options) Fails(rule verify.Rule, outcome verify.Outcome) bool {
	return broken(outcome) && o.counts(verify.RuleResult{Rule: rule, Outcome: outcome})
}

// counts reports whether an outcome of the rule changes the verdict.
func (o Options) counts(rule verify.RuleResult) bool {
	preferred := rule.Outcome != verify.Errored && rule.Outcome != verify.Fixed && rule.Severity == "SHOULD"
	return (rule.Outcome != verify.OverBudget || !o.BudgetsWarn) && (!preferred || o.Strict)
}

// broken reports whether an outcome must be shown to the reader.
func broken(outcome verify.Outcome) bool {
	switch outcome {
	case verify.Passed, verify.Skipped, verify.KnownFailing, verify.Unfinished:
		return false
	}
	return true
}
