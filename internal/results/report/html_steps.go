package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/verify"
)

// pageStep is a step of a scenario that did not pass.
type pageStep struct {
	events.Step

	State   stepState
	Note    string // such as "in 4 of 9 orders"
	Sent    []*pageRequest
	Failure *pageFailure // of the step that failed
}

// stepState is what became of a step.
type stepState string

const (
	stepPassed stepState = "passed"
	stepFailed stepState = "failed"
	stepCases  stepState = "run in cases"
	stepNotRun stepState = "not run"
)

// Mark returns the sign before the step.
func (s stepState) Mark() string {
	return map[stepState]string{stepPassed: "✓", stepFailed: "✗", stepCases: "↻", stepNotRun: "○"}[s]
}

// pageFailure is what a scenario failed by.
type pageFailure struct {
	Reason      string // what the rest does not say
	Differences []matching.Difference
	Budget      *pageBudget
	Cases       *pageCases
}

// story shows a scenario step by step, as far as it ran, each step with the requests that it sent.
func (w *ruleWriter) story(shown *pageScenario, result *verify.ScenarioResult) {
	names := namesIn(result)
	failed := failedRequest(*result)
	requests := make([]*pageRequest, len(result.Requests))
	for i, request := range result.Requests {
		requests[i] = newPageRequest(request, names, i == failed)
		if i == failed {
			w.repeat(requests[i], request, result)
		}
	}
	failure := w.failure(result, names)
	if failure.Budget != nil && failure.Budget.request < len(requests) {
		requests[failure.Budget.request].Groups = nil // they are shown where they are judged
	}
	if scenario := w.stream.Of(result); scenario != nil {
		shown.Steps = stepsOf(scenario, result)
	}
	for i, request := range requests {
		if at := result.Requests[i].Step - 1; at >= 0 && at < len(shown.Steps) {
			shown.Steps[at].Sent = append(shown.Steps[at].Sent, request)
		} else {
			shown.Sent = append(shown.Sent, request)
		}
	}
	at := slices.IndexFunc(shown.Steps, func(s pageStep) bool { return s.State == stepFailed })
	if at < 0 {
		shown.Failure = failure
	} else {
		shown.Steps[at].Failure = failure
	}
	shown.fold()
}

// fold counts the steps at the beginning that only prepare and have passed.
func (s *pageScenario) fold() {
	sent, blamed := 0, false
	for _, step := range s.Steps {
		if !step.Prepares || step.State != stepPassed {
			break
		}
		s.Given++
		sent += len(step.Sent)
		blamed = blamed || slices.ContainsFunc(step.Sent, func(r *pageRequest) bool { return r.Blamed })
	}
	if s.GivenCounts = "Given: " + several(s.Given, "step"); sent > 0 {
		s.GivenCounts += ", " + several(sent, "request")
	}
	if blamed || s.Given == len(s.Steps) {
		s.Given = 0
	}
}

// Folded returns the steps that only prepare the scenario, and Told the others.
func (s *pageScenario) Folded() []pageStep { return s.Steps[:s.Given] }

// Told returns the steps that are not folded.
func (s *pageScenario) Told() []pageStep { return s.Steps[s.Given:] }

// stepsOf says what became of each step. The steps after one that is run in many cases are judged in each: they are
// shown for the first case that failed.
func stepsOf(scenario *events.Scenario, result *verify.ScenarioResult) []pageStep {
	reached := failedStep(scenario.Steps, result)
	list := make([]pageStep, len(scenario.Steps))
	for i, step := range scenario.Steps {
		list[i] = pageStep{Step: step, State: stepPassed}
		if reached >= 0 && i > reached || reached < 0 && i >= len(result.Steps) {
			list[i].State = stepNotRun
		}
	}
	if reached < 0 {
		return list
	}
	list[reached].State = stepFailed
	if len(result.Broken) == 0 || result.Broken[0].Step == "" {
		return list
	}
	for i := reached + 1; i < len(list); i++ {
		if list[i].Text != result.Broken[0].Step {
			continue
		}
		for at := reached + 1; at < i; at++ {
			list[at].State = stepPassed
		}
		list[reached].State, list[i].State = stepCases, stepFailed
		list[reached].Note = casesNote(result)
		break
	}
	return list
}

// failedStep returns the index of the step that did not pass, or -1: the last that was reached, or an earlier one that
// is blamed.
func failedStep(steps []events.Step, result *verify.ScenarioResult) int {
	if result.Step == "" {
		return -1
	}
	last := min(len(result.Steps), len(steps)) - 1
	for i := last; i >= 0; i-- {
		if steps[i].Text == result.Step {
			return i
		}
	}
	return last // its text has a secret in it
}

// budgetReport matches the part of a reason that lists the calls of a request: a line, and the indented ones below it.
// What comes after it, such as that the server exited, has another cause.
var budgetReport = regexp.MustCompile(`(?:^|\n)(?:over budget|under an exact budget): the storage calls of ` +
	`[^\n]*(?:\n [^\n]*)*`)

// budgetHint matches a hint in it.
var budgetHint = regexp.MustCompile(`\n +hint: [^\n]*`)

// exited matches what a reason says of the server itself, after what the steps say.
var exited = regexp.MustCompile(`(?s)(?:^|\n)(the server exited by itself: .*|the server's log holds .*)`)

// besides returns the part of a reason that is about the server itself, and not about the cases of a scenario.
func besides(reason string) string {
	if found := exited.FindStringSubmatch(reason); found != nil {
		return found[1]
	}
	return ""
}

// failure says what a scenario failed by, each thing once: what a table shows is removed from the reason.
func (w *ruleWriter) failure(result *verify.ScenarioResult, names func(string) string) *pageFailure {
	f := &pageFailure{Reason: names(result.Reason), Differences: result.Differences}
	if len(result.Broken) > 0 {
		f.Cases = w.cases(result)
		f.Reason, f.Differences = besides(f.Reason), nil
		return f
	}
	if f.Budget = brokenBudget(result); f.Budget != nil {
		hints := strings.Join(budgetHint.FindAllString(budgetReport.FindString(f.Reason), -1), "")
		f.Reason = strings.TrimSpace(budgetReport.ReplaceAllString(f.Reason, "") + hints)
	}
	if len(f.Differences) == 1 && f.Budget == nil && !strings.Contains(f.Reason, "\n") && short(f.Differences[0]) {
		f.Differences = nil // the sentence says the same
	}
	return f
}

// short reports whether a difference reads as well within a sentence.
func short(d matching.Difference) bool { return len(d.Expected)+len(d.Seen) < 60 }

func casesNote(result *verify.ScenarioResult) string {
	return fmt.Sprintf("run once for each %s; what follows is the first that failed", result.Broken[0].Kind)
}

// namesIn returns what puts the names of a scenario in the place of its ids and hashes.
func namesIn(result *verify.ScenarioResult) func(string) string {
	var pairs []string
	for id, name := range result.Names {
		pairs = append(pairs, id, "{"+name+"}")
	}
	return strings.NewReplacer(pairs...).Replace
}
