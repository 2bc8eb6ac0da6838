package report

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"

	"github.com/storespec/storespec/internal/host/shell"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/verify"
)

// Text writes a run for people: each broken rule, from its clause of the design down to the storage calls, then the
// counts. Of a run with an error only the counts and causes are shown: what it found cannot be trusted.
func Text(w io.Writer, run *Run, look Look) error {
	result := run.Result
	if result == nil || run.Err != nil && len(result.Rules) == 0 {
		return nil
	}
	t := &text{console: console{Look: look}, run: run, first: map[string]string{}}
	lanes := ""
	if look.Verbose { // how many servers there were at the same time, each on an account of its own
		lanes = ", " + several(result.Lanes, "lane")
	}
	t.line(0, "%s: %s on %s%s%s", run.System, result.Target, storeOf(result), lanes, inZone(result))
	if share := result.Share; share != nil {
		t.line(0, "%s", share)
	}
	for _, rule := range result.Rules {
		if broken(rule.Outcome) && run.Judged() {
			t.rule(rule)
		}
	}
	t.summary(result)
	return t.writeTo(w)
}

// text is the report of a run being written.
type text struct {
	console
	run   *Run
	first map[string]string // where the first scenario is that could not be prepared, by its cause
}

// rule shows why a rule does not hold.
func (t *text) rule(rule verify.RuleResult) {
	t.line(0, "")
	t.line(0, "%s %s%s: %s", rule.ID, t.outcome(rule.Outcome), t.run.uncounted(rule), rule.Name)
	t.line(1, "design: %q", rule.Clause)
	shown, unprepared, missing := map[string]bool{}, map[string]int{}, map[string]int{}
	for _, result := range rule.Results {
		key := causeKey(result)
		first, before := t.first[key]
		switch {
		case !broken(result.Outcome):
		case before && result.Missing != nil:
			missing[result.Missing.String()+", as at "+first]++
		case before:
			unprepared[first]++
		case shown[key] || len(shown) == fullFailures:
			t.line(1, "%s %s: %s", where(result), result.Name, t.outcome(result.Outcome))
		default:
			t.failure(result)
			if shown[key] = true; result.Outcome == verify.NotPrepared || result.Missing != nil {
				t.first[key] = rule.Where(result)
			}
		}
	}
	for _, why := range slices.Sorted(maps.Keys(missing)) {
		t.line(1, "%s: %s", several(missing[why], "scenario"), why)
	}
	for _, first := range slices.Sorted(maps.Keys(unprepared)) {
		t.line(1, "%s %s, for the reason at %s", several(unprepared[first], "scenario"),
			t.outcome(verify.NotPrepared), first)
	}
}

func (t *text) failure(result verify.ScenarioResult) {
	t.line(1, "%s:%d %s: %s", result.File, result.Line, result.Name, t.outcome(result.Outcome))
	if result.Step != "" {
		t.line(2, "step: %s", result.Step)
	}
	t.line(2, "%s", result.Reason)
	if result.Again != "" {
		t.line(2, "run again alone: %s", result.Again)
	}
	if result.Outcome != verify.Fixed {
		t.requests(result)
	}
	if len(result.Broken) > 0 {
		t.line(2, "the first case again: %s", t.run.replayCommand(result.Broken[0]))
	}
}

// requests shows the requests that were sent: the one that failed with its calls, its answer and what the server wrote,
// and around it those that are alike on one line.
func (t *text) requests(result verify.ScenarioResult) {
	failed := failedRequest(result)
	for from := 0; from < len(result.Requests); {
		first, to := result.Requests[from], from+1
		if from == failed {
			t.request(result, first)
			from = to
			continue
		}
		calls := len(first.Calls)
		for ; to < len(result.Requests) && to != failed && sameRequest(first, result.Requests[to]); to++ {
			calls += len(result.Requests[to].Calls)
		}
		when, times := "before", ""
		if from > failed {
			when = "after"
		}
		if to-from > 1 {
			times = fmt.Sprintf(", %d times", to-from)
		}
		t.line(2, "%s: %s%s, %s", when, describe(first), times, several(calls, "storage call"))
		from = to
	}
}

var digits = regexp.MustCompile(`\d+`)

// sameRequest reports whether two requests differ in nothing but numbers and bodies.
func sameRequest(a, b scenario.Exchange) bool {
	return a.Person == b.Person && a.Method == b.Method && a.Status == b.Status &&
		digits.ReplaceAllString(a.Path, "0") == digits.ReplaceAllString(b.Path, "0")
}

// request shows the request that failed.
func (t *text) request(result verify.ScenarioResult, request scenario.Exchange) {
	t.line(2, "request: %s, %s", describe(request), several(len(request.Calls), "storage call"))
	if result.Outcome != verify.OverBudget { // otherwise the reason lists every call
		t.calls(request)
	}
	if request.Answer != "" {
		t.line(2, "answer: %s", request.Answer)
	}
	if request.Wrote != "" {
		t.line(2, "the server wrote:")
		t.line(3, "%s", request.Wrote)
	}
	t.line(2, "by hand: %s", t.run.curl(request, result.Script))
	switch {
	case result.Script == "" && request.Body == scenario.LeftOut:
		t.line(2, "its body is too long to show here: --by-hand DIR writes it to a file")
	case result.Script != "":
		t.line(2, "with its rows and a server: sh %s", shell.Word(result.Script))
	}
}

// calls shows a request's storage calls and marks the unexpected ones.
func (t *text) calls(request scenario.Exchange) {
	for n, call := range request.Calls {
		mark := ""
		if slices.Contains(request.Odd, n) {
			mark = "→ "
		}
		t.line(3, "%s%s", mark, budget.Describe(call))
		for _, operation := range budget.DescribeInner(call) {
			t.line(4, "%s", operation)
		}
	}
}

func describe(request scenario.Exchange) string {
	sent := fmt.Sprintf("%s sent %s %s", request.Person, request.Method, request.Path)
	if request.As != "" {
		sent += ", as " + request.As
	}
	if request.Status == 0 {
		return sent + ": no answer"
	}
	return fmt.Sprintf("%s: %d", sent, request.Status)
}
