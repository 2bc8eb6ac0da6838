package events

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
)

// shardsOf is a run of three scenarios of two rules, as n shards.
func shardsOf(n int) (whole *Stream, parts []Part) {
	scenario := func(rule string, line int, outcome verify.Outcome) verify.ScenarioResult {
		return verify.ScenarioResult{Rule: rule, File: "s/a.feature", Line: line, Outcome: outcome}
	}
	rule := func(id string, line int, outcome verify.Outcome, results ...verify.ScenarioResult) verify.RuleResult {
		return verify.RuleResult{Rule: verify.Rule{ID: id, File: "s/a.feature", Line: line}, Outcome: outcome,
			Results: results}
	}
	asked := Asked{Suite: "abc", Started: "command", Faults: "none", Orders: 200, Seed: 1}
	stream := func(shard *verify.Shard, r *verify.Result) *Stream {
		r.Target, r.Store, r.Version = "node server.js", "embedded", "1"
		a := asked
		a.Shard = shard
		return &Stream{Header: Header{Format: Format, Version: "v1"}, Runs: []Run{{System: "s", Asked: a, Result: r}}}
	}
	one, two, three := scenario("S-A-1", 4, verify.Passed), scenario("S-A-1", 9, verify.Failed),
		scenario("S-A-2", 20, verify.Passed)
	whole = stream(nil, &verify.Result{Lanes: 2 * n, Calls: 12, Attributed: wire.Attribution{ByTrace: 12},
		Duration: 5 * time.Second, Rules: []verify.RuleResult{
			rule("S-A-1", 2, verify.Failed, one, two), rule("S-A-2", 18, verify.Passed, three),
		}})
	contents := [][]verify.RuleResult{
		{rule("S-A-2", 18, verify.Passed, three), rule("S-A-1", 2, verify.Failed, two)},
		{rule("S-A-1", 2, verify.Passed, one)},
		nil, // nothing falls to it
	}
	for i := range n {
		part := stream(&verify.Shard{Index: i + 1, Count: n},
			&verify.Result{Lanes: 2, Calls: 12 / n, Attributed: wire.Attribution{ByTrace: 12 / n},
				Duration: time.Duration(5-i) * time.Second, Rules: contents[i]})
		parts = append(parts, Part{Name: string(rune('A'+i)) + ".ndjson", Stream: part})
	}
	return whole, parts
}

func TestShardsAreMerged(t *testing.T) {
	for _, n := range []int{2, 3} {
		want, parts := shardsOf(n)
		for range 2 {
			got, err := Merge(parts)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%d shards (-whole +merged):\n%s", n, diff)
			}
			slices.Reverse(parts)
		}
	}
}

// Filled examples have one line: they keep the order of their table, however they fall to the shards.
func TestFilledExamplesAreMergedInTheirOrder(t *testing.T) {
	names := []string{"POST /b", "GET /a", "GET /c", "POST /a"}
	rule := verify.Rule{ID: "S-A-1", File: "s/a.feature", Line: 2}
	for _, name := range names {
		rule.Scenarios = append(rule.Scenarios, verify.Scenario{Name: name, File: rule.File, Line: 9})
	}
	var parts []Part
	for i, share := range [][]string{{"POST /a", "GET /a"}, {"GET /c", "POST /b"}} {
		ran := verify.RuleResult{Rule: rule, Outcome: verify.Passed}
		for _, name := range share {
			ran.Results = append(ran.Results, verify.ScenarioResult{Rule: rule.ID, Name: name, Line: 9})
		}
		parts = append(parts, Part{Name: "x", Stream: &Stream{Runs: []Run{{System: "s",
			Asked:  Asked{Shard: &verify.Shard{Index: i + 1, Count: 2}},
			Result: &verify.Result{Rules: []verify.RuleResult{ran}}}}}})
	}
	merged, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, result := range merged.Runs[0].Result.All() {
		got = append(got, result.Name)
	}
	if !slices.Equal(got, names) {
		t.Errorf("they are merged as %q, not as %q", got, names)
	}
}

func TestOneWholeStreamStays(t *testing.T) {
	whole, _ := shardsOf(2)
	if got, err := Merge([]Part{{"A.ndjson", whole}}); err != nil || got != whole {
		t.Errorf("it is %v, %v", got, err)
	}
}

func TestAShardThatCouldNotJudgeIsNotHidden(t *testing.T) {
	_, parts := shardsOf(2)
	parts[1].Stream.Runs[0].Result, parts[1].Stream.Runs[0].Err = nil, errors.New("the server did not start")
	got, err := Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	if run := got.Runs[0]; run.Err == nil || run.Err.Error() != "shard 2/2: the server did not start" ||
		run.Verdict(false, false) != verify.Errored {
		t.Errorf("error %v, verdict %s", run.Err, run.Verdict(false, false))
	}
}

func TestWhatIsNotTheShardsOfOneRunIsRefused(t *testing.T) {
	whole, _ := shardsOf(2)
	for _, test := range []struct {
		name   string
		change func([]Part) []Part
		want   string
	}{
		{"none", func([]Part) []Part { return nil }, "there is no event stream"},
		{"missing", func(p []Part) []Part { return p[1:2] }, "shards 1/3, 3/3 of s: missing"},
		{"twice", func(p []Part) []Part { return append(p, Part{"D.ndjson", p[0].Stream}) },
			"A.ndjson and D.ndjson are both shard 1/3 of s"},
		{"whole", func(p []Part) []Part { return append(p, Part{"D.ndjson", whole}) },
			"D.ndjson is a whole run of s, no shard: there is nothing to merge it with"},
		{"another count", func(p []Part) []Part { p[2].Stream.Runs[0].Asked.Shard.Count = 4; return p },
			"C.ndjson is shard 3/4 of s, but A.ndjson is one of 3"},
		{"suite", func(p []Part) []Part { p[1].Stream.Runs[0].Asked.Suite = "def"; return p },
			"A.ndjson and B.ndjson are of different runs: the suite of s is abc, and def"},
		{"target", func(p []Part) []Part { p[1].Stream.Runs[0].Result.Target = "java"; return p },
			"A.ndjson and B.ndjson are of different runs: the server of s is node server.js, and java"},
		{"storespec", func(p []Part) []Part { p[1].Stream.Header.Version = "v2"; return p },
			"storespec v1, strict false, budgets warn false, and storespec v2"},
		{"system", func(p []Part) []Part { p[1].Stream.Runs[0].System = "t"; return p },
			"A.ndjson and B.ndjson are of different runs: of s, and of t"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, parts := shardsOf(3)
			_, err := Merge(test.change(parts))
			if merge, ok := errors.AsType[*MergeError](err); !ok || !strings.Contains(merge.Reason, test.want) {
				t.Errorf("error %v, not %q", err, test.want)
			}
		})
	}
}
