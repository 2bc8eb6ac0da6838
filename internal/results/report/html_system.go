package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/results/price"
	"github.com/storespec/storespec/internal/verify"
)

// pageSystem is the run of one system.
type pageSystem struct {
	System, Headline, Line, Error string
	Outcome                       verify.Outcome
	Counts                        []pageCount
	Causes, MoreCauses            []pageCause
	Broken, Others                []*pageRule // rules: those to look at, by their causes; and the rest
	AboutMapping, Mapping         string      // lines that a mapping may need, and what they are; "": none
	Cases                         []string    // how many faults and orders were tried
	Cost                          *pageCost   // nil: no operation succeeded
	Facts                         []pageFact
}

type pageCount struct {
	N       int
	Outcome verify.Outcome
}

type pageFact struct{ Name, Value string }

// pageCause is what scenarios have in common that did not pass.
type pageCause struct {
	*Cause

	At, Scenario string // the first scenario: its anchor and its name
}

// fewRules is how many rules of a cause are listed openly.
const fewRules = 4

// Few returns the first rules of a cause, and Rest the others: one alone is not worth folding.
func (c pageCause) Few() []string {
	if len(c.Rules) <= fewRules+1 {
		return c.Rules
	}
	return c.Rules[:fewRules]
}

// Rest returns the rules of a cause that are folded.
func (c pageCause) Rest() []string { return c.Rules[len(c.Few()):] }

// AllCauses returns how many causes there are.
func (s pageSystem) AllCauses() int { return len(s.Causes) + len(s.MoreCauses) }

// openCauses is how many causes are listed openly.
const openCauses = 8

func newPageSystem(s *events.Stream, run *Run, prices *price.List) pageSystem {
	system := pageSystem{System: run.System, Error: textOf(run.Err), Outcome: run.Outcome, Headline: headlineOf(run),
		Facts: facts(run), AboutMapping: run.aboutMapping, Mapping: run.Mapping}
	result := run.Result
	if result == nil {
		return system
	}
	system.Line = fmt.Sprintf("%s (%s) on %s, %s, %s", result.Target, run.Asked.Started, storeOf(result),
		result.Duration.Round(10*time.Millisecond), beganAt(result))
	system.Counts = inOrder(result.RuleCounts())
	for _, c := range result.Cases() {
		system.Cases = append(system.Cases, describeCases(c))
	}
	writer := &ruleWriter{stream: s, run: run, first: map[string]*pageScenario{}, rank: map[string]int{}}
	for i, cause := range run.Causes {
		writer.rank[cause.key] = i
	}
	for _, rule := range result.Rules {
		if shown := writer.rule(rule); broken(rule.Outcome) {
			system.Broken = append(system.Broken, shown)
		} else {
			system.Others = append(system.Others, shown)
		}
	}
	slices.SortStableFunc(system.Broken, (*pageRule).compare)
	unfold(system.Broken)
	for _, cause := range run.Causes {
		first := writer.first[cause.key]
		system.Causes = append(system.Causes, pageCause{cause, first.ID, first.Name})
	}
	if len(run.Causes) > openCauses+1 {
		system.MoreCauses = system.Causes[openCauses:]
		system.Causes = system.Causes[:openCauses]
	}
	system.Cost = costOf(s, result, prices)
	return system
}

// headlineOf says how a run ended, in a few words.
func headlineOf(run *Run) string {
	if !run.Judged() {
		return "Nothing could be judged"
	}
	if run.Outcome.Noticed() && !run.Result.Interrupted {
		n, more := 0, 0
		for _, rule := range run.Result.Rules {
			switch {
			case !rule.Outcome.Noticed():
			case run.counts(rule.Rule, rule.Outcome):
				n++
			default:
				more++
			}
		}
		text := fmt.Sprintf("%d of %s are broken", n, several(len(run.Result.Rules), "rule"))
		if n == 1 {
			text = fmt.Sprintf("1 of %s is broken", several(len(run.Result.Rules), "rule"))
		}
		return text + shares(share{more, "more that do not count"})
	}
	text, _ := run.conclude()
	return strings.ToUpper(text[:1]) + text[1:]
}

func inOrder(counts map[verify.Outcome]int) (list []pageCount) {
	for _, outcome := range slices.Backward(outcomes()) {
		if n := counts[outcome]; n > 0 {
			list = append(list, pageCount{n, outcome})
		}
	}
	return list
}

// facts lists what was run on what.
func facts(run *Run) []pageFact {
	var list []pageFact
	add := func(name, format string, args ...any) {
		list = append(list, pageFact{name, fmt.Sprintf(format, args...)})
	}
	if r := run.Result; r != nil {
		add("server", "%s (%s)", r.Target, run.Asked.Started)
		add("store", "%s", storeOf(r))
		add("ran", "%s for %s on %s%s", beganAt(r), r.Duration.Round(10*time.Millisecond), several(r.Lanes, "lane"),
			inZone(r))
		add("scenarios", "%s", outcomeCounts("scenario", r.ScenarioCounts(), uncolored))
		for _, reason := range reasons(r) {
			add("of them", "%s", reason)
		}
		add("storage calls", "%d; attributed: %s", r.Calls, describeAttribution(r.Attributed))
	}
	add("rules", "%s, digest %s", run.System, run.Asked.Suite)
	onlyFailed := ""
	if run.Asked.OnlyFailed {
		onlyFailed = failedBefore
	}
	for _, only := range []pageFact{{"only rules", strings.Join(run.Asked.Rules, ", ")}, {"only tags", run.Asked.Tags},
		{"without", strings.Join(run.Asked.Without, ", ")}, {"only the case", run.Asked.Replay},
		{"only scenarios", onlyFailed}} {
		if only.Value != "" {
			list = append(list, only)
		}
	}
	add("faults and orders", "faults %s, at most %d orders of a race, seed %d", run.Asked.Faults, run.Asked.Orders,
		run.Asked.Seed)
	return list
}

// beganAt says when the first scenario began.
func beganAt(r *verify.Result) string {
	if first := began(r); !first.IsZero() {
		return first.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	return "at no known time"
}
