package report

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// summary writes what a run comes to: causes, counts, and how it ended.
func (t *text) summary(result *verify.Result) {
	t.causes()
	t.line(0, "")
	t.line(0, "%s", outcomeCounts("rule", result.RuleCounts(), t.outcome))
	t.line(0, "%s", outcomeCounts("scenario", result.ScenarioCounts(), t.outcome))
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
	if a := result.Attributed; t.Verbose || a.Nobody+a.Other > 0 { // such calls are in no verdict
		t.line(0, "calls attributed: %s", describeAttribution(a))
	}
	if said := unreached(result); said != "" {
		t.line(0, "%s", said)
	}
	if t.Verbose {
		t.slowest(result)
	}
	said, color := t.run.conclude()
	said = t.run.System + ": " + t.colored(color, said)
	if t.run.Asked.OnlyFailed && len(result.Rules) > 0 {
		said += " (only what had failed before was run)"
	}
	t.line(0, "%s", said)
}

// mostCauses is how many causes a summary lists; the page and the JSON document have all.
const mostCauses = 20

// causes lists what scenarios failed for.
func (t *text) causes() {
	list := t.run.shared()
	if len(list) == 0 {
		return
	}
	t.line(0, "")
	t.line(0, "Causes, the most frequent first:")
	for i, cause := range list {
		if i == mostCauses {
			t.line(1, "and %s (--json has them all)", several(len(list)-mostCauses, "more cause"))
			break
		}
		t.line(1, "%d %s: %s (%s)", cause.Scenarios, t.outcome(cause.Outcome), cause.Reason, cause.Of())
	}
	if t.run.Mapping != "" {
		t.line(0, "%s", t.run.aboutMapping)
		t.line(1, "%s", strings.TrimSpace(t.run.Mapping))
	}
}

// late says how many calls came after the answer, and how many scenarios were run again alone.
func (t *text) late(result *verify.Result) {
	late, again := 0, 0
	for _, scenario := range result.All() {
		for _, request := range scenario.Requests {
			for _, call := range request.Calls {
				if call.Late {
					late++
				}
			}
		}
		if scenario.Again != "" {
			again++
		}
	}
	if late > 0 {
		t.line(0, "%s, after the answer", several(late, "late storage call"))
	}
	if n := result.Attributed.TooLate; n > 0 && !result.Interrupted { // its last requests were given up
		t.line(0, "%s came too late to be judged: see --settle (storespec help troubleshooting)",
			several(n, "storage call"))
	}
	if again > 0 {
		t.line(0, "%s run again alone (storespec help troubleshooting)%s", several(again, "scenario"), untraced(result))
	}
}

// untraced says how long it took to attribute calls without a trace, and what makes that unnecessary; "" if it took
// less than a second, or the server passes on its traces.
func untraced(result *verify.Result) string {
	a := result.Attributed
	if a.ByLane <= a.ByTrace || result.Confirming < time.Second {
		return ""
	}
	return fmt.Sprintf(":\n%.0f s of %.0f s, since the server does not pass traceparent on to its storage calls "+
		"(storespec help verify-your-server)", result.Confirming.Seconds(), result.Duration.Seconds())
}

// mostFailing is how many requests a server must have failed before unreached speaks.
const mostFailing = 5

// unreached says that one service of the store was never called while the server failed requests and called another
// one: "" if it was. An SDK that refuses plain http looks like that, where the other service's SDK does not.
func unreached(result *verify.Result) string {
	failing, seen := 0, map[wire.Service]bool{}
	for _, scenario := range result.All() {
		for _, request := range scenario.Requests {
			if request.Status >= http.StatusInternalServerError {
				failing++
			}
			for _, call := range request.Calls {
				seen[call.Service] = true
			}
		}
	}
	if failing < mostFailing || len(seen) != 1 {
		return ""
	}
	for service, other := range map[wire.Service]wire.Service{"table": "blob", "blob": "table"} {
		if seen[other] {
			return fmt.Sprintf("no call to the %s service arrived, though calls to the %s service did: its SDK may "+
				"refuse plain http (--tls), or an endpoint is not that of the connection string", service, other)
		}
	}
	return ""
}

// describeIgnored says how many processes of the server had to be killed.
func describeIgnored(result *verify.Result) string {
	text := fmt.Sprintf("the server ignored SIGTERM; it was killed after %d s", int(result.IgnoredFor.Seconds()))
	if result.Ignored > 1 {
		text += fmt.Sprintf(" (%d processes)", result.Ignored)
	}
	return text
}

// mostSlow is how many scenarios the list of the slowest has: each takes a line, and the next ones are no slower.
const mostSlow = 5

// slowest lists the scenarios that took longest.
func (t *text) slowest(result *verify.Result) {
	var all []verify.ScenarioResult
	for _, scenario := range result.All() {
		if scenario.Duration > 0 {
			all = append(all, scenario)
		}
	}
	slices.SortStableFunc(all, func(a, b verify.ScenarioResult) int { return cmp.Compare(b.Duration, a.Duration) })
	if len(all) == 0 {
		return
	}
	t.line(0, "the slowest scenarios:")
	for _, one := range all[:min(len(all), mostSlow)] {
		t.line(1, "%s %s:%d %s", one.Duration.Round(time.Millisecond), one.File, one.Line, one.Name)
	}
}
