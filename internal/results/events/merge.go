package events

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/storespec/storespec/internal/verify"
)

// Part is a stream and the file it was read from.
type Part struct {
	Name   string
	Stream *Stream
}

// Merge combines the streams of a run's shards, in any order; a single unsharded stream is returned unchanged. A shard
// that is missing, that occurs twice or that ran something different from the others is a *MergeError.
func Merge(parts []Part) (*Stream, error) {
	if len(parts) == 0 {
		return nil, &MergeError{"there is no event stream"}
	}
	first := parts[0]
	if len(parts) == 1 && !slices.ContainsFunc(first.Stream.Runs, func(r Run) bool { return r.Asked.Shard != nil }) {
		return first.Stream, nil
	}
	for _, other := range parts {
		if err := sameRun(first, other); err != nil {
			return nil, err
		}
	}
	merged := &Stream{Header: first.Stream.Header}
	for i := range first.Stream.Runs {
		if err := complete(parts, i); err != nil {
			return nil, err
		}
		merged.Runs = append(merged.Runs, joined(parts, i))
	}
	for _, part := range parts {
		merged.Scenarios = append(merged.Scenarios, part.Stream.Scenarios...)
	}
	return merged, nil
}

// MergeError says why streams are not the shards of one run.
type MergeError struct{ Reason string }

func (e *MergeError) Error() string { return e.Reason }

// sameRun refuses a stream of a different run than the first.
func sameRun(first, other Part) error {
	if first.Stream.Header != other.Stream.Header {
		return &MergeError{fmt.Sprintf("%s and %s are of different runs: %s, and %s", first.Name, other.Name,
			counted(first), counted(other))}
	}
	if a, b := first.Stream.Systems(), other.Stream.Systems(); a != b {
		return &MergeError{fmt.Sprintf("%s and %s are of different runs: of %s, and of %s", first.Name, other.Name, a,
			b)}
	}
	for i, run := range first.Stream.Runs {
		if what, a, b := differ(run, other.Stream.Runs[i]); what != "" {
			return &MergeError{fmt.Sprintf("%s and %s are of different runs: the %s of %s is %s, and %s", first.Name,
				other.Name, what, run.System, a, b)}
		}
	}
	return nil
}

// counted describes a header: the version of storespec and how it counts.
func counted(p Part) string {
	h := p.Stream.Header
	return fmt.Sprintf("storespec %s, strict %t, budgets warn %t", h.Version, h.Strict, h.BudgetsWarn)
}

// differ names the first difference between two runs of one system, and both values.
func differ(a, b Run) (what, ofA, ofB string) {
	values := func(r Run) [][2]string {
		x := r.Asked
		list := [][2]string{
			{"suite", x.Suite}, {"server's start", x.Started}, {"choice of rules", fmt.Sprint(x.Rules)},
			{"tags", fmt.Sprintf("%q", x.Tags)},
			{"missing capabilities", fmt.Sprint(x.Without)}, {"faults", x.Faults}, {"orders", fmt.Sprint(x.Orders)},
			{"seed", fmt.Sprint(x.Seed)},
		}
		if r.Result != nil {
			list = append(list, [2]string{"server", r.Result.Target}, [2]string{"store", r.Result.Store},
				[2]string{"store's version", r.Result.Version})
		}
		return list
	}
	first, second := values(a), values(b)
	for i := range min(len(first), len(second)) {
		if first[i] != second[i] {
			return first[i][0], first[i][1], second[i][1]
		}
	}
	return "", "", ""
}

// complete refuses shards of run i if any is missing or duplicated.
func complete(parts []Part, i int) error {
	owners := map[int]string{}
	count := 0
	for _, part := range parts {
		run := part.Stream.Runs[i]
		shard := run.Asked.Shard
		switch {
		case shard == nil:
			return &MergeError{fmt.Sprintf("%s is a whole run of %s, no shard: there is nothing to merge it with",
				part.Name, run.System)}
		case count != 0 && shard.Count != count:
			return &MergeError{fmt.Sprintf("%s is shard %s of %s, but %s is one of %d", part.Name, shard, run.System,
				parts[0].Name, count)}
		case owners[shard.Index] != "":
			return &MergeError{fmt.Sprintf("%s and %s are both shard %s of %s", owners[shard.Index], part.Name, shard,
				run.System)}
		}
		count, owners[shard.Index] = shard.Count, part.Name
	}
	var missing []string
	for index := 1; index <= count; index++ {
		if owners[index] == "" {
			missing = append(missing, verify.Shard{Index: index, Count: count}.String())
		}
	}
	if len(missing) > 0 {
		noun := "shard"
		if len(missing) > 1 {
			noun = "shards"
		}
		return &MergeError{fmt.Sprintf("%s %s of %s: missing", noun, strings.Join(missing, ", "),
			parts[0].Stream.Runs[i].System)}
	}
	return nil
}

// joined merges run i of all parts. It has an error if one of them has: what a shard could not judge, no shard did. The
// duration is that of the longest, since shards run concurrently.
func joined(parts []Part, i int) Run {
	run := Run{System: parts[0].Stream.Runs[i].System, Asked: parts[0].Stream.Runs[i].Asked}
	run.Asked.Shard = nil
	for _, part := range parts {
		from := part.Stream.Runs[i]
		if from.Err != nil {
			run.Err = errors.Join(run.Err, fmt.Errorf("shard %s: %w", from.Asked.Shard, from.Err))
		}
		if from.Result == nil {
			continue
		}
		if run.Result == nil {
			run.Result = &verify.Result{Target: from.Result.Target, Store: from.Result.Store,
				Version: from.Result.Version}
		}
		add(run.Result, from.Result)
	}
	return run
}

func add(sum, part *verify.Result) {
	sum.Lanes += part.Lanes
	if !slices.Contains(strings.Split(sum.Zone, ", "), part.Zone) { // shards may begin at any hour
		sum.Zone = strings.TrimPrefix(sum.Zone+", "+part.Zone, ", ")
	}
	sum.Calls += part.Calls
	sum.Attributed = sum.Attributed.Plus(part.Attributed)
	sum.Duration = max(sum.Duration, part.Duration)
	sum.Interrupted = sum.Interrupted || part.Interrupted
	sum.Stopped = sum.Stopped || part.Stopped
	sum.Confirming = max(sum.Confirming, part.Confirming)
	for _, rule := range part.Rules {
		at := slices.IndexFunc(sum.Rules, func(r verify.RuleResult) bool { return r.ID == rule.ID })
		if at < 0 {
			rule.Results = slices.Clone(rule.Results)
			sum.Rules = append(sum.Rules, rule)
			continue
		}
		sum.Rules[at].Outcome = verify.Worse(sum.Rules[at].Outcome, rule.Outcome)
		sum.Rules[at].Results = append(sum.Rules[at].Results, rule.Results...)
	}
	slices.SortFunc(sum.Rules, func(a, b verify.RuleResult) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	for _, rule := range sum.Rules {
		at := func(r verify.ScenarioResult) int { // filled examples have one line
			return slices.IndexFunc(rule.Scenarios,
				func(s verify.Scenario) bool { return s.Line == r.Line && s.Name == r.Name })
		}
		slices.SortFunc(rule.Results, func(a, b verify.ScenarioResult) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(at(a), at(b)))
		})
	}
}
