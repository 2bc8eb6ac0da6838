package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/source"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// fullFailures is how many failures of a rule are shown in full, each for another cause. An outline over twenty routes
// fails twenty times for one reason; the JSON document contains them all.
const fullFailures = 3

const (
	interrupted  = "interrupted, so there is no verdict on the other scenarios"                  // by Ctrl-C
	stoppedEarly = "stopped at the first failure, so there is no verdict on the other scenarios" // by --fail-fast
)

// failedBefore is what the scenarios are that --only-failed selects.
const failedBefore = "that had failed before; the others were not run"

// several formats a number and its noun.
func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
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

// tally says how many there are of each kind that occurs, in an order.
func tally[K ~string](counts map[K]int, order []K, show func(K) string) string {
	var parts []string
	for _, kind := range order {
		if n := counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, show(kind)))
		}
	}
	return strings.Join(parts, ", ")
}

// outcomeCounts says how many had each outcome, such as "3 rules: 2 passed, 1 failed".
func outcomeCounts(noun string, counts map[verify.Outcome]int, show func(verify.Outcome) string) string {
	total := 0
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		return several(total, noun)
	}
	return several(total, noun) + ": " + tally(counts, outcomes(), show)
}

// uncolored shows an outcome as it is.
func uncolored(outcome verify.Outcome) string { return string(outcome) }

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

// describeAttribution says how each call was attributed: the numbers add up to the total.
func describeAttribution(a wire.Attribution) string {
	return fmt.Sprintf("%d by trace, %d by lane", a.ByTrace, a.ByLane) +
		shares(share{a.Commands, "to commands that scenarios run"}, share{a.Nobody + a.Other, "to no request"})
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

func where(scenario verify.ScenarioResult) string {
	return fmt.Sprintf("%s:%d", scenario.File, scenario.Line)
}

// firstReason returns the first line of a scenario's reason, without its outcome.
func firstReason(scenario verify.ScenarioResult) string {
	return strings.TrimPrefix(source.FirstLine(scenario.Reason), string(scenario.Outcome)+": ")
}

// headline returns the first line of a scenario's reason; of one with many cases, that of the first case.
func headline(scenario verify.ScenarioResult) string {
	line := firstReason(scenario)
	if len(scenario.Broken) > 0 {
		line = source.FirstLine(scenario.Broken[0].Reason)
	}
	line = quotedItems.ReplaceAllString(line, "$1")
	if runes := []rune(line); len(runes) > longestHeadline {
		return string(runes[:longestHeadline]) + "…"
	}
	return line
}

// quotedItems matches how many items a list holds, and the items that a message then quotes: the scenario shows them.
var quotedItems = regexp.MustCompile(`(\bholds \d+ items?, not \d+): .*`)

// longestHeadline is how much of a reason is shown, in characters: some quote whole answers.
const longestHeadline = 160

// textOf returns the text of an error, or "".
func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
