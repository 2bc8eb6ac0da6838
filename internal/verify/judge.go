package verify

import (
	"errors"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/run/target"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/store"
)

// conclude returns a scenario's error: that of its step, or else that of the checks after every scenario. A broken
// budget, which may be only a warning, does not hide the latter: then it is both.
func conclude(step, finished error) error {
	switch {
	case step == nil:
		return finished
	case finished != nil && judge(step) == OverBudget:
		return &bothError{finished, step}
	}
	return step
}

// bothError is a scenario that broke a budget, and something else as well.
type bothError struct{ other, budget error }

func (e *bothError) Error() string { return e.other.Error() + "\n" + e.budget.Error() }

func (e *bothError) Unwrap() []error { return []error{e.other, e.budget} }

// blamed returns the number of the request that a scenario's error is about, from 1: for a family of cases, in the
// first that failed. It is 0 if the error names none.
func blamed(w *scenario.World, err error) int {
	if family, ok := errors.AsType[*cases.Error](err); ok {
		err = family.Failed[0].Err
	}
	return w.Report.Blamed(err)
}

// ended is a scenario that has ended: its result, with the error that decides about its outcome, and its world.
type ended struct {
	ScenarioResult
	err   error
	world *scenario.World // nil: the scenario did not begin
}

// leaked notes what the server's log must not hold, which is known a moment later.
func (e *ended) leaked(err error) {
	if err != nil && e.Outcome != Skipped {
		e.Reason = strings.TrimPrefix(e.Reason+"\n"+err.Error(), "\n")
		e.Outcome, e.err = Worse(e.Outcome, Failed), errors.Join(e.err, err)
	}
}

// scrub removes secrets from everything that reports show, as ScenarioResult.scrub does with the names of its world.
func (e *ended) scrub() {
	if e.world == nil { // nothing was sent, so there are no secrets
		as := func(text string) string { return text }
		e.ScenarioResult.scrub(as, as, e.err)
		return
	}
	e.ScenarioResult.scrub(e.world.Names.Scrub, e.world.Names.Shows(), e.err)
}

// scrub removes secrets from everything that reports show: what can be sent again by clean, and messages by shown,
// which also names ids. A message may quote a text of megabytes: it is abridged.
func (s *ScenarioResult) scrub(clean, names func(string) string, err error) {
	shown := func(text string) string { return matching.Abridged(names(text)) }
	s.Step = clean(s.Step)
	if err != nil {
		s.Reason = strings.TrimPrefix(shown(err.Error()), godog.ErrSkip.Error()+": ")
	}
	if cases, ok := errors.AsType[*cases.Error](err); ok {
		s.Broken = cases.Broken()
	}
	s.Differences = matching.Differences(err)
	scrubDifferences(s.Differences, shown)
	for i := range s.Broken {
		broken := &s.Broken[i]
		broken.Name, broken.Step, broken.Reason = shown(broken.Name), clean(broken.Step), shown(broken.Reason)
		scrubDifferences(broken.Differences, shown)
		for j := range broken.Order {
			broken.Order[j].Call = shown(broken.Order[j].Call)
		}
	}
	for i := range s.Budgets {
		budget := &s.Budgets[i]
		budget.Step = clean(budget.Step)
		for j := range budget.Allowed {
			budget.Allowed[j].On = shown(budget.Allowed[j].On)
		}
	}
	for i := range s.Requests {
		request := &s.Requests[i]
		request.Path, request.Query, request.Body = clean(request.Path), clean(request.Query), clean(request.Body)
		request.Own = request.Own.Cleaned(clean)
		request.Set = slices.Clone(request.Set)
		for j := range request.Set {
			request.Set[j] = clean(request.Set[j])
		}
		request.Calls = slices.Clone(request.Calls)
		for j := range request.Calls {
			request.Calls[j] = request.Calls[j].Mapped(shown)
		}
	}
}

func scrubDifferences(list []matching.Difference, clean func(string) string) {
	for i := range list {
		d := &list[i]
		d.Where, d.Expected, d.Seen = clean(d.Where), clean(d.Expected), clean(d.Seen)
	}
}

// forgetBodies keeps reports small: requests of a scenario that passed are not repeated.
func (s *ScenarioResult) forgetBodies() {
	s.Names = nil
	for i := range s.Requests {
		r := &s.Requests[i]
		r.Query, r.Type, r.Body, r.Caller, r.Set, r.Answer, r.Wrote = "", "", "", nil, nil, "", ""
		r.Own = nil
	}
}

// judge returns the outcome for a scenario's error: for a family of cases, the worst of their outcomes.
func judge(err error) Outcome {
	if family, ok := errors.AsType[*cases.Error](err); ok {
		worst := Passed
		for _, failed := range family.Failed {
			worst = Worse(worst, judge(failed.Err))
		}
		return worst
	}
	var unclear *scenario.UnclearError
	if both, ok := errors.AsType[*bothError](err); ok && !errors.As(err, &unclear) { // which may hold it
		return Worse(judge(both.other), judge(both.budget))
	}
	var start *target.StartError
	var setup *target.SetupError
	switch {
	case err == nil:
		return Passed
	case errors.Is(err, godog.ErrSkip):
		return Skipped
	case errors.Is(err, godog.ErrUndefined), errors.Is(err, godog.ErrAmbiguous), errors.Is(err, godog.ErrPending),
		errors.As(err, new(*scenario.MisuseError)), errors.As(err, new(*scenario.ToolError)),
		errors.Is(err, scenario.ErrNoName), errors.Is(err, store.ErrUnavailable),
		errors.Is(err, store.ErrNoColdNamespace), errors.As(err, &start), errors.As(err, &setup):
		return Errored
	case errors.As(err, &unclear):
		return Unclear
	case errors.As(err, new(*scenario.PreparationError)):
		return NotPrepared
	case errors.As(err, new(*budget.Budget)):
		return OverBudget
	}
	return Failed
}

// excused returns the error of a scenario in which beyond says what the store could not do: that decides, unless the
// scenario could not be run at all. A command that ended since the store could not do it is not such a case.
func excused(beyond, err error) error {
	if beyond == nil || judge(err) == Errored && !errors.As(err, new(*scenario.ToolError)) {
		return err
	}
	return beyond
}

// prepared makes the error of a scenario's steps, prepares of which prepare it, a *scenario.PreparationError if it is
// one of those, or seems to be their consequence. Then the result names that step.
func (e *ended) prepared(prepares int) {
	if e.err != nil && len(e.Steps) <= prepares {
		e.err = &scenario.PreparationError{Err: e.err}
	}
	if judge(e.err) != Failed {
		return
	}
	if step, unprepared := e.world.Unprepared(prepares, e.Step, e.err); unprepared != nil {
		e.Step, e.err = step, unprepared
	}
}
