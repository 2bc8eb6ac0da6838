package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	messages "github.com/cucumber/messages/go/v34"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

const feature = `Feature: Groups
  @FS-GRP-1
  Rule: A name is kept
    > A group has a name.

    Scenario: It is shown
      Given Ana is signed in
      When Ana sends GET /api/me/groups
      Then the answer is 200

    Scenario: It costs one read
      Given Ana is signed in
      When Ana sends GET /api/me/groups
      Then the answer is 200
`

func at(ms int) time.Time { return time.UnixMilli(1_700_000_000_000 + int64(ms)).UTC() }

// sample is a stream with a run that was judged and one that could not begin, and the feature files of the first.
func sample(t *testing.T) (Stream, []verify.Document) {
	t.Helper()
	catalogue, err := verify.Load(fstest.MapFS{"familyscheduler/groups.feature": {Data: []byte(feature)}},
		system.System{Name: "familyscheduler"})
	if err != nil {
		t.Fatal(err)
	}
	rule := catalogue.Rules[0]
	results := make([]verify.ScenarioResult, len(rule.Scenarios))
	for i, s := range rule.Scenarios {
		results[i] = verify.ScenarioResult{Rule: rule.ID, Name: s.Name, File: s.File, Line: s.Line, Start: at(i * 10),
			Duration: 9 * time.Millisecond}
	}
	results[0].Outcome, results[0].Steps = verify.Passed, []time.Duration{1, 2, 3}
	read := azure.Completed(wire.Call{Service: azure.Table, Class: azure.PartitionQuery, Resource: "UserGroups",
		Key:    []string{"a"},
		Status: 200, Entities: 2, Start: at(12), Duration: time.Millisecond, Attempts: 1, ByTrace: true})
	results[1].Outcome, results[1].Steps, results[1].Step = verify.Failed, []time.Duration{1, 2},
		"Ana sends GET /api/me/groups"
	results[1].Reason = "1 of 3 faults broke it"
	results[1].Requests = []scenario.Exchange{{Person: "Ana", Method: "GET", Path: "/api/me/groups", Status: 200,
		Start: at(11), Duration: 3 * time.Millisecond, Calls: []wire.Call{read}}}
	results[1].Budgets = []budget.Budget{{Step: "the storage calls are at most",
		Allowed: []budget.Allowance{{Service: azure.Table, Call: "page", On: "UserGroups", Count: 1}}, Odd: []int{0}}}
	results[1].Cases = []cases.CaseSummary{{Kind: "fault", Run: 3}}
	results[1].Broken = []cases.BrokenCase{{Kind: "fault", Name: "no answer to table insert", Reason: "a row is lost",
		Replay: "dG9rZW4"}}
	return Stream{
		Header: Header{Format: Format, Version: "v0.1.0", Strict: true},
		Runs: []Run{
			{System: "familyscheduler", Asked: Asked{Suite: catalogue.Suite, Started: "command", Faults: "default",
				Orders: 200, Seed: 1}, Result: &verify.Result{
				Target: "node server.js", Store: "azurite", Version: "3.35.0", Lanes: 4, Calls: 7,
				Zone:       "Pacific/Kiritimati",
				Attributed: wire.Attribution{ByTrace: 7}, Duration: time.Second,
				Rules: []verify.RuleResult{{Rule: rule, Outcome: verify.Failed, Results: results}},
			}},
			{System: "actions", Asked: Asked{Started: "command"}, Err: errors.New("the server did not start")},
		},
		Scenarios: ScenariosOf(catalogue.Documents),
	}, catalogue.Documents
}

func written(t *testing.T) string {
	t.Helper()
	stream, documents := sample(t)
	var text strings.Builder
	if err := Write(&text, stream, documents, at(100)); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	want, _ := sample(t)
	got, err := Read("run.ndjson", strings.NewReader(written(t)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got, cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) }),
		cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the stream has changed (-written +read):\n%s", diff)
	}
}

