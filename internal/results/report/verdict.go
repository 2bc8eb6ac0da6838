package report

import (
	"slices"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/verify"
)

// interrupted is shown for a run that Ctrl-C has ended.
const interrupted = "interrupted, so there is no verdict on the other scenarios"

// stoppedEarly is shown for a run that --fail-fast has ended.
const stoppedEarly = "stopped at the first failure, so there is no verdict on the other scenarios"

func (t *text) verdict(run events.Run) string {
	text := run.System + ": " + t.conclude(run)
	if run.Asked.OnlyFailed && len(run.Result.Rules) > 0 {
		text += " (only what had failed before was run)"
	}
	return text
}

func (t *text) conclude(run events.Run) string {
	switch outcome := t.options.Outcome(run); {
	case run.Err != nil:
		return t.colored(red, "nothing could be judged")
	case run.Result.Interrupted:
		return interrupted
	case run.Result.Stopped:
		return t.colored(red, stoppedEarly)
	case outcome == verify.Skipped && len(run.Result.Rules) == 0 && run.Asked.OnlyFailed:
		return "none of the scenarios that had failed before is selected"
	case outcome == verify.Skipped && len(run.Result.Rules) == 0:
		return "no scenario in this shard"
	case outcome == verify.Skipped:
		return t.colored(yellow, "nothing was judged, since every scenario was skipped")
	case outcome == verify.Passed &&
		slices.ContainsFunc(run.Result.Rules, func(r verify.RuleResult) bool { return broken(r.Outcome) }):
		return t.colored(green, "every rule that counts holds")
	case outcome == verify.Passed:
		return t.colored(green, "all selected rules hold")
	case outcome == verify.KnownFailing:
		return t.colored(green, "all selected rules hold, except known failures")
	case outcome == verify.Errored:
		return t.colored(red, t.unjudged(run))
	default:
		return t.colored(red, wrong(outcome))
	}
}

// unjudged says that something could not be judged, and whether the server or a feature file is to blame.
func (t *text) unjudged(run events.Run) string {
	switch besides, miswritten := t.options.Miswritten(run); {
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
