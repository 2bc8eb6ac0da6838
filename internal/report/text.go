package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/events"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/steps"
)

// fullFailures is how many failures of a rule are told in full. An outline over twenty routes fails
// twenty times for one reason; the JSON document holds them all.
const fullFailures = 3

// Text writes a run for people: each rule that does not hold, from its clause of the design down to
// the storage calls, then the counts. A run with an error is not told about: nothing was judged, and
// its one message is the error.
func Text(w io.Writer, run events.Run, o Options) error {
	if !run.Judged() {
		return nil
	}
	t := &text{options: o, run: run}
	t.line(0, "%s: %s on %s, %s", run.System, run.Result.Target, storeOf(run.Result), several(run.Result.Lanes, "lane"))
	if share := run.Result.Share; share != nil {
		t.line(0, "%s", share)
	}
	for _, rule := range run.Result.Rules {
		if broken(rule.Outcome) {
			t.rule(rule)
		}
	}
	t.summary(run)
	_, err := io.WriteString(w, t.String())
	return err
}

// storeOf says what the storage was: by its version alone, where that begins with the store's name.
func storeOf(r *verify.Result) string {
	if strings.HasPrefix(strings.ToLower(r.Version), r.Store) {
		return r.Version
	}
	return fmt.Sprintf("%s (%s)", r.Store, r.Version)
}

// text is a report that is being written.
type text struct {
	strings.Builder
	options Options
	run     events.Run
}

// line writes a line at a depth; further lines of the text stand at the same depth.
func (t *text) line(depth int, format string, args ...any) {
	indent := strings.Repeat("  ", depth)
	for line := range strings.Lines(fmt.Sprintf(format, args...) + "\n") {
		if line = strings.TrimRight(line, "\n "); line != "" {
			line = indent + line
		}
		t.WriteString(line + "\n")
	}
}

// rule tells why a rule does not hold.
func (t *text) rule(rule verify.RuleResult) {
	t.line(0, "")
	t.line(0, "%s %s%s: %s", rule.ID, t.outcome(rule.Outcome), t.uncounted(rule), rule.Name)
	t.line(1, "design: %q", rule.Clause)
	told := 0
	for _, result := range rule.Results {
		if !broken(result.Outcome) {
			continue
		}
		if told++; told <= fullFailures {
			t.failure(result)
			continue
		}
		t.line(1, "%s:%d %s: %s", result.File, result.Line, result.Name, t.outcome(result.Outcome))
	}
}

// uncounted says why an outcome does not change the verdict, where it does not.
func (t *text) uncounted(rule verify.RuleResult) string {
	switch {
	case t.options.counts(rule):
		return ""
	case rule.Severity == "SHOULD":
		return " (SHOULD: counts with --strict only)"
	}
	return " (a warning)"
}

func (t *text) failure(result verify.ScenarioResult) {
	t.line(1, "%s:%d %s: %s", result.File, result.Line, result.Name, t.outcome(result.Outcome))
	if result.Step != "" {
		t.line(2, "step: %s", result.Step)
	}
	t.line(2, "%s", result.Reason)
	if result.Outcome != verify.Fixed {
		t.requests(result)
	}
	if len(result.Broken) > 0 {
		t.line(2, "the first case again: %s", replayCommand(t.run, result.Broken[0]))
	}
}

// requests tells what was sent, the last request with its calls.
func (t *text) requests(result verify.ScenarioResult) {
	for i, request := range result.Requests {
		calls := several(len(request.Calls), "storage call")
		if i < len(result.Requests)-1 {
			t.line(2, "before: %s, %s", describe(request), calls)
			continue
		}
		t.line(2, "request: %s, %s", describe(request), calls)
		if result.Outcome != verify.OverBudget { // else the reason holds every call
			t.calls(request)
		}
		t.line(2, "by hand: %s", curl(t.run, request))
	}
}

// calls tells a request's storage calls, the ones that were not asked for marked.
func (t *text) calls(request steps.Exchange) {
	for n, call := range request.Calls {
		mark := ""
		if slices.Contains(request.Odd, n) {
			mark = "→ "
		}
		t.line(3, "%s%s", mark, steps.Describe(call))
		for _, operation := range steps.DescribeInner(call) {
			t.line(4, "%s", operation)
		}
	}
}

func describe(request steps.Exchange) string {
	if request.Status == 0 {
		return fmt.Sprintf("%s sent %s %s: no answer", request.Person, request.Method, request.Path)
	}
	return fmt.Sprintf("%s sent %s %s: %d", request.Person, request.Method, request.Path, request.Status)
}