// Filled examples have one line, and each has its own test case and its own result.
func TestFilledExamplesHaveTestCasesOfTheirOwn(t *testing.T) {
	const feature = "Feature: F\n  Background:\n    Given the gated routes\n      | route | request |\n" +
		"      | GET /a | |\n      | GET /b | |\n      | GET /c | |\n  @S-A-1\n  Rule: R\n    > c\n" +
		"    Scenario Outline: <route>\n      Given L stands for \"l\"\n      When Ana calls <route> for L\n" +
		"      Then the answer is 200\n      Examples: every gated route\n"
	catalogue, err := verify.Load(fstest.MapFS{"s/a.feature": {Data: []byte(feature)}}, system.System{Name: "s"})
	if err != nil {
		t.Fatal(err)
	}
	ran := verify.RuleResult{Rule: catalogue.Rules[0], Outcome: verify.Failed}
	for i, s := range catalogue.Rules[0].Scenarios[:2] { // the third belongs to another shard
		ran.Results = append(ran.Results, verify.ScenarioResult{Rule: "S-A-1", Name: s.Name, File: s.File, Line: s.Line,
			Outcome: []verify.Outcome{verify.Failed, verify.Passed}[i], Steps: []time.Duration{1, 1, 1, 1}})
	}
	var text strings.Builder
	stream := Stream{Runs: []Run{{System: "s", Result: &verify.Result{Rules: []verify.RuleResult{ran}}}}}
	if err := Write(&text, stream, catalogue.Documents, at(100)); err != nil {
		t.Fatal(err)
	}
	names, worst := map[string]string{}, map[string]messages.TestStepResultStatus{}
	for line := range strings.Lines(text.String()) {
		var e messages.Envelope
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		switch {
		case e.Pickle != nil:
			names["started "+e.Pickle.Id] = e.Pickle.Name
		case e.TestStepFinished != nil:
			worst[names[e.TestStepFinished.TestCaseStartedId]] = e.TestStepFinished.TestStepResult.Status
		}
	}
	want := map[string]messages.TestStepResultStatus{"GET /a": messages.TestStepResultStatus_FAILED,
		"GET /b": messages.TestStepResultStatus_PASSED}
	if diff := cmp.Diff(want, worst); diff != "" || len(names) != 2 {
		t.Errorf("%d test cases end with (-want +got):\n%s", len(names), diff)
	}
}

// Every line is one that Cucumber's own types read, or storespec's; what happens to the second scenario is written.
func TestCucumberReadsTheStream(t *testing.T) {
	var (
		pickles, cases, finished int
		statuses                 []messages.TestStepResultStatus
		last                     *messages.TestRunFinished
	)
	for text := range strings.Lines(written(t)) {
		if strings.HasPrefix(text, `{"storespec":{`) {
			continue
		}
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		var e messages.Envelope
		if err := decoder.Decode(&e); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		switch {
		case e.Pickle != nil:
			pickles++
		case e.TestCase != nil:
			cases++
		case e.TestStepFinished != nil:
			statuses = append(statuses, e.TestStepFinished.TestStepResult.Status)
		case e.TestCaseFinished != nil:
			finished++
		case e.TestRunFinished != nil:
			last = e.TestRunFinished
		}
	}
	if pickles != 2 || cases != 2 || finished != 2 {
		t.Errorf("%d pickles, %d test cases, %d of them finished; want 2 of each", pickles, cases, finished)
	}
	if diff := cmp.Diff([]messages.TestStepResultStatus{"PASSED", "PASSED", "PASSED", "PASSED", "FAILED", "SKIPPED"},
		statuses); diff != "" {
		t.Errorf("statuses of steps (-want +got):\n%s", diff)
	}
	if last == nil || last.Success {
		t.Errorf("the run's end is %+v, want one without success", last)
	}
}

// A rule of what holds after every scenario belongs to no step; the scenario must not look as if it had passed.
func TestWhatHoldsAfterAScenarioIsToldAtItsLastStep(t *testing.T) {
	stream, documents := sample(t)
	result := &stream.Runs[0].Result.Rules[0].Results[0]
	result.Outcome, result.Reason = verify.Failed, "the log holds an e-mail"
	var text strings.Builder
	if err := Write(&text, stream, documents, at(100)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), `"message":"the log holds an e-mail","status":"FAILED"`) {
		t.Errorf("no step has failed:\n%s", text.String())
	}
}

