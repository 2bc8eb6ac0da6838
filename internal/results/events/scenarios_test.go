package events

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/run/system"
	"github.com/storespec/storespec/internal/verify"
)

const worded = `Feature: Groups
  Background:
    Given Ana is signed in

  @FS-GRP-1
  Rule: A name is kept
    > A group has a name.

    Scenario Outline: <what> is asked for
      Given Ben is signed in
      And Family has 16 appointments
      When Ana sends GET <path>
      Then "groups" of the answer lists
        | groupName |
        | <what>    |
      And the blob state.json is
        """
        {"a":1}
        """
      Examples:
        | what  | path           |
        | a row | /api/me/groups |
`

// What a feature file says is in the stream, with its backgrounds and the cells of its examples.
func TestScenariosAreReadAsTheyAreWritten(t *testing.T) {
	catalogue, err := verify.Load(fstest.MapFS{"familyscheduler/groups.feature": {Data: []byte(worded)}},
		system.System{Name: "familyscheduler"})
	if err != nil {
		t.Fatal(err)
	}
	s := catalogue.Rules[0].Scenarios[0]
	result := verify.ScenarioResult{Rule: "FS-GRP-1", Name: s.Name, File: s.File, Line: s.Line, Outcome: verify.Passed}
	stream := Stream{Runs: []Run{{System: "familyscheduler", Result: &verify.Result{Rules: []verify.RuleResult{
		{Rule: catalogue.Rules[0], Outcome: verify.Passed, Results: []verify.ScenarioResult{result}}}}}}}
	var text strings.Builder
	if err := Write(&text, stream, catalogue.Documents, at(0)); err != nil {
		t.Fatal(err)
	}
	read, err := Read("run.ndjson", strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	want := &Scenario{File: "familyscheduler/groups.feature", Line: s.Line, Name: "a row is asked for", Steps: []Step{
		{Keyword: "Given ", Text: "Ana is signed in", Prepares: true},
		{Keyword: "Given ", Text: "Ben is signed in", Prepares: true},
		{Keyword: "And ", Text: "Family has 16 appointments", Prepares: true},
		{Keyword: "When ", Text: "Ana sends GET /api/me/groups"},
		{Keyword: "Then ", Text: `"groups" of the answer lists`, Table: [][]string{{"groupName"}, {"a row"}}},
		{Keyword: "And ", Text: "the blob state.json is", Doc: `{"a":1}`},
	}}
	if diff := cmp.Diff(want, read.Of(&result)); diff != "" {
		t.Errorf("the scenario (-want +got):\n%s", diff)
	}
	result.Line++
	if other := read.Of(&result); other != nil {
		t.Errorf("a scenario of another line is %v", other)
	}
}

func TestPicklesThatCannotBeUsed(t *testing.T) {
	whole := written(t)
	lines := strings.SplitAfter(whole, "\n")
	for text, want := range map[string]string{
		strings.Replace(whole, `{"pickle":{`, `{"pickle":{"name":1,`, 1): `its pickle cannot be read`,
		lines[0] + lines[1] + `{"pickle":{}}`:                            `its pickle is of no gherkinDocument`,
	} {
		if _, err := Read("run.ndjson", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}
