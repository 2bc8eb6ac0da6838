package compare

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storespec/storespec/internal/results/events"
	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/verify"
	"github.com/storespec/storespec/internal/wire"
	"github.com/storespec/storespec/internal/wire/azure"
)

// stream is a run with these scenarios.
func stream(results ...verify.ScenarioResult) *events.Stream {
	rule := verify.RuleResult{Rule: verify.Rule{ID: "S-A-1"}, Results: results}
	return &events.Stream{Runs: []events.Run{{System: "s", Asked: events.Asked{Suite: "abc"},
		Result: &verify.Result{Rules: []verify.RuleResult{rule}}}}}
}

func result(name string, outcome verify.Outcome) verify.ScenarioResult {
	return verify.ScenarioResult{Rule: "S-A-1", Name: name, File: "s/a.feature", Line: 7, Outcome: outcome}
}

func compared(t *testing.T, before, after *events.Stream) *Comparison {
	t.Helper()
	c, err := Streams(before, after)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func text(t *testing.T, c *Comparison) string {
	t.Helper()
	var b strings.Builder
	if err := c.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOutcomes(t *testing.T) {
	const gone = verify.Outcome("")
	for _, test := range []struct {
		was, is verify.Outcome
		want    string // what it is, or "" for nothing to report
		worse   bool
	}{
		{verify.Passed, verify.Passed, "", false},
		{verify.Passed, verify.Failed, "regressed", true},
		{verify.Passed, verify.OverBudget, "regressed", true},
		{verify.Passed, verify.Errored, "regressed", true},
		{verify.Passed, verify.KnownFailing, "regressed", true},
		{verify.OverBudget, verify.Failed, "regressed", true},
		{verify.Failed, verify.OverBudget, "", false},
		{verify.OverBudget, verify.KnownFailing, "", false},
		{verify.KnownFailing, verify.Failed, "", false},
		{verify.Failed, verify.Passed, "fixed", false},
		{verify.KnownFailing, verify.Fixed, "fixed", false},
		{verify.Passed, gone, "vanished", true},
		{verify.Passed, verify.Skipped, "vanished", true},
		{verify.Failed, verify.Skipped, "vanished", true},
		{verify.Skipped, gone, "", false},
		{gone, verify.Failed, "new", false},
		{verify.Skipped, verify.Passed, "new", false},
		{gone, verify.Skipped, "", false},
	} {
		t.Run(fmt.Sprintf("%s, now %s", test.was, test.is), func(t *testing.T) {
			side := func(outcome verify.Outcome) *events.Stream {
				if outcome == gone {
					return stream()
				}
				return stream(result("it", outcome))
			}
			c := compared(t, side(test.was), side(test.is))
			got := ""
			for name, list := range map[string][]Change{"regressed": c.Regressed, "fixed": c.Fixed,
				"vanished": c.Vanished, "new": c.New} {
				if len(list) > 0 {
					got += name
				}
			}
			if got != test.want || c.Worse() != test.worse {
				t.Errorf("it is %q, worse %t; want %q, %t", got, c.Worse(), test.want, test.worse)
			}
		})
	}
}

func TestARunThatWasNotJudgedIsRefused(t *testing.T) {
	unjudged, cut := stream(), stream()
	unjudged.Runs[0].Err = errors.New("no node")
	cut.Runs[0].Result.Interrupted = true
	for want, streams := range map[string][2]*events.Stream{
		"the old run of s could not be judged: no node": {unjudged, stream()},
		"the new run of s was interrupted":              {stream(), cut},
	} {
		if _, err := Streams(streams[0], streams[1]); err == nil || err.Error() != want {
			t.Errorf("error %v, not %q", err, want)
		}
	}
}

// calls is n calls of a class on a table.
func calls(class string, table string, n int) []wire.Call {
	var list []wire.Call
	for range n {
		list = append(list, azure.Completed(wire.Call{Service: azure.Table, Class: class, Resource: table}))
	}
	return list
}

// measuring is an outline over sizes, each with the calls that of gives, and one point read allowed.
func measuring(sizes []int, of func(size int) []wire.Call) *events.Stream {
	var results []verify.ScenarioResult
	for _, size := range sizes {
		r := result(fmt.Sprintf("a person with %d groups", size), verify.Passed)
		r.Example = map[string]string{"groups": strconv.Itoa(size)}
		r.Requests = []scenario.Exchange{{Method: "POST", Path: "/other"},
			{Method: "GET", Path: "/api/me/groups", Calls: of(size)}}
		r.Budgets = []budget.Budget{{Step: "the storage calls are at most", Request: 1,
			Allowed: []budget.Allowance{{Service: azure.Table, Call: "point read", On: "Groups", Count: 1}}}}
		results = append(results, r)
	}
	return stream(results...)
}

func TestBudgets(t *testing.T) {
	sizes := []int{0, 1, 4, 16}
	one := func(int) []wire.Call { return calls(azure.PointRead, "Groups", 1) }
	query := func(int) []wire.Call { return calls(azure.PartitionQuery, "Groups", 1) }
	for _, test := range []struct {
		name    string
		was, is func(int) []wire.Call
		want    []string // lines under the budget; none: it has not moved
		worse   bool
	}{
		{"the same", one, one, nil, false},
		{"one more", one, func(int) []wire.Call { return calls(azure.PointRead, "Groups", 2) },
			[]string{"+1 table point read on Groups"}, true},
		{"one each", one, func(n int) []wire.Call { return calls(azure.PointRead, "Groups", 1+n) },
			[]string{"+1 table point read on Groups per group"}, true},
		{"two each, and one", one, func(n int) []wire.Call { return calls(azure.PointRead, "Groups", 2+2*n) },
			[]string{"+2 table point read on Groups per group, and +1"}, true},
		{"no law", one, func(n int) []wire.Call { return calls(azure.PointRead, "Groups", 1+n/4*n) },
			[]string{"table point read on Groups: +0 at 0, +0 at 1, +4 at 4, +64 at 16 groups"}, true},
		{"fewer", func(n int) []wire.Call { return calls(azure.PointRead, "Groups", 1+n) }, one,
			[]string{"-1 table point read on Groups per group"}, false},
		{"a query for a read", one, query,
			[]string{"+1 table partition query on Groups", "-1 table point read on Groups"}, true},
		{"a read for a query", query, one,
			[]string{"-1 table partition query on Groups", "+1 table point read on Groups"}, false},
		{"a scan for many reads", func(int) []wire.Call { return calls(azure.PointRead, "Groups", 9) },
			func(int) []wire.Call { return calls(azure.TableScan, "Groups", 1) },
			[]string{"-9 table point read on Groups", "+1 table scan on Groups"}, true},
		{"tables are made", one, func(int) []wire.Call {
			return append(calls(azure.CreateTable, "Groups", 1), calls(azure.PointRead, "Groups", 1)...)
		}, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compared(t, measuring(sizes, test.was), measuring(sizes, test.is))
			if c.Worse() != test.worse {
				t.Errorf("worse %t, not %t", c.Worse(), test.worse)
			}
			if test.want == nil {
				if len(c.Budgets) > 0 {
					t.Errorf("it moved: %+v", c.Budgets)
				}
				return
			}
			if len(c.Budgets) != 1 {
				t.Fatalf("%d budgets moved, not the one of the outline", len(c.Budgets))
			}
			lines := strings.Split(strings.TrimSpace(text(t, c)), "\n")
			verdict := map[bool]string{true: "got worse", false: "moved"}[test.worse]
			want := []string{"budget " + verdict +
				": S-A-1 a person with <groups> groups (s/a.feature:7), GET /api/me/groups"}
			for _, line := range test.want {
				want = append(want, "  "+line)
			}
			if diff := cmp.Diff(want, lines[:len(lines)-1]); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// What is allowed may move while no call does, names of blobs differ from run to run, and examples without a size are
// told apart.
func TestAllowancesBlobsAndExamples(t *testing.T) {
	run := func(allowed int, blob string) *events.Stream {
		var results []verify.ScenarioResult
		for _, operation := range []string{"a rename", "a removal"} {
			r := result("it costs", verify.Passed)
			r.Example = map[string]string{"operation": operation}
			r.Requests = []scenario.Exchange{{Method: "POST", Path: "/x",
				Calls: azure.AllCompleted([]wire.Call{{Service: azure.Blob, Class: azure.Read, Resource: "state",
					Key: []string{blob}}})}}
			r.Budgets = []budget.Budget{{Step: "at most",
				Allowed: []budget.Allowance{{Service: azure.Blob, Call: "read", On: "sessions", Count: allowed}}}}
			results = append(results, r)
		}
		return stream(results...)
	}
	c := compared(t, run(1, "sys/sessions/abc.json"), run(2, "sys/sessions/def.json"))
	want := Law{Kind: Kind{azure.Blob, "read", "sessions"}, By: []int{1}}
	if len(c.Budgets) != 2 || c.Worse() {
		t.Fatalf("%d budgets moved, worse %t; want 2 that are not: %s", len(c.Budgets), c.Worse(), text(t, c))
	}
	for _, m := range c.Budgets {
		if diff := cmp.Diff([]Law{want}, m.Allowed); diff != "" || len(m.Calls) > 0 {
			t.Errorf("allowed (-want +got):\n%s, calls %v", diff, m.Calls)
		}
	}
}

func TestTextIsShortWhereARuleIsGone(t *testing.T) {
	old := stream(result("a", verify.Passed), result("b", verify.Passed), result("c", verify.Passed),
		result("d", verify.Passed), result("e", verify.Failed))
	now := stream(result("e", verify.Passed))
	now.Runs[0].Asked.Suite = "def"
	want := `the rules of s have changed as well: suite abc, now def
vanished: S-A-1 a (s/a.feature:7)
vanished: S-A-1 b (s/a.feature:7)
vanished: S-A-1 c (s/a.feature:7)
vanished: S-A-1, and 1 more of its scenarios
fixed: S-A-1 e (s/a.feature:7): failed, now passed
0 regressed, 4 vanished, 1 fixed, 0 new; budgets: 0 got worse, 0 moved otherwise
`
	if diff := cmp.Diff(want, text(t, compared(t, old, now))); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}
