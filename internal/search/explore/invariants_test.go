package explore

import (
	"strings"
	"testing"
)

// explored runs on one of the calendsync server with an invariant.
func explored(t *testing.T, step string, change func(*Options)) *Result {
	t.Helper()
	o := options(t, unchanged)
	o.First, o.Invariants = true, []Invariant{{Rule: "CS-X-1", Name: "an example", Step: step}}
	if change != nil {
		change(&o)
	}
	result, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestAnInvariantIsJudgedAfterEveryStep(t *testing.T) {
	// A calendar of this name is made by a step of a walk, not by its beginning.
	const step = "Then for each row {calendsync} CAL#<calendar> / CAL#<calendar> where name is a there is the row " +
		"{calendsync} CAL#<calendar> / NOTHING"
	result := explored(t, step, nil)
	if len(result.Findings) != 1 {
		t.Fatalf("%d findings, not repeatable: %q", len(result.Findings), result.Unrepeated)
	}
	f := result.Findings[0]
	if !strings.Contains(f.Kind, "breaks what always holds (CS-X-1): an example") ||
		!strings.Contains(f.Scenario, "    "+step+"\n") || len(f.Walk.Steps) != 1 {
		t.Errorf("%s\n%s", f.Kind, f.Scenario)
	}
	// Both sides are the reference server, so the scenario fails on both.
	if !strings.Contains(f.Unproven, "the scenario fails on both: ") {
		t.Errorf("unproven: %q", f.Unproven)
	}
	alone := explored(t, step, func(o *Options) { o.Oracle = nil })
	if len(alone.Findings) != 1 || alone.Findings[0].Unproven != "" {
		t.Errorf("without another server: %+v", alone.Findings)
	}
}

func TestAnInvariantThatTheBeginningBreaksIsNotJudged(t *testing.T) {
	result := explored(t, "Then the table {calendsync} holds 0 rows", func(o *Options) { o.Steps = 200 })
	if len(result.Findings) != 0 {
		t.Errorf("it is judged: %s", result.Findings[0].Text)
	}
}

func TestAnInvariantOfAnswers(t *testing.T) {
	step := "Then the answer to GET /api/calendars shows no <calendar> of a row {calendsync} CAL#<calendar> / " +
		"CAL#<calendar> where name is a"
	result := explored(t, step, nil)
	if len(result.Findings) != 1 {
		t.Fatalf("%d findings, not repeatable: %q", len(result.Findings), result.Unrepeated)
	}
	if steps := result.Findings[0].Walk.Steps; steps[len(steps)-1].route() != "GET /api/calendars" {
		t.Errorf("%d steps:\n%s", len(steps), result.Findings[0].Scenario)
	}
}
