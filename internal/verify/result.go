package verify

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/storespec/storespec/internal/run/matching"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/scenario/cases"
	"github.com/storespec/storespec/internal/scenario/cause"
	"github.com/storespec/storespec/internal/wire"
)

// Outcome is the outcome of a scenario or a rule.
type Outcome string

// The outcomes, from best to worst.
const (
	Passed       Outcome = "passed"
	Skipped      Outcome = "skipped"       // with a reason; never counted as passed
	KnownFailing Outcome = "known failing" // it fails, as listed in the baseline
	Unfinished   Outcome = "unfinished"    // a rule with scenarios that did not run: the run was interrupted
	Fixed        Outcome = "fixed"         // it passes, but the baseline says that it fails: the baseline is wrong
	// two runs of it disagree about calls that may belong to other requests, and nothing explains it
	Unclear     Outcome = "unclear"
	OverBudget  Outcome = "over budget"
	NotPrepared Outcome = "not prepared" // the server could not do what the scenario needs before its own first When
	Failed      Outcome = "failed"
	Errored     Outcome = "error" // the harness, the store or the start of the target failed
)

// ScenarioResult is the result of one scenario.
type ScenarioResult struct {
	Rule    string            `json:"rule"`
	Name    string            `json:"name"`
	Example map[string]string `json:"example,omitempty"` // the cells of its example, by column
	File    string            `json:"file"`
	Line    int               `json:"line"` // several examples have one line if they were filled
	Outcome Outcome           `json:"outcome"`
	Step    string            `json:"step,omitempty"`   // the step that did not pass
	Reason  string            `json:"reason,omitempty"` // why; without secrets
	Known   string            `json:"known,omitempty"`  // why it is known to fail, according to the baseline
	Fails   Outcome           `json:"fails,omitempty"`  // its outcome, were it not known to fail
	// Missing is the route that the scenario failed by, if the server does not seem to have it; else nil.
	Missing *MissingRoute `json:"missing,omitempty"`
	Again   string        `json:"again,omitempty"`   // why it was run again alone, if it was: that run is shown
	LeftOut []string      `json:"leftOut,omitempty"` // why rows of its tables were left out, once for each
	// the names of the hashes and ids in its requests, such as Family and Ana.userKey, by these; only if it did not
	// pass
	Names map[string]string `json:"names,omitempty"`
	// what was expected and what was seen, if the failure specifies it
	Differences []matching.Difference `json:"differences,omitempty"`
	// Unstarted says that the target could not be started for this scenario, so that it is in error.
	Unstarted bool `json:"-"`
	// Miswritten says that it is in error because of its feature file: a step names what nothing has, or stands where
	// it cannot be judged.
	Miswritten bool                `json:"miswritten,omitempty"`
	Requests   []scenario.Exchange `json:"requests,omitempty"`
	// the request that the scenario failed by, by number, from 1; 0: the last
	Blamed int `json:"blamed,omitempty"`
	// Repeat is that request with its secrets, if it can be sent again: never part of a report. Script is the file that
	// does so.
	Repeat   *scenario.Repeat    `json:"-"`
	Script   string              `json:"script,omitempty"`
	Cases    []cases.CaseSummary `json:"cases,omitempty"`  // of a step that runs many cases
	Broken   []cases.BrokenCase  `json:"broken,omitempty"` // the cases that failed
	Budgets  []budget.Budget     `json:"budgets,omitempty"`
	Steps    []time.Duration     `json:"stepsNs,omitempty"` // how long each step took, up to the last one reached
	Start    time.Time           `json:"start,omitzero"`
	Duration time.Duration       `json:"durationNs"`
}

// Cause returns the reason without what changes from run to run: scenarios with the same cause have one defect in
// common, as far as their messages say.
func (s *ScenarioResult) Cause() string { return s.causeBy(cause.Of) }

// Kind returns the reason also without the values that it quotes: reports list scenarios of one kind together.
func (s *ScenarioResult) Kind() string { return s.causeBy(cause.Kind) }

func (s *ScenarioResult) causeBy(of func(message string) string) string {
	if len(s.Broken) == 0 {
		return of(s.Reason)
	}
	causes := make([]string, len(s.Broken))
	for i, broken := range s.Broken {
		causes[i] = of(broken.Reason)
	}
	return cause.Union(causes)
}

// RuleResult is the result of one rule: the worst of its scenarios.
type RuleResult struct {
	Rule
	Outcome Outcome          `json:"outcome"`
	Results []ScenarioResult `json:"results"`
}

// Judged reports whether any scenario of the rule was judged.
func (r RuleResult) Judged() bool {
	return slices.ContainsFunc(r.Results, func(s ScenarioResult) bool { return s.Outcome.Judged() })
}

// Noticed reports whether any scenario of the rule says that the server is wrong.
func (r RuleResult) Noticed() bool {
	return slices.ContainsFunc(r.Results, func(s ScenarioResult) bool { return s.Outcome.Noticed() })
}

