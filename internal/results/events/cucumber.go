package events

import (
	"time"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/verify"
)

// place is a scenario within a stream. Those of one line differ in their names.
type place struct {
	file string
	line int
	name string
}

func placeOf(result *verify.ScenarioResult) place {
	return place{result.File, result.Line, result.Name}
}

// testCase returns a scenario as a test case: one test step for each of its steps.
func testCase(pickle *messages.Pickle) *messages.TestCase {
	t := &messages.TestCase{Id: "case " + pickle.Id, PickleId: pickle.Id, TestRunStartedId: testRun}
	for _, step := range pickle.Steps {
		t.TestSteps = append(t.TestSteps, &messages.TestStep{Id: "step " + step.Id, PickleStepId: step.Id})
	}
	return t
}

// scenario writes a scenario's result: storespec's envelope within those of Cucumber.
func (e *encoder) scenario(result *verify.ScenarioResult) {
	pickle := e.pickles[placeOf(result)]
	if pickle == nil { // the caller did not provide its feature file
		e.storespec(scenarioLine(*result))
		return
	}
	id, at := "started "+pickle.Id, result.Start
	e.cucumber(messages.Envelope{TestCaseStarted: &messages.TestCaseStarted{Id: id, TestCaseId: "case " + pickle.Id,
		Timestamp: stamp(at)}})
	e.storespec(scenarioLine(*result))
	for i, step := range pickle.Steps {
		found := stepResult(result, i)
		e.cucumber(messages.Envelope{TestStepStarted: &messages.TestStepStarted{TestCaseStartedId: id,
			TestStepId: "step " + step.Id, Timestamp: stamp(at)}})
		if i < len(result.Steps) {
			at = at.Add(result.Steps[i])
		}
		// The checks after every scenario belong to none of its steps; Cucumber has no other place for them.
		if last := i == len(pickle.Steps)-1; last && found.Status == messages.TestStepResultStatus_PASSED &&
			result.Outcome != verify.Passed {
			found.Status, found.Message = status(result.Outcome), result.Reason
		}
		e.cucumber(messages.Envelope{TestStepFinished: &messages.TestStepFinished{TestCaseStartedId: id,
			TestStepId: "step " + step.Id, TestStepResult: found, Timestamp: stamp(at)}})
	}
	e.cucumber(messages.Envelope{TestCaseFinished: &messages.TestCaseFinished{TestCaseStartedId: id,
		Timestamp: stamp(result.Start.Add(result.Duration))}})
}

func scenarioLine(result verify.ScenarioResult) envelope {
	line := envelope{Scenario: &result}
	result.Outcome, line.Precisely = since(result.Outcome)
	return line
}

// stepResult returns the result of step i of a scenario, from 0: the last step reached is the one that failed.
func stepResult(result *verify.ScenarioResult, i int) *messages.TestStepResult {
	switch reached := len(result.Steps); {
	case i >= reached:
		return &messages.TestStepResult{Duration: lasting(0), Status: messages.TestStepResultStatus_SKIPPED}
	case i == reached-1 && result.Step != "":
		return &messages.TestStepResult{Duration: lasting(result.Steps[i]), Status: status(result.Outcome),
			Message: result.Reason}
	default:
		return &messages.TestStepResult{Duration: lasting(result.Steps[i]),
			Status: messages.TestStepResultStatus_PASSED}
	}
}

// status returns the closest status in Cucumber. A known failure has failed; only storespec's envelope says it is
// known.
func status(outcome verify.Outcome) messages.TestStepResultStatus {
	switch outcome {
	case verify.Passed:
		return messages.TestStepResultStatus_PASSED
	case verify.Skipped:
		return messages.TestStepResultStatus_SKIPPED
	}
	return messages.TestStepResultStatus_FAILED
}

// began returns when the first scenario began, or now if there was none.
func began(runs []Run, now time.Time) time.Time {
	first := now
	for _, run := range runs {
		for _, result := range run.Result.All() {
			if !result.Start.IsZero() && result.Start.Before(first) {
				first = result.Start
			}
		}
	}
	return first
}

// stamp converts an instant. That of a scenario that did not begin is the epoch.
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
