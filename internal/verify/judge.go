package verify

import (
	"errors"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/target"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// conclude is a scenario's error: that of its step, else that of what holds after every scenario. Behind a broken budget,
// which may only be a warning, the latter is not hidden.
func conclude(step, finished error) error {
	if step == nil || finished != nil && judge(step) == OverBudget {
		return finished
	}
	return step
}

// scrub takes secrets out of everything that reports show.
func (s *ScenarioResult) scrub(clean func(string) string, err error) {
	s.Step = clean(s.Step)
	if err != nil {
		s.Reason = strings.TrimPrefix(clean(err.Error()), godog.ErrSkip.Error()+": ")
	}
	if cases, ok := errors.AsType[*steps.CasesError](err); ok {
		s.Broken = cases.Broken()
	}
	s.Differences = steps.Differences(err)
	scrubDifferences(s.Differences, clean)
	for i := range s.Broken {
		broken := &s.Broken[i]
		broken.Name, broken.Step, broken.Reason = clean(broken.Name), clean(broken.Step), clean(broken.Reason)
		scrubDifferences(broken.Differences, clean)
	}
	for i := range s.Budgets {
		budget := &s.Budgets[i]
		budget.Step = clean(budget.Step)
		for j := range budget.Allowed {
			budget.Allowed[j].On = clean(budget.Allowed[j].On)
		}
	}
	for i := range s.Requests {
		request := &s.Requests[i]
		request.Path, request.Query, request.Body = clean(request.Path), clean(request.Query), clean(request.Body)
		request.Calls = scrubbed(request.Calls, clean)
	}
}

func scrubDifferences(list []steps.Difference, clean func(string) string) {
	for i := range list {
		d := &list[i]
		d.Where, d.Expected, d.Seen = clean(d.Where), clean(d.Expected), clean(d.Seen)
	}
}

// forgetBodies keeps reports small: nobody repeats a request of a scenario that passed.
func (s *ScenarioResult) forgetBodies() {
	for i := range s.Requests {
		r := &s.Requests[i]
		r.Query, r.Type, r.Body, r.Caller = "", "", "", nil
	}
}

// scrubbed gives copies of calls without secrets: a recorder shares what calls have in Inner.
func scrubbed(calls []wire.Call, clean func(string) string) []wire.Call {
	copies := slices.Clone(calls)
	for i := range copies {
		call := &copies[i]
		call.Blob, call.Filter, call.Prefix = clean(call.Blob), clean(call.Filter), clean(call.Prefix)
		call.Partition, call.Row = clean(call.Partition), clean(call.Row)
		call.Inner = scrubbed(call.Inner, clean)
	}
	return copies
}

// judge says which outcome an error of a scenario is.
func judge(err error) Outcome {
	var budget *steps.BudgetError
	var start *target.StartError
	var setup *target.SetupError
	switch {
	case err == nil:
		return Passed
	case errors.Is(err, godog.ErrSkip):
		return Skipped
	case errors.Is(err, godog.ErrUndefined), errors.Is(err, godog.ErrAmbiguous), errors.Is(err, godog.ErrPending), errors.Is(err, steps.ErrNoName),
		errors.As(err, &start), errors.As(err, &setup), errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrNoColdNamespace):
		return Errored
	case errors.As(err, &budget):
		return OverBudget
	}
	return Failed
}
