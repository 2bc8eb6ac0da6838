package events

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/verify"
)

// Error says why a stream cannot be read, and where.
type Error struct {
	Name   string // of the file
	Line   int    // from 1
	Reason string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Reason) }

// Read reads a whole stream. name is for errors. It refuses a stream that is cut off, was written by another program or
// by a later storespec, or has its lines in a different order, with an *Error.
func Read(name string, from io.Reader) (*Stream, error) {
	r := &reader{name: name, known: cucumberEnvelopes()}
	lines := bufio.NewReaderSize(from, 1<<16)
	for {
		text, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read the event stream %s: %w", name, err)
		}
		if len(bytes.TrimSpace(text)) > 0 {
			r.number++
			if r.number == 1 {
				text = bytes.TrimPrefix(text, []byte(byteOrderMark))
			}
			if failed := r.line(text); failed != nil {
				return nil, failed
			}
		}
		if err != nil {
			return r.whole()
		}
	}
}

// byteOrderMark begins a file that some editors have saved.
const byteOrderMark = "\ufeff"

// reader is the state of reading a stream.
type reader struct {
	name     string
	known    map[string]bool // allowed members of a Cucumber envelope
	number   int
	stream   Stream
	header   bool
	format   int
	runs     int  // how many there must be; 0: the stream does not say
	numbered bool // the lines of storespec have numbers
	open     bool // the last run has not ended yet
	finished bool

	documents []verify.Document
}

func (r *reader) refuse(format string, args ...any) error {
	return &Error{r.name, r.number, fmt.Sprintf(format, args...)}
}

// whole returns the stream, if its last line was read.
func (r *reader) whole() (*Stream, error) {
	switch {
	case r.number == 0:
		return nil, &Error{r.name, 1, "it is empty; an event stream begins with the line {\"meta\":…}"}
	case !r.finished:
		return nil, r.refuse("the event stream is cut off after this line: there is no testRunFinished")
	}
	r.stream.Scenarios = ScenariosOf(r.documents)
	return &r.stream, nil
}

func (r *reader) line(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		if !bytes.HasSuffix(text, []byte("\n")) && (r.number > 1 || bytes.HasPrefix(text, []byte(`{"meta":`))) {
			return r.refuse("the event stream is cut off in this line")
		}
		if bytes.HasPrefix(text, []byte(byteOrderMark)) {
			return r.refuse("a byte order mark (U+FEFF) begins this line, as after joining two files: remove it")
		}
		return r.refuse("this is not a JSON object, as each line of an event stream is")
	}
	own, ours := members["storespec"]
	switch _, meta := members["meta"]; {
	case r.number == 1 && !meta:
		return r.refuse("this is not an event stream: it does not begin with the line {\"meta\":…}")
	case r.finished:
		return r.refuse("the event stream goes on after testRunFinished")
	case r.number == 2 && !ours:
		return r.refuse("this event stream was not written by storespec: its second line is not {\"storespec\":…}")
	case ours:
		return r.own(own)
	}
	for member := range members {
		if !r.known[member] {
			return r.refuse("%q is not an envelope of Cucumber Messages %s", member, protocol)
		}
	}
	if err := r.wording(members); err != nil {
		return err
	}
	_, r.finished = members["testRunFinished"]
	switch {
	case r.finished && r.open:
		return r.refuse("the run of %s has no end", r.last().System)
	case r.finished && r.runs > len(r.stream.Runs):
		return r.refuse("lines are missing before this one: the stream has %d of its %d runs", len(r.stream.Runs),
			r.runs)
	}
	return nil
}

// wording keeps what a feature file says. A pickle follows the document that it is of.
func (r *reader) wording(members map[string]json.RawMessage) error {
	if text := members["gherkinDocument"]; text != nil {
		document := verify.Document{Tree: &messages.GherkinDocument{}}
		if err := json.Unmarshal(text, document.Tree); err != nil {
			return r.refuse("its gherkinDocument cannot be read: %v", err)
		}
		r.documents = append(r.documents, document)
	}
	if text := members["pickle"]; text != nil {
		pickle := &messages.Pickle{}
		if err := json.Unmarshal(text, pickle); err != nil {
			return r.refuse("its pickle cannot be read: %v", err)
		}
		if len(r.documents) == 0 {
			return r.refuse("its pickle is of no gherkinDocument")
		}
		last := &r.documents[len(r.documents)-1]
		last.Pickles = append(last.Pickles, pickle)
	}
	return nil
}

