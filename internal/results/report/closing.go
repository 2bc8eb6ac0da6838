package report

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// late says how many calls came after the answer, and how many scenarios were run again alone.
func (t *text) late(result *verify.Result) {
	late, again := 0, 0
	for _, rule := range result.Rules {
		for _, scenario := range rule.Results {
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

// untraced says how long it took to tell apart calls without a trace, and what makes that unnecessary; "" if it took
// less than a second, or the server passes on its traces.
func untraced(result *verify.Result) string {
	a := result.Attributed
	if a.ByLane <= a.ByTrace || result.Confirming < time.Second {
		return ""
	}
	return fmt.Sprintf(":\n%.0f s of %.0f s, since the server does not pass traceparent on to its storage calls "+
		"(storespec help validate-your-server)", result.Confirming.Seconds(), result.Duration.Seconds())
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

// lanes says how many servers there were at the same time, each on an account of its own.
func (t *text) lanes(result *verify.Result) string {
	if !t.options.Verbose {
		return ""
	}
	return ", " + several(result.Lanes, "lane")
}

// attribution says how calls were attributed to requests: also unasked if some belong to none, which are in no verdict.
func (t *text) attribution(result *verify.Result) {
	if a := result.Attributed; t.options.Verbose || a.Nobody+a.Other > 0 {
		t.line(0, "calls attributed: %s", describeAttribution(a))
	}
}

// mostSlow is how many scenarios the list of the slowest has: each takes a line, and the next ones are no slower.
const mostSlow = 5

// slowest lists the scenarios that took longest, if the report is verbose.
func (t *text) slowest(result *verify.Result) {
	if !t.options.Verbose {
		return
	}
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

// describeAttribution says how each call was attributed: the numbers add up to the total.
func describeAttribution(a wire.Attribution) string {
	return fmt.Sprintf("%d by trace, %d by lane", a.ByTrace, a.ByLane) +
		shares(share{a.Commands, "to commands that scenarios run"}, share{a.Nobody + a.Other, "to no request"})
}

// share is how many of something are of a sort.
type share struct {
	n    int
	what string
}

// shares continues a text with the shares that are not empty.
func shares(list ...share) (text string) {
	for _, share := range list {
		if share.n > 0 {
			text += fmt.Sprintf(", %d %s", share.n, share.what)
		}
	}
	return text
}