// Result is the result of a run.
type Result struct {
	Target  string       `json:"target"`
	Store   string       `json:"store"`
	Version string       `json:"storeVersion"`
	Lanes   int          `json:"lanes"`
	Zone    string       `json:"zone,omitempty"` // the time zone that the target was started in, if it was given one
	Rules   []RuleResult `json:"rules"`
	Share   *Share       `json:"share,omitempty"` // of a sharded run; nil for a whole one
	Calls   int          `json:"storageCalls"`
	// Attributed counts how the calls were attributed to requests.
	Attributed wire.Attribution `json:"attribution"`
	Duration   time.Duration    `json:"durationNs"` // of the scenarios, without the store's start
	// Confirming is how much of that went into running scenarios again alone, and into waiting for late calls before.
	Confirming  time.Duration `json:"confirmingNs,omitempty"`
	Interrupted bool          `json:"interrupted,omitempty"`
	// Stopped says that the run ended before its last scenario, since it was asked to know no more (Options.Enough).
	Stopped bool `json:"stopped,omitempty"`
	// Unbroken is how many scenarios would make storage calls fail, if the run were asked for faults.
	Unbroken int `json:"-"`
	// Ignored is how many processes of the target ignored SIGTERM; they were killed after IgnoredFor.
	Ignored    int           `json:"ignoredSigterm,omitempty"`
	IgnoredFor time.Duration `json:"ignoredSigtermNs,omitempty"`
}

// All iterates over the results of all scenarios, each with that of its rule. A nil Result has none.
func (r *Result) All() iter.Seq2[RuleResult, ScenarioResult] {
	return func(yield func(RuleResult, ScenarioResult) bool) {
		if r == nil {
			return
		}
		for _, rule := range r.Rules {
			for _, result := range rule.Results {
				if !yield(rule, result) {
					return
				}
			}
		}
	}
}

// Miswritten reports whether some scenarios are in error, and all of them because of their feature files.
func (r *Result) Miswritten() bool {
	some := false
	for _, s := range r.All() {
		if s.Outcome == Errored && !s.Miswritten {
			return false
		}
		some = some || s.Miswritten
	}
	return some
}

// RuleCounts returns the number of rules with each outcome.
func (r *Result) RuleCounts() map[Outcome]int {
	counts := map[Outcome]int{}
	for _, rule := range r.Rules {
		counts[rule.Outcome]++
	}
	return counts
}

// ScenarioCounts returns the number of scenarios with each outcome.
func (r *Result) ScenarioCounts() map[Outcome]int {
	counts := map[Outcome]int{}
	for _, result := range r.All() {
		counts[result.Outcome]++
	}
	return counts
}

// Cases summarizes the families of cases of all scenarios, by kind.
func (r *Result) Cases() []cases.CaseSummary {
	sums := map[string]cases.CaseSummary{}
	for _, result := range r.All() {
		for _, c := range result.Cases {
			sums[c.Kind] = sums[c.Kind].Plus(c)
		}
	}
	var list []cases.CaseSummary
	for _, kind := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, sums[kind])
	}
	return list
}

// Verdict returns the worst outcome that counts: Skipped if nothing was judged, Unfinished if the run was interrupted
// and nothing worse is known. What the design calls preferred or optional counts only if strict is set; budgets do not
// count if budgetsWarn is set.
func (r *Result) Verdict(strict, budgetsWarn bool) Outcome {
	worst := Skipped
	if r.Interrupted {
		worst = Unfinished
	}
	for _, rule := range r.Rules {
		if !Lowered(rule.Rule, rule.Outcome, strict, budgetsWarn) {
			worst = Worse(worst, rule.Outcome)
			continue
		}
		worst = Worse(worst, Passed)
		for _, result := range rule.Results { // an outcome that does not count must not hide one that does
			if !Lowered(rule.Rule, result.Outcome, strict, budgetsWarn) {
				worst = Worse(worst, result.Outcome)
			}
		}
	}
	return worst
}

// Lowered reports whether an outcome of the rule, or of one of its scenarios, does not change a verdict.
func Lowered(rule Rule, outcome Outcome, strict, budgetsWarn bool) bool {
	return outcome == OverBudget && budgetsWarn ||
		outcome != Errored && outcome != Fixed && outcome != Skipped && rule.Severity == "SHOULD" && !strict
}

// order ranks outcomes by how bad they are for a rule. A rule with one skipped and one passed scenario has passed.
var order = map[Outcome]int{Skipped: 0, Passed: 1, KnownFailing: 2, Unfinished: 3, Fixed: 4, Unclear: 5, OverBudget: 6,
	NotPrepared: 7, Failed: 8, Errored: 9}

// Known reports whether the outcome is defined.
func (o Outcome) Known() bool {
	_, known := order[o]
	return known
}

// Noticed reports whether the outcome says that the server is wrong. One that says that nothing could be judged does
// not.
func (o Outcome) Noticed() bool { return o == Failed || o == OverBudget || o == NotPrepared }

// Judged reports whether the outcome says anything about the server: a scenario that was skipped does not.
func (o Outcome) Judged() bool { return o == Passed || o == Fixed || o == KnownFailing || o.Noticed() }

// Worse returns the worse of two outcomes.
func Worse(a, b Outcome) Outcome {
	if order[b] > order[a] {
		return b
	}
	return a
}

// byRule groups the results of scenarios by the catalogue's rules, in its order. Rules without a result were not
// selected and are omitted; after an interruption, a rule with missing results is unfinished at best.
func byRule(rules []Rule, results []ScenarioResult, interrupted bool) []RuleResult {
	at := map[Place][]ScenarioResult{}
	for _, result := range results {
		at[result.Place()] = append(at[result.Place()], result)
	}
	var list []RuleResult
	for _, rule := range rules {
		found := RuleResult{Rule: rule, Outcome: Skipped}
		for _, scenario := range rule.Scenarios {
			for _, result := range at[Place{rule.ID, scenario.Line, scenario.Name}] {
				found.Results = append(found.Results, result)
				found.Outcome = Worse(found.Outcome, result.Outcome)
			}
		}
		if interrupted && len(found.Results) < len(rule.Scenarios) {
			found.Outcome = Worse(found.Outcome, Unfinished)
		}
		if len(found.Results) > 0 {
			list = append(list, found)
		}
	}
	return list
}
