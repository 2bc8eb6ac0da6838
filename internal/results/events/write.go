package events

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"time"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/verify"
)

// protocol is the version of Cucumber Messages whose envelopes are written: the version of the module in go.mod.
const protocol = "34.2.0"

// Write writes a stream. documents are the feature files of its runs; files without a scenario that ran are omitted.
// now is when the runs had ended.
func Write(w io.Writer, s Stream, documents []verify.Document, now time.Time) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	e := &encoder{json: json.NewEncoder(buffered)}
	e.json.SetEscapeHTML(false)
	s.Header.Format = Format
	e.cucumber(messages.Envelope{Meta: &messages.Meta{
		ProtocolVersion: protocol,
		Implementation:  &messages.Product{Name: "storespec", Version: s.Header.Version},
		Runtime:         &messages.Product{Name: "go", Version: runtime.Version()},
		Os:              &messages.Product{Name: runtime.GOOS},
		Cpu:             &messages.Product{Name: runtime.GOARCH},
	}})
	e.storespec(envelope{Header: &s.Header, Runs: len(s.Runs)})
	e.features(s.Runs, documents)
	e.cucumber(messages.Envelope{TestRunStarted: &messages.TestRunStarted{Timestamp: stamp(began(s.Runs, now)),
		Id: testRun}})
	success := true
	for _, run := range s.Runs {
		e.run(run, s.Header)
		success = success && holds(run.Verdict(s.Header.Strict, s.Header.BudgetsWarn))
	}
	e.cucumber(messages.Envelope{TestRunFinished: &messages.TestRunFinished{Success: success, Timestamp: stamp(now),
		TestRunStartedId: testRun}})
	if e.err != nil {
		return fmt.Errorf("write the event stream: %w", e.err)
	}
	return buffered.Flush()
}

// testRun is the id of the only test run in a stream.
const testRun = "run"

// encoder writes lines until one fails.
type encoder struct {
	json    *json.Encoder
	number  int // of lines written
	err     error
	pickles map[place]*messages.Pickle
}

func (e *encoder) line(l any) {
	if e.err == nil {
		e.number++
		e.err = e.json.Encode(l)
	}
}

func (e *encoder) cucumber(m messages.Envelope) { e.line(m) }

func (e *encoder) storespec(own envelope) {
	own.Number = e.number + 1
	e.line(line{Storespec: &own})
}

// features writes the feature files that have a scenario with a result, and those scenarios.
func (e *encoder) features(runs []Run, documents []verify.Document) {
	ran := map[place]bool{}
	for _, run := range runs {
		for _, result := range run.Result.All() {
			ran[placeOf(&result)] = true
		}
	}
	e.pickles = map[place]*messages.Pickle{}
	for _, document := range documents {
		var cases []*messages.Pickle
		for _, pickle := range document.Pickles {
			if at := (place{pickle.Uri, int(pickle.Location.Line), pickle.Name}); ran[at] {
				cases, e.pickles[at] = append(cases, pickle), pickle
			}
		}
		if len(cases) == 0 {
			continue
		}
		e.cucumber(messages.Envelope{GherkinDocument: document.Tree})
		for _, pickle := range cases {
			e.cucumber(messages.Envelope{Pickle: pickle})
			e.cucumber(messages.Envelope{TestCase: testCase(pickle)})
		}
	}
}

func (e *encoder) run(run Run, h Header) {
	opening := begin{System: run.System, Asked: run.Asked}
	closing := end{System: run.System, Unbegun: run.Result == nil}
	closing.Outcome, _ = since(run.Verdict(h.Strict, h.BudgetsWarn))
	if run.Err != nil {
		closing.Error = run.Err.Error()
	}
	if r := run.Result; r != nil {
		opening.Target, opening.Store, opening.StoreVersion, opening.Lanes = r.Target, r.Store, r.Version, r.Lanes
		opening.Zone = r.Zone
		closing.StorageCalls, closing.Attribution, closing.Duration, closing.Interrupted = r.Calls, r.Attributed,
			r.Duration, r.Interrupted
		closing.Share, closing.Stopped, closing.Confirming = r.Share, r.Stopped, r.Confirming
	}
	e.storespec(envelope{Begin: &opening})
	if run.Result != nil {
		for _, r := range run.Result.Rules {
			known, precisely := since(r.Outcome)
			e.storespec(envelope{Rule: &rule{r.Rule, known}, Precisely: precisely})
			for i := range r.Results {
				e.scenario(&r.Results[i])
			}
		}
	}
	e.storespec(envelope{End: &closing})
}

// holds reports whether an outcome leaves the exit status at 0.
func holds(outcome verify.Outcome) bool {
	switch outcome {
	case verify.Passed, verify.Skipped, verify.KnownFailing:
		return true
	}
	return false
}