// own reads one of storespec's envelopes.
func (r *reader) own(text json.RawMessage) error {
	var e envelope
	if err := json.Unmarshal(text, &e); err != nil {
		return r.refuse("the envelope of storespec cannot be read: %v", err)
	}
	if err := r.counted(e); err != nil {
		return err
	}
	switch {
	case e.Header != nil:
		if r.header {
			return r.refuse("a second header")
		}
		if e.Header.Format < oldest || e.Header.Format > Format {
			return r.refuse("it is of format %d, and this storespec reads format %d", e.Header.Format, Format)
		}
		r.stream.Header, r.header, r.format, r.runs = *e.Header, true, e.Header.Format, e.Runs
		r.stream.Header.Format = Format // what is read is converted to this format
	case !r.header:
		return r.refuse("there is no header before it")
	case e.Begin != nil:
		if r.open {
			return r.refuse("the run of %s has no end before that of %s begins", r.last().System, e.Begin.System)
		}
		if shard := e.Begin.Shard; shard != nil {
			if _, err := verify.ParseShard(shard.String()); err != nil {
				return r.refuse("%v", err)
			}
		}
		r.open = true
		r.stream.Runs = append(r.stream.Runs, Run{System: e.Begin.System, Asked: e.Begin.Asked, Result: &verify.Result{
			Target: e.Begin.Target, Store: e.Begin.Store, Version: e.Begin.StoreVersion, Lanes: e.Begin.Lanes,
			Zone: e.Begin.Zone,
		}})
	case !r.open:
		return r.refuse("it is of no run: none has begun")
	case e.Rule != nil && !e.Rule.Outcome.Known():
		return r.refuse("%q is not an outcome of a rule", e.Rule.Outcome)
	case e.Rule != nil:
		r.last().Result.Rules = append(r.last().Result.Rules,
			verify.RuleResult{Rule: e.Rule.Rule, Outcome: e.precise(e.Rule.Outcome)})
	case e.Scenario != nil:
		if r.format == oldest {
			if err := completeFormat1(e.Scenario, text); err != nil {
				return r.refuse("the envelope of storespec cannot be read: %v", err)
			}
		}
		if e.Scenario.Outcome.Known() {
			e.Scenario.Outcome = e.precise(e.Scenario.Outcome)
		}
		return r.scenario(*e.Scenario)
	case e.End != nil:
		return r.end(*e.End)
	default:
		return r.refuse("the envelope of storespec holds nothing that format %d knows", Format)
	}
	return nil
}

// counted refuses a line whose number shows that lines before it were removed or added.
func (r *reader) counted(e envelope) error {
	if e.Header != nil && !r.header {
		r.numbered = e.Number > 0
	}
	switch missing := e.Number - r.number; {
	case !r.numbered && e.Number == 0, missing == 0:
		return nil
	case e.Number == 0:
		return r.refuse("the line has no number, but those before it have")
	case missing == 1:
		return r.refuse("a line is missing before this one: its number is %d", e.Number)
	case missing > 0:
		return r.refuse("%d lines are missing before this one: its number is %d", missing, e.Number)
	}
	return r.refuse("there are lines too many before this one: its number is %d", e.Number)
}

func (r *reader) last() *Run { return &r.stream.Runs[len(r.stream.Runs)-1] }

func (r *reader) scenario(result verify.ScenarioResult) error {
	rules := r.last().Result.Rules
	if len(rules) == 0 || rules[len(rules)-1].ID != result.Rule {
		return r.refuse("a scenario of %s does not follow its rule", result.Rule)
	}
	if !result.Outcome.Known() {
		return r.refuse("%q is not an outcome of a scenario", result.Outcome)
	}
	for _, budget := range result.Budgets {
		if budget.Request < 0 {
			return r.refuse("a budget is of request %d", budget.Request)
		}
		if budget.Request < len(result.Requests) && !within(len(result.Requests[budget.Request].Calls), budget.Odd) {
			return r.refuse("a budget marks calls %v of a request that has %d", budget.Odd,
				len(result.Requests[budget.Request].Calls))
		}
	}
	rule := &rules[len(rules)-1]
	rule.Results = append(rule.Results, result)
	return nil
}

// within reports whether all are indices of a list of length n.
func within(n int, indices []int) bool {
	return !slices.ContainsFunc(indices, func(i int) bool { return i < 0 || i >= n })
}

func (r *reader) end(e end) error {
	run := r.last()
	switch {
	case e.Unbegun && e.Error == "":
		return r.refuse("the run of %s could not begin, and the stream does not say why", run.System)
	case e.Error != "":
		run.Err = errors.New(e.Error)
	}
	run.Result.Calls, run.Result.Attributed, run.Result.Duration, run.Result.Interrupted = e.StorageCalls,
		e.Attribution, e.Duration, e.Interrupted
	run.Result.Share, run.Result.Stopped, run.Result.Confirming = e.Share, e.Stopped, e.Confirming
	if e.Unbegun {
		run.Result = nil
	}
	r.open = false
	return nil
}

// cucumberEnvelopes returns the members that a Cucumber Messages envelope may have.
func cucumberEnvelopes() map[string]bool {
	known := map[string]bool{}
	for envelope, i := reflect.TypeFor[messages.Envelope](), 0; i < envelope.NumField(); i++ {
		name, _, _ := strings.Cut(envelope.Field(i).Tag.Get("json"), ",")
		known[name] = true
	}
	return known
}