// An older reader must not stumble over an outcome that it does not know, and neither must this one.
func TestOutcomesThatAreNewerThanTheFormat(t *testing.T) {
	stream, documents := sample(t)
	rule := &stream.Runs[0].Result.Rules[0]
	rule.Outcome, rule.Results[1].Outcome = verify.NotPrepared, verify.NotPrepared
	var text strings.Builder
	if err := Write(&text, stream, documents, at(100)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), `"outcome":"not prepared"`) {
		t.Errorf("a reader of format 2 stumbles over it:\n%s", text.String())
	}
	for said, want := range map[string]verify.Outcome{"not prepared": verify.NotPrepared, "sprocket": verify.Failed} {
		got, err := Read("run.ndjson", strings.NewReader(
			strings.ReplaceAll(text.String(), `"precisely":"not prepared"`, `"precisely":"`+said+`"`)))
		if err != nil {
			t.Fatal(err)
		}
		read := got.Runs[0].Result.Rules[0]
		if read.Outcome != want || read.Results[1].Outcome != want || read.Results[0].Outcome != verify.Passed {
			t.Errorf("precisely %s: the rule is %s, its scenarios %s and %s", said, read.Outcome,
				read.Results[0].Outcome, read.Results[1].Outcome)
		}
	}
}

// unnumbered is a stream as an older storespec wrote it.
func unnumbered(stream string) string {
	return regexp.MustCompile(`(,"runs":\d+)?,"number":\d+`).ReplaceAllString(stream, "")
}

func TestStreamsWithoutNumbersAreRead(t *testing.T) {
	want, err := Read("run.ndjson", strings.NewReader(written(t)))
	if err != nil {
		t.Fatal(err)
	}
	old := unnumbered(written(t))
	if strings.Contains(old, `"number"`) {
		t.Fatal("it still has numbers")
	}
	got, err := Read("run.ndjson", strings.NewReader(old))
	if err != nil {
		t.Fatal(err)
	}
	sameText := cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
	if diff := cmp.Diff(want, got, sameText); diff != "" {
		t.Errorf("(-with numbers +without):\n%s", diff)
	}
}

// Every line but the last can be missed, since a reader knows from the last that the stream is whole.
func TestEachLineThatIsRemovedIsMissed(t *testing.T) {
	lines := strings.SplitAfter(strings.TrimSuffix(written(t), "\n"), "\n")
	for i := range lines {
		left := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
		stream, err := Read("run.ndjson", strings.NewReader(left))
		if _, ok := errors.AsType[*Error](err); !ok {
			t.Errorf("without line %d, %s: read %v, %v; want an *Error", i+1, lines[i], stream, err)
		}
	}
}

// Some editors and shells put a byte order mark at the beginning of a file.
func TestByteOrderMark(t *testing.T) {
	if _, err := Read("run.ndjson", strings.NewReader("\ufeff"+written(t))); err != nil {
		t.Error(err)
	}
}

func TestStreamsThatCannotBeUsed(t *testing.T) {
	whole := unnumbered(written(t))
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	without := func(unwanted string) string {
		var kept strings.Builder
		for _, text := range lines {
			if !strings.HasPrefix(text, unwanted) {
				kept.WriteString(text)
			}
		}
		return kept.String()
	}
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", `run.ndjson:1: it is empty; an event stream begins with the line {"meta":…}`},
		{"no JSON", "hello\n", `run.ndjson:1: this is not a JSON object, as each line of an event stream is`},
		{"another program's JSON", `{"name":"left-pad"}`,
			`run.ndjson:1: this is not an event stream: it does not begin with the line {"meta":…}`},
		{"of another Cucumber", lines[0] + `{"source":{}}`,
			`run.ndjson:2: this event stream was not written by storespec: its second line is not {"storespec":…}`},
		{"cut in the first line", lines[0][:20], `run.ndjson:1: the event stream is cut off in this line`},
		{"cut in a line", lines[0] + lines[1] + lines[2][:20],
			`run.ndjson:3: the event stream is cut off in this line`},
		{"cut between lines", lines[0] + lines[1],
			`run.ndjson:2: the event stream is cut off after this line: there is no testRunFinished`},
		{"longer than whole", whole + lines[0], `goes on after testRunFinished`},
		{"of a later storespec", strings.Replace(whole, `"format":2`, `"format":3`, 1),
			`run.ndjson:2: it is of format 3, and this storespec reads format 2`},
		{"an unknown envelope", strings.Replace(whole, `{"testRunStarted"`, `{"sprocket"`, 1),
			`"sprocket" is not an envelope of Cucumber Messages 34.2.0`},
		{"an unknown envelope of ours", strings.Replace(whole, `{"storespec":{"rule"`, `{"storespec":{"ruler"`, 1),
			`holds nothing that format 2 knows`},
		{"a number for a text", strings.Replace(whole, `"target":"node server.js"`, `"target":1`, 1),
			`the envelope of storespec cannot be read`},
		{"no run around a rule", without(`{"storespec":{"begin"`), `it is of no run: none has begun`},
		{"no end of a run", without(`{"storespec":{"end"`),
			`the run of familyscheduler has no end before that of actions begins`},
		{"no rule above a scenario", without(`{"storespec":{"rule"`),
			`a scenario of FS-GRP-1 does not follow its rule`},
		{"an invalid shard", strings.Replace(whole, `"seed":1,`, `"seed":1,"shard":{"index":3,"count":2000000000},`,
			1), `invalid shard "3/2000000000"`},
		{"a budget of no request", strings.Replace(whole, `"request":0`, `"request":-1`, 1),
			`a budget is of request -1`},
		{"a budget of no call", strings.Replace(whole, `"odd":[0]`, `"odd":[1]`, 1),
			`a budget marks calls [1] of a request that has 1`},
		{"an outcome of nobody's", strings.Replace(whole, `"outcome":"passed"`, `"outcome":"sprocket"`, 1),
			`"sprocket" is not an outcome of a scenario`},
		{"an outcome of no rule", strings.Replace(whole, `"outcome":"failed"}}`, `"outcome":""}}`, 1),
			`"" is not an outcome of a rule`},
		{"no reason", strings.Replace(whole, `"error":"the server did not start",`, ``, 1),
			`the run of actions could not begin, and the stream does not say why`},
		{"two headers", strings.Replace(whole, lines[1], lines[1]+lines[1], 1), `run.ndjson:3: a second header`},
	} {
		t.Run(test.name, func(t *testing.T) { refused(t, test.text, test.want) })
	}
}