func (t *text) summary(run events.Run) {
	result := run.Result
	t.line(0, "")
	t.line(0, "%s", t.counts("rule", result.RuleCounts()))
	t.line(0, "%s", t.counts("scenario", result.ScenarioCounts()))
	for _, reason := range reasons(result) {
		t.line(1, "%s", reason)
	}
	for _, cases := range result.Cases() {
		t.line(0, "%s", describeCases(cases))
	}
	t.line(0, "%s in %s", several(result.Calls, "storage call"), result.Duration.Round(10*time.Millisecond))
	t.line(0, "calls attributed: %s", describeAttribution(result.Attributed))
	t.line(0, "%s", t.verdict(run))
}

// describeAttribution tells of every call how it is known whose it is: the numbers add up to that of all calls.
func describeAttribution(a wire.Attribution) string {
	text := fmt.Sprintf("%d by trace, %d by lane", a.ByTrace, a.ByLane)
	for _, part := range []struct {
		n    int
		what string
	}{{a.Commands, "to commands that scenarios run"}, {a.Nobody + a.Other, "to no request"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

// describeCases tells how many cases were run, and what keeps that from being all there is to know.
func describeCases(c steps.CaseSummary) string {
	text := several(c.Run, c.Kind)
	if c.Of > 0 {
		text += fmt.Sprintf(" of at least %d (a sample)", c.Of)
	}
	for _, part := range []struct {
		n    int
		what string
	}{{c.NotReached, "not reached"}, {c.Invalid, "given up by the client"}, {c.Strayed, "that could not be run again"}, {c.Settles, "waits for a request that did not move"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

// interrupted is told of a run that Ctrl-C has ended.
const interrupted = "interrupted, so nothing is said of the other scenarios"

func (t *text) verdict(run events.Run) string {
	switch outcome := t.options.Outcome(run); {
	case run.Result.Interrupted:
		return fmt.Sprintf("%s: %s", run.System, interrupted)
	case outcome == verify.Skipped && len(run.Result.Rules) == 0:
		return fmt.Sprintf("%s: nothing falls to this shard", run.System)
	case outcome == verify.Skipped:
		return fmt.Sprintf("%s: %s", run.System, t.colored(yellow, "nothing was judged, since every scenario was skipped"))
	case outcome == verify.Passed && slices.ContainsFunc(run.Result.Rules, func(r verify.RuleResult) bool { return broken(r.Outcome) }):
		return fmt.Sprintf("%s: %s", run.System, t.colored(green, "every rule that counts holds"))
	case outcome == verify.Passed:
		return fmt.Sprintf("%s: %s", run.System, t.colored(green, "every rule that was asked for holds"))
	case outcome == verify.KnownFailing:
		return fmt.Sprintf("%s: %s", run.System, t.colored(green, "every rule that was asked for holds, but for what is known to fail"))
	case outcome == verify.Fixed:
		return fmt.Sprintf("%s: %s", run.System, t.colored(red, "the baseline is out of date"))
	case outcome == verify.Errored:
		return fmt.Sprintf("%s: %s", run.System, t.colored(red, "not every rule could be judged"))
	}
	return fmt.Sprintf("%s: %s", run.System, t.colored(red, "a rule is broken"))
}

// counts tells how many ended how, such as "3 rules: 2 passed, 1 failed".
func (t *text) counts(noun string, counts map[verify.Outcome]int) string {
	total := 0
	var parts []string
	for _, outcome := range outcomes() {
		if n := counts[outcome]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, t.outcome(outcome)))
		}
	}
	if total == 0 {
		return several(total, noun)
	}
	return several(total, noun) + ": " + strings.Join(parts, ", ")
}

// reasons says why scenarios were skipped and why some are known to fail, each reason once with its
// number of scenarios.
func reasons(result *verify.Result) []string {
	counts := map[string]int{}
	for _, rule := range result.Rules {
		for _, scenario := range rule.Results {
			switch scenario.Outcome {
			case verify.Skipped:
				counts["skipped: "+scenario.Reason]++
			case verify.KnownFailing:
				counts["known failing: "+scenario.Known]++
			}
		}
	}
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%d %s", counts[reason], reason))
	}
	return list
}

// several is a number and its noun.
func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Colors by their SGR parameter (ECMA-48).
const (
	red    = 31
	green  = 32
	yellow = 33
)

func (t *text) colored(color int, s string) string {
	if !t.options.Color {
		return s
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", color, s)
}

func (t *text) outcome(outcome verify.Outcome) string {
	switch outcome {
	case verify.Passed:
		return t.colored(green, string(outcome))
	case verify.Failed, verify.Fixed, verify.Errored:
		return t.colored(red, string(outcome))
	}
	return t.colored(yellow, string(outcome))
}

func newText() *text { return &text{} }
