package report

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/verify"
)

// fullFailures is how many failures of a rule are shown in full, each for another cause. An outline over twenty routes
// fails twenty times for one reason; the JSON document contains them all.
const fullFailures = 3

// Text writes a run for people: each broken rule, from its clause of the design down to the storage calls, then the
// counts. Of a run with an error only the counts and causes are shown: what it found cannot be trusted.
func Text(w io.Writer, run events.Run, o Options) error {
	if run.Result == nil || run.Err != nil && len(run.Result.Rules) == 0 {
		return nil
	}
	t := &text{options: o, run: run, told: map[string]string{}}
	t.line(0, "%s: %s on %s%s%s", run.System, run.Result.Target, storeOf(run.Result), t.lanes(run.Result),
		inZone(run.Result))
	if share := run.Result.Share; share != nil {
		t.line(0, "%s", share)
	}
	for _, rule := range run.Result.Rules {
		if broken(rule.Outcome) && run.Judged() {
			t.rule(rule)
		}
	}
	t.summary(run)
	_, err := io.WriteString(w, t.String())
	return err
}

// storeOf describes the store: by its version alone, if that begins with the store's name.
func storeOf(r *verify.Result) string {
	if strings.HasPrefix(strings.ToLower(r.Version), r.Store) {
		return r.Version
	}
	return fmt.Sprintf("%s (%s)", r.Store, r.Version)
}

// inZone names the time zone that the target was started in, if it was given one.
func inZone(r *verify.Result) string {
	if r.Zone == "" {
		return ""
	}
	return ", in the time zone " + r.Zone
}

// text is a report being written.
type text struct {
	strings.Builder
	options Options
	run     events.Run
	told    map[string]string // where the first scenario is that could not be prepared, by its cause
}

// line writes a line at a depth; further lines of the text are indented by the same depth.
func (t *text) line(depth int, format string, args ...any) {
	indent := strings.Repeat("  ", depth)
	for line := range strings.Lines(fmt.Sprintf(format, args...) + "\n") {
		if line = strings.TrimRight(line, "\n "); line != "" {
			line = indent + line
		}
		t.WriteString(line + "\n")
	}
}

// rule shows why a rule does not hold.
func (t *text) rule(rule verify.RuleResult) {
	t.line(0, "")
	t.line(0, "%s %s%s: %s", rule.ID, t.outcome(rule.Outcome), t.uncounted(rule), rule.Name)
	t.line(1, "design: %q", rule.Clause)
	told, unprepared, missing := map[string]bool{}, map[string]int{}, map[string]int{}
	for _, result := range rule.Results {
		key := causeKey(result)
		first, before := t.told[key]
		switch {
		case !broken(result.Outcome):
		case before && result.Missing != nil:
			missing[result.Missing.String()+", as at "+first]++
		case before:
			unprepared[first]++
		case told[key] || len(told) == fullFailures:
			t.line(1, "%s %s: %s", where(result), result.Name, t.outcome(result.Outcome))
		default:
			t.failure(result)
			if told[key] = true; result.Outcome == verify.NotPrepared || result.Missing != nil {
				t.told[key] = rule.Where(result)
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

// uncounted explains why an outcome does not change the verdict, if it does not.
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
	if result.Again != "" {
		t.line(2, "run again alone: %s", result.Again)
	}
	if result.Outcome != verify.Fixed {
		t.requests(result)
	}
	if len(result.Broken) > 0 {
		t.line(2, "the first case again: %s", replayCommand(t.run, result.Broken[0]))
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

// failedRequest returns the index of the request that a scenario failed by.
func failedRequest(result verify.ScenarioResult) int {
	if n := len(result.Requests); result.Blamed < 1 || result.Blamed > n {
		return n - 1
	}
	return result.Blamed - 1
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
	t.byHand(result, request)
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

func (t *text) summary(run events.Run) {
	result := run.Result
	t.causes(result)
	t.line(0, "")
	t.line(0, "%s", t.counts("rule", result.RuleCounts()))
	t.line(0, "%s", t.counts("scenario", result.ScenarioCounts()))
	for _, reason := range reasons(result) {
		t.line(1, "%s", reason)
	}
	for _, cases := range result.Cases() {
		t.line(0, "%s", describeCases(cases))
	}
	t.late(result)
	if result.Ignored > 0 {
		t.line(0, "%s", describeIgnored(result))
	}
	t.line(0, "%s in %s", several(result.Calls, "storage call"), result.Duration.Round(10*time.Millisecond))
	t.attribution(result)
	if said := unreached(result); said != "" {
		t.line(0, "%s", said)
	}
	t.slowest(result)
	t.line(0, "%s", t.verdict(run))
}

// describeCases says how many cases were run, and what limits that number.
func describeCases(c cases.CaseSummary) string {
	text := several(c.Run, c.Kind)
	if c.Of > 0 {
		text += fmt.Sprintf(" of at least %d (a sample)", c.Of)
	}
	text += shares(share{c.NotReached, "not reached"}, share{c.Invalid, "given up by the client"},
		share{c.Strayed, "not reproducible"}, share{c.Settles, "settle timeouts"},
		share{c.Late, "answered late only by an SDK's back-off"})
	if seconds := int(c.Backoff.Seconds()); seconds > 0 {
		text += fmt.Sprintf("; %d s of this run were an SDK's back-off", seconds)
	}
	return text
}

// counts shows how many had each outcome, such as "3 rules: 2 passed, 1 failed".
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

// reasons lists why scenarios were skipped or rows left out, and why some are known to fail, each reason once with its
// number of scenarios or rows.
func reasons(result *verify.Result) []string {
	counts, rows := map[string]int{}, map[string]int{}
	for _, scenario := range result.All() {
		switch scenario.Outcome {
		case verify.Skipped:
			counts["skipped: "+scenario.Reason]++
		case verify.KnownFailing:
			counts["known failing: "+scenario.Known]++
		}
		for _, reason := range scenario.LeftOut {
			rows[reason]++
		}
	}
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%d %s", counts[reason], reason))
	}
	for _, reason := range slices.Sorted(maps.Keys(rows)) {
		list = append(list, several(rows[reason], "row")+" left out: "+reason)
	}
	return list
}

// several formats a number and its noun.
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
	case verify.Failed, verify.NotPrepared, verify.Fixed, verify.Errored:
		return t.colored(red, string(outcome))
	}
	return t.colored(yellow, string(outcome))
}

// table writes rows, whose cells are separated by tabs, in columns. They are not colored: colors would count as width.
func (t *text) table(rows string) {
	table := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	_, _ = io.WriteString(table, rows) // to memory
	_ = table.Flush()
}
