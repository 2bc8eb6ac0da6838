package verify

import (
	"strings"
	"testing"
	"time"

	"github.com/storespec/storespec/internal/verify/baseline"
)

func TestKnownFailuresMustFail(t *testing.T) {
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	entry := func(name string, expires time.Time) baseline.Entry {
		return baseline.Entry{Case: baseline.Case{Rule: "A-A-1", Scenario: name}, Reason: "bug", Expires: expires,
			Line: 3}
	}
	file := &baseline.File{Path: "b.yaml",
		Entries: []baseline.Entry{entry("known", time.Time{}), entry("expired", day)}}
	for name, c := range map[string]struct {
		scenario string
		outcome  Outcome
		adopt    bool
		want     Outcome
		reason   string
	}{
		"it fails":                       {"known", Failed, false, KnownFailing, "why"},
		"it is over budget":              {"known", OverBudget, false, KnownFailing, "why"},
		"it passes":                      {"known", Passed, false, Fixed, "remove it from the baseline (b.yaml:3)"},
		"it passes and is taken out":     {"known", Passed, true, Passed, "why"},
		"it could not be judged":         {"known", Errored, false, Errored, "why"},
		"it was skipped":                 {"known", Skipped, false, Skipped, "why"},
		"it fails and has expired":       {"expired", Failed, false, Failed, "until 2026-05-01 (b.yaml:3)\nwhy"},
		"it passes and has expired":      {"expired", Passed, false, Fixed, "remove it"},
		"it fails and is not known":      {"other", Failed, false, Failed, "why"},
		"it fails and is taken in":       {"other", Failed, true, KnownFailing, "why"},
		"an expired one is not taken in": {"expired", Failed, true, Failed, "until"},
	} {
		t.Run(name, func(t *testing.T) {
			result := ScenarioResult{Rule: "A-A-1", Name: c.scenario, Outcome: c.outcome, Reason: "why"}
			(&Known{File: file, Now: day.AddDate(0, 0, 1), Adopt: c.adopt}).judge(&result)
			if result.Outcome != c.want || !strings.Contains(result.Reason, c.reason) ||
				(result.Known != "") != (c.want == KnownFailing) {
				t.Errorf("%+v", result)
			}
		})
	}
}

func TestVerdictOfKnownFailures(t *testing.T) {
	for name, c := range map[string]struct {
		severity string
		outcomes []Outcome
		want     Outcome
	}{
		"next to one that passes": {"MUST", []Outcome{Passed, KnownFailing, Skipped}, KnownFailing},
		"next to one that fails":  {"MUST", []Outcome{Failed, KnownFailing}, Failed},
		"one that passes":         {"MUST", []Outcome{Passed, Fixed, KnownFailing}, Fixed},
		"a SHOULD is out of date": {"SHOULD", []Outcome{Fixed}, Fixed},
	} {
		t.Run(name, func(t *testing.T) {
			result := &Result{}
			for _, outcome := range c.outcomes {
				result.Rules = append(result.Rules, RuleResult{Rule: Rule{Severity: c.severity}, Outcome: outcome})
			}
			if got := result.Verdict(false, false); got != c.want {
				t.Errorf("verdict %q, want %q", got, c.want)
			}
		})
	}
}
