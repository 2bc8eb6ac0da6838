package events

import (
	"fmt"
	"iter"
	"time"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/verify"
)

// results is every scenario's result of a run.
func results(run Run) iter.Seq[verify.ScenarioResult] {
	return func(yield func(verify.ScenarioResult) bool) {
		if run.Result == nil {
			return
		}
		for _, rule := range run.Result.Rules {
			for _, result := range rule.Results {
				if !yield(result) {
					return
				}
			}
		}
	}
}

// place is a scenario's name within a stream.
func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// testCase is a scenario as something that is run: one test step for each of its steps.
func testCase(pickle *messages.Pickle) *messages.TestCase {
	t := &messages.TestCase{Id: "case " + pickle.Id, PickleId: pickle.Id, TestRunStartedId: testRun}
	for _, step := range pickle.Steps {
		t.TestSteps = append(t.TestSteps, &messages.TestStep{Id: "step " + step.Id, PickleStepId: step.Id})
	}
	return t
}

// scenario writes what became of a scenario: storespec's envelope within those of Cucumber.
func (e *encoder) scenario(result *verify.ScenarioResult) {
	pickle := e.pickles[place(result.File, result.Line)]
	if pickle == nil { // of a feature file that the caller has not given
		e.storespec(envelope{Scenario: result})
		return
	}
	id, at := "started "+pickle.Id, result.Start
	e.cucumber(messages.Envelope{TestCaseStarted: &messages.TestCaseStarted{Id: id, TestCaseId: "case " + pickle.Id, Timestamp: stamp(at)}})
	e.storespec(envelope{Scenario: result})
	for i, step := range pickle.Steps {
		found := stepResult(result, i)
		e.cucumber(messages.Envelope{TestStepStarted: &messages.TestStepStarted{TestCaseStartedId: id, TestStepId: "step " + step.Id, Timestamp: stamp(at)}})
		if i < len(result.Steps) {
			at = at.Add(result.Steps[i])
		}
		// What holds after every scenario belongs to none of its steps; Cucumber has nowhere else to put it.
		if last := i == len(pickle.Steps)-1; last && found.Status == messages.TestStepResultStatus_PASSED && result.Outcome != verify.Passed {
			found.Status, found.Message = status(result.Outcome), result.Reason
		}
		e.cucumber(messages.Envelope{TestStepFinished: &messages.TestStepFinished{TestCaseStartedId: id, TestStepId: "step " + step.Id, TestStepResult: found, Timestamp: stamp(at)}})
	}
	e.cucumber(messages.Envelope{TestCaseFinished: &messages.TestCaseFinished{TestCaseStartedId: id, Timestamp: stamp(result.Start.Add(result.Duration))}})
}

// stepResult is what became of step i of a scenario, from 0: the last one that was reached is the one that failed.
func stepResult(result *verify.ScenarioResult, i int) *messages.TestStepResult {
	switch reached := len(result.Steps); {
	case i >= reached:
		return &messages.TestStepResult{Duration: lasting(0), Status: messages.TestStepResultStatus_SKIPPED}
	case i == reached-1 && result.Step != "":
		return &messages.TestStepResult{Duration: lasting(result.Steps[i]), Status: status(result.Outcome), Message: result.Reason}
	default:
		return &messages.TestStepResult{Duration: lasting(result.Steps[i]), Status: messages.TestStepResultStatus_PASSED}
	}
}

// status is the nearest that Cucumber knows. A known failure has failed; that it is known is storespec's to say.
func status(outcome verify.Outcome) messages.TestStepResultStatus {
	switch outcome {
	case verify.Passed:
		return messages.TestStepResultStatus_PASSED
	case verify.Skipped:
		return messages.TestStepResultStatus_SKIPPED
	}
	return messages.TestStepResultStatus_FAILED
}

// began is when the first scenario did, or now when there was none.
func began(runs []Run, now time.Time) time.Time {
	first := now
	for _, run := range runs {
		for result := range results(run) {
			if !result.Start.IsZero() && result.Start.Before(first) {
				first = result.Start
			}
		}
	}
	return first
}

// stamp is an instant. That of a scenario that was not begun is the epoch.
func stamp(t time.Time) *messages.Timestamp {
	if t.IsZero() {
		return &messages.Timestamp{}
	}
	stamp := messages.GoTimeToTimestamp(t)
	return &stamp
}

func lasting(d time.Duration) *messages.Duration {
	duration := messages.GoDurationToDuration(d)
	return &duration
}
