package verify

import (
	"context"
	"errors"
	"slices"

	"github.com/storespec/storespec/internal/run/lane"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
)

// record adds the result of a scenario to those of the run.
func (r *run) record(ctx context.Context, one *ended) {
	result, err := one.ScenarioResult, one.err
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil && err != nil {
		return // it did not fail; it was prevented from running
	}
	result.Unstarted = result.Outcome == Errored && errors.As(err, new(*target.StartError))
	result.Miswritten = result.Outcome == Errored &&
		(errors.As(err, new(*scenario.MisuseError)) || errors.Is(err, scenario.ErrNoName))
	if result.Reason == "" && err != nil {
		result.Reason = err.Error()
	}
	r.options.Known.judge(&result)
	if one.Outcome == Passed {
		result.forgetBodies()
	}
	r.answered = r.answered ||
		slices.ContainsFunc(result.Requests, func(e scenario.Exchange) bool { return e.Status != 0 })
	r.results = append(r.results, result)
	r.routes.add(result)
	if r.left[result.Rule]--; r.left[result.Rule] == 0 {
		delete(r.left, result.Rule)
	}
	r.count(result.Outcome, 1)
	if r.options.Enough != nil && !r.isWatched(result) && r.options.Enough(result) {
		r.end(errEnough)
	}
	if r.options.Progress != nil {
		r.options.Progress(Progress{Rules: r.rules, RulesDone: r.rules - len(r.left), Done: len(r.results),
			Total: r.total, Passed: r.passed, Failed: r.failed})
	}
}

// unrouted ends a run whose target has none of the routes of the contract and does not use its store, which is asked on
// a lane whose scenario has ended, once. A few selected scenarios may all be about what is not there, and without a
// contract each path counts as a route: such runs are judged at their end.
func (r *run) unrouted(ctx context.Context, l *lane.Lane) {
	if r.options.limited() || r.options.Storeless || r.suite.Contract == nil {
		return
	}
	r.mu.Lock()
	asks := !r.asked && r.routes.none(unroutedRequests, unroutedScenarios) != nil
	r.asked = r.asked || asks
	r.mu.Unlock()
	if !asks {
		return
	}
	// That no call was made is judged at the end: another scenario may just be making the first.
	if err := r.unused(ctx, l); errors.As(err, new(*NoRoutesError)) || errors.Is(err, ErrUntrusted) {
		r.end(err)
	}
}

// isWatched reports whether a result may not be the last of its scenario. The caller holds mu.
func (r *run) isWatched(result ScenarioResult) bool {
	return slices.ContainsFunc(r.watched, func(one judgedOnce) bool { return one.first.Place() == result.Place() })
}

// forgetUnconfirmed takes back results that would have been confirmed, had the run gone on.
func (r *run) forgetUnconfirmed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.results = slices.DeleteFunc(r.results, func(result ScenarioResult) bool {
		if !r.isWatched(result) || result.Outcome == Passed {
			return false
		}
		r.count(result.Outcome, -1)
		return true
	})
}

// count adds to the numbers of scenarios that passed and failed.
func (r *run) count(outcome Outcome, by int) {
	switch outcome {
	case Passed:
		r.passed += by
	case Skipped, KnownFailing:
	default:
		r.failed += by
	}
}
