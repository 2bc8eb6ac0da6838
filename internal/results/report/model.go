package report

import (
	"path"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// Report is the model of a stream: what every renderer reads. [New] builds it once.
type Report struct {
	Version string // of the storespec that ran
	Outcome verify.Outcome
	Runs    []*Run

	stream *events.Stream
}

// Run is the run of one system, and what all renderers say of it in the same way.
type Run struct {
	events.Run
	Options

	Outcome verify.Outcome
	Causes  []*Cause // of the scenarios that must be shown, the most frequent first
	Mapping string   // the YAML of a mapping (--map) for what a server only names differently or lacks; "": none

	aboutMapping string // what introduces Mapping
}

// Options specify what counts.
type Options struct {
	Strict      bool // also count what the design calls preferred or optional
	BudgetsWarn bool // a broken budget is only a warning
}

// New returns the model of a stream.
func New(s *events.Stream) *Report {
	r := &Report{Version: s.Header.Version, Outcome: verify.Skipped, stream: s}
	for _, run := range s.Runs {
		one := NewRun(run, Options{s.Header.Strict, s.Header.BudgetsWarn})
		r.Runs = append(r.Runs, one)
		r.Outcome = verify.Worse(r.Outcome, one.Outcome)
	}
	return r
}

// NewRun returns the model of one run.
func NewRun(run events.Run, o Options) *Run {
	r := &Run{Run: run, Options: o, Outcome: run.Verdict(o.Strict, o.BudgetsWarn), Causes: causes(run.Result)}
	r.aboutMapping, r.Mapping = mappingOf(run, r.Causes)
	return r
}

// Fails reports whether the outcome of a scenario of a rule makes a run fail.
func (o Options) Fails(rule verify.Rule, outcome verify.Outcome) bool {
	return broken(outcome) && o.counts(rule, outcome)
}

// counts reports whether an outcome of the rule changes the verdict.
func (o Options) counts(rule verify.Rule, outcome verify.Outcome) bool {
	return !verify.Lowered(rule, outcome, o.Strict, o.BudgetsWarn)
}

// uncounted explains why the outcome of a rule does not change the verdict; "" if it does.
func (o Options) uncounted(rule verify.RuleResult) string {
	switch {
	case o.counts(rule.Rule, rule.Outcome):
		return ""
	case rule.Severity == "SHOULD":
		return " (SHOULD: counts with --strict only)"
	}
	return " (a warning)"
}

// broken reports whether an outcome must be shown to the reader.
func broken(outcome verify.Outcome) bool {
	switch outcome {
	case verify.Passed, verify.Skipped, verify.KnownFailing, verify.Unfinished:
		return false
	}
	return true
}

// outcomes returns the outcomes in the order in which their counts are shown.
func outcomes() []verify.Outcome {
	return []verify.Outcome{verify.Passed, verify.Skipped, verify.KnownFailing, verify.Unfinished, verify.Fixed,
		verify.Unclear, verify.OverBudget, verify.NotPrepared, verify.Failed, verify.Errored}
}

// Miswritten reports whether a run could not judge something, and only because of feature files. besides is the worst
// outcome that counts of what it did judge: verify.Passed if none makes it fail.
func (r *Run) Miswritten() (besides verify.Outcome, miswritten bool) {
	if !r.Judged() || !r.Result.Miswritten() {
		return "", false
	}
	besides = verify.Passed
	for rule, scenario := range r.Result.All() {
		if scenario.Outcome != verify.Errored && r.Fails(rule.Rule, scenario.Outcome) {
			besides = verify.Worse(besides, scenario.Outcome)
		}
	}
	return besides, true
}

// cut returns why a run has too few results, or "". A pipeline must not mistake it for one in which all rules hold.
func (r *Run) cut() string {
	switch {
	case r.Err != nil:
		return r.Err.Error()
	case r.Result == nil:
		return "nothing could be judged"
	case r.Result.Interrupted:
		return interrupted
	case r.Result.Stopped:
		return stoppedEarly
	}
	return ""
}

// conclude says how a run ended, and in which color.
func (r *Run) conclude() (string, color) {
	switch {
	case r.Err != nil:
		return "nothing could be judged", red
	case r.Result.Interrupted:
		return interrupted, plain
	case r.Result.Stopped:
		return stoppedEarly, red
	case r.Outcome == verify.Skipped && len(r.Result.Rules) == 0 && r.Asked.OnlyFailed:
		return "none of the scenarios that had failed before is selected", plain
	case r.Outcome == verify.Skipped && len(r.Result.Rules) == 0:
		return "no scenario in this shard", plain
	case r.Outcome == verify.Skipped:
		return "nothing was judged, since every scenario was skipped", yellow
	case r.Outcome == verify.Passed &&
		slices.ContainsFunc(r.Result.Rules, func(rule verify.RuleResult) bool { return broken(rule.Outcome) }):
		return "every rule that counts holds", green
	case r.Outcome == verify.Passed:
		return "all selected rules hold", green
	case r.Outcome == verify.KnownFailing:
		return "all selected rules hold, except known failures", green
	case r.Outcome == verify.Errored:
		return r.unjudged(), red
	}
	return wrong(r.Outcome), red
}

// unjudged says that something could not be judged, and whether the server or a feature file is to blame.
func (r *Run) unjudged() string {
	switch besides, miswritten := r.Miswritten(); {
	case miswritten && besides == verify.Passed:
		return "a rule is not written so that it can be judged: its feature file, not the server, is to blame"
	case miswritten:
		return wrong(besides) + "; a scenario is not written so that it can be judged"
	}
	return "not every rule could be judged"
}

// wrong says what an outcome that makes a run fail means.
func wrong(outcome verify.Outcome) string {
	switch outcome {
	case verify.Fixed:
		return "the baseline is out of date"
	case verify.Unclear:
		return "a rule is unclear"
	case verify.NotPrepared:
		return "the server could not do what the scenarios begin with"
	}
	return "a rule is broken"
}

// fileOf returns the feature file of a scenario: with the directory that --features named, as a path within the
// repository; or as the built-in rules call it.
func (r *Run) fileOf(result verify.ScenarioResult) string {
	return path.Join(r.Asked.Features, result.File)
}

// failedRequest returns the index of the request that a scenario failed by.
func failedRequest(result verify.ScenarioResult) int {
	if n := len(result.Requests); result.Blamed < 1 || result.Blamed > n {
		return n - 1
	}
	return result.Blamed - 1
}

// began returns when the first scenario began; the zero time: at no known time.
func began(r *verify.Result) (first time.Time) {
	for _, result := range r.All() {
		if !result.Start.IsZero() && (first.IsZero() || result.Start.Before(first)) {
			first = result.Start
		}
	}
	return first
}
