package budgets

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/wire"
)

// queriesWere compares the first pages of a request's queries, in any order, with a table: the index (empty: the table
// itself), the partition, and the range of the sort key, such as "between 2026-01-01 and 2026-01-31". A range that may
// begin anywhere from one key to another is "between 2025-12-01..2026-01-01 and 2026-01-31". A full key is the range
// "= " and its last part. A query that names no partition, or reads a whole table, has neither.
func queriesWere(ctx context.Context, names *scenario.Names, storage *scenario.Storage, e *scenario.RoundTrip,
	table *godog.Table) error {
	lines, err := names.Table(table, "index", "partition", "range")
	if err != nil {
		return err
	}
	calls, err := judged(ctx, storage, e)
	if err != nil {
		return err
	}
	var want []string
	for _, line := range lines {
		want = append(want, asked(line["index"], line["partition"], line["range"]))
	}
	var queries []wire.Call
	for _, call := range calls {
		selects := call.Filter != "" || call.Breadth == wire.Whole // unlike a read by its key
		if call.Effect == wire.Reads && selects && !call.Continues && len(call.Inner) == 0 {
			queries = append(queries, call)
		}
	}
	slices.Sort(want)
	got := make([]string, len(queries))
	for i, call := range queries {
		got[i] = askedBy(call, anyBeginning(want))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return scenario.RestsOn(fmt.Errorf("the queries of %s were %s, not %s", e, listed(got), listed(want)),
			queries...)
	}
	return nil
}

// beginning matches the range whose lower bound is not one key.
var beginning = regexp.MustCompile(`between (\S+)\.\.(\S+) and `)

// anyBeginning returns how the lower bound of a range is written: as the first of the wanted ones that allows it.
func anyBeginning(want []string) func(from string) string {
	return func(from string) string {
		for _, one := range want {
			m := beginning.FindStringSubmatch(one)
			if m != nil && m[1] <= from && from <= m[2] {
				return m[1] + ".." + m[2]
			}
		}
		return from
	}
}

func askedBy(call wire.Call, from func(string) string) string {
	if call.Breadth == wire.Whole {
		return "all of " + call.On()
	}
	partition, within := "", ""
	if len(call.Key) > 0 {
		partition = call.Key[0]
	}
	switch {
	case call.Range != nil && call.Range.To != "":
		within = wire.Range{Operator: call.Range.Operator, From: from(call.Range.From), To: call.Range.To}.String()
	case call.Range != nil:
		within = call.Range.String()
	case len(call.Key) > 1 && call.Key[1] != "":
		within = "= " + call.Key[1]
	}
	return asked(call.Index, partition, within)
}

func asked(index, partition, within string) string {
	return strings.Join([]string{index, partition, within}, " | ")
}

func listed(queries []string) string {
	if len(queries) == 0 {
		return "none"
	}
	return strings.Join(queries, "; ")
}