// refused expects that a stream cannot be read, for a reason in one line.
func refused(t *testing.T, text, want string) {
	t.Helper()
	stream, err := Read("run.ndjson", strings.NewReader(text))
	if malformed, ok := errors.AsType[*Error](err); !ok || !strings.Contains(malformed.Error(), want) ||
		strings.Contains(malformed.Error(), "\n") {
		t.Errorf("read %v, %v; want an *Error with %q in one line", stream, err, want)
	}
}

func TestStreamsWithLinesMissingOrAdded(t *testing.T) {
	numbered := written(t)
	firstScenario := strings.Index(numbered, `{"storespec":{"scenario"`)
	endOfScenario := firstScenario + strings.Index(numbered[firstScenario:], "\n") + 1
	lastRun := strings.LastIndex(numbered, `{"storespec":{"begin"`)
	finished := strings.LastIndex(numbered, `{"testRunFinished"`)
	for _, test := range []struct{ name, text, want string }{
		{"a scenario is missing", numbered[:firstScenario] + numbered[endOfScenario:],
			`run.ndjson:20: a line is missing before this one: its number is 21`},
		{"a scenario twice", numbered[:endOfScenario] + numbered[firstScenario:],
			`there are lines too many before this one: its number is `},
		{"the last run is missing", numbered[:lastRun] + numbered[finished:],
			`lines are missing before this one: the stream has 1 of its 2 runs`},
		{"a line without its number", numbered[:firstScenario] + unnumbered(numbered[firstScenario:]),
			`the line has no number, but those before it have`},
		{"two streams in one file", numbered + "\ufeff" + numbered, "a byte order mark (U+FEFF) begins this line"},
	} {
		t.Run(test.name, func(t *testing.T) { refused(t, test.text, test.want) })
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"meta":{}}` + "\n" + `{"storespec":{"header":{"format":1}}}` + "\n" + `{"testRunFinished":{}}`)
	f.Add(`{"meta":{}}` + "\n" + `{"storespec":{"header":{"format":1}}}` + "\n" +
		`{"storespec":{"begin":{"system":"x"}}}` + "\n" + `{"storespec":{"scenario":{"rule":"X-Y-1"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		stream, err := Read("x", strings.NewReader(text))
		if (stream == nil) == (err == nil) {
			t.Errorf("%v, %v: either a stream or an error", stream, err)
		}
	})
}

// The stream says which version its envelopes are of; that must be the module's.
func TestProtocolIsThatOfTheModule(t *testing.T) {
	file, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(file), "github.com/cucumber/messages/go/v34 v"+protocol+"\n") {
		t.Errorf("go.mod holds another version of Cucumber Messages than %s", protocol)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteErrorsAreReturned(t *testing.T) {
	stream, documents := sample(t)
	if err := Write(full{}, stream, documents, at(0)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("error %v", err)
	}
}
