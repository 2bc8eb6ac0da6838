package budgets

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v34"

	"github.com/storespec/storespec/internal/scenario"
	"github.com/storespec/storespec/internal/scenario/budget"
	"github.com/storespec/storespec/internal/store"
	"github.com/storespec/storespec/internal/wire"
)

// Words returns the steps about the storage calls of a request, and of a scenario: which, how many, and on what.
func Words() []scenario.Step {
	return []scenario.Step{
		scenario.On(`the storage calls are at most`,
			"Then the storage calls are at most\n| service | call | on | count |\n| table | partition query | "+
				"UserGroups | 1 |",
			func(ctx context.Context, stage *scenario.Stage, names *scenario.Names, storage *scenario.Storage,
				requests *scenario.Requests, e *scenario.RoundTrip, table *godog.Table) error {
				return within(ctx, stage, names, storage, requests, e, table, nil, atMost)
			}).Checked(checkLines("count")).Rows(),
		scenario.On(`the storage calls consume at most (\d+(?:\.\d+)?) capacity units?`,
			`Then the storage calls consume at most 2.5 capacity units`, consumeAtMost),
		scenario.On(`the storage calls are exactly`,
			"Then the storage calls are exactly\n| service | call | on | count |\n| table | update | Groups | 1 |",
			func(ctx context.Context, stage *scenario.Stage, names *scenario.Names, storage *scenario.Storage,
				requests *scenario.Requests, e *scenario.RoundTrip, table *godog.Table) error {
				return within(ctx, stage, names, storage, requests, e, table, nil, exactly)
			}).Checked(checkLines("count")).Rows(),
		scenario.On(`the storage calls on (\w+) are at most`,
			"Then the storage calls on GroupMembers are at most\n| service | call | on | count |\n| table | point "+
				"read | GroupMembers | 1 |",
			func(ctx context.Context, stage *scenario.Stage, names *scenario.Names, storage *scenario.Storage,
				requests *scenario.Requests, e *scenario.RoundTrip, on string, table *godog.Table) error {
				return within(ctx, stage, names, storage, requests, e, table, touches(called(stage, on)), atMost)
			}).Checked(checkLines("count")).Rows(),
		scenario.On(scenario.BudgetedTable, "Given the budgeted routes\n| route | with |\n| GET /notes | |\n"+
			"| POST /actions | archive_note |",
			func(context.Context, *scenario.World, *godog.Table) error { return nil }).Checked(checkBudgeted).
			Cells(func(*godog.Table) []string { return nil }), // package verify judges it, before anything runs
		scenario.On(`no storage call was made`, `Then no storage call was made`,
			func(ctx context.Context, stage *scenario.Stage, names *scenario.Names, storage *scenario.Storage,
				requests *scenario.Requests, e *scenario.RoundTrip) error {
				return within(ctx, stage, names, storage, requests, e, nil, nil, atMost)
			}),
		// Tables are created for everybody, often outside of any request.
		scenario.On(`no storage call was made, not even to create a table`,
			`Then no storage call was made, not even to create a table`, storageUntouched).Alone(),
		scenario.On(`nothing was written`, `Then nothing was written`, nothingWritten),
		scenario.On(`the queries were`, "Then the queries were\n| index | partition | range |\n| byOwner | {Ana} | "+
			"begins_with 2026- |", queriesWere).Rows(),
		scenario.On(`(\S+) was read`, `Then GroupMembers was read`, wasRead),
		scenario.On(`the storage calls brought at most (\d+) entit(?:y|ies)`,
			`Then the storage calls brought at most 11 entities`, broughtAtMost),
		scenario.On(`the storage calls changed (\d+) entit(?:y|ies)`, `Then the storage calls changed 2 entities`,
			changedEntities),
		scenario.On(`no write of the scenario was blind`, `Then no write of the scenario was blind`, noBlindWrite),
		scenario.On(`the storage calls of the last (\d+) requests on (\S+) start at least (\d+) milliseconds apart`,
			`Then the storage calls of the last 4 requests on Groups start at least 500 milliseconds apart`,
			startApart),
		scenario.On(`no storage call of the scenario is`,
			"Then no storage call of the scenario is\n| service | call | on |\n| table | delete | Groups |", noCallIs).
			Checked(checkLines()).Rows(),
	}
}

// exactly also fails for a line that is not used up; atMost does not.
const atMost, exactly = false, true

// touches returns a function that reports whether a call, or an operation of its transaction, is on the table.
func touches(table string) func(wire.Call) bool {
	return func(c wire.Call) bool {
		return !c.Path() && c.Resource == table ||
			slices.ContainsFunc(c.Inner, func(inner wire.Call) bool { return inner.Resource == table })
	}
}

func allowances(stage *scenario.Stage, names *scenario.Names, table *godog.Table) ([]budget.Allowance, error) {
	if table == nil {
		return nil, nil
	}
	columns := []string{"service", "call", "on", "count"}
	if slices.ContainsFunc(table.Rows[0].Cells,
		func(c *messages.PickleTableCell) bool { return c.Value == "capacity" }) {
		columns = append(columns, "capacity")
	}
	lines, err := names.Table(table, columns...)
	if err != nil {
		return nil, err
	}
	var allowed []budget.Allowance
	for _, line := range lines {
		count, err := strconv.Atoi(line["count"])
		if err != nil || count < 0 {
			return nil, fmt.Errorf("the count %q of a budget is not a whole number", line["count"])
		}
		a := budget.Allowance{Service: wire.Service(line["service"]), Call: line["call"], Count: count,
			On: called(stage, line["on"])}
		if a.Capacity, err = capacityOf(line["capacity"]); err != nil {
			return nil, err
		}
		if err := a.Check(); err != nil {
			return nil, err
		}
		allowed = append(allowed, a)
	}
	return allowed, nil
}

// called returns a table, or an index as table/index, by the name that the environment has for the word of the
// features.
func called(stage *scenario.Stage, on string) string {
	table, index, indexed := strings.Cut(on, "/")
	if table = stage.Lane().Called(table); indexed {
		return table + "/" + index
	}
	return table
}

// capacityOf reads the column capacity of a budget, which may be missing.
func capacityOf(text string) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	units, err := strconv.ParseFloat(text, 64)
	if err != nil || units < 0 {
		return nil, fmt.Errorf("the capacity %q of a budget is not a number of units", text)
	}
	return &units, nil
}

// judged returns the calls of a request, without those that only create tables or containers.
func judged(ctx context.Context, storage *scenario.Storage, e *scenario.RoundTrip) ([]wire.Call, error) {
	if err := storage.Settle(ctx); err != nil {
		return nil, err
	}
	storage.Weigh(e)
	return slices.DeleteFunc(e.Calls(), wire.Call.Provisions), nil
}

// within checks the last request's calls, or only those selected by only, against a budget: each call counts against
// the first line that covers it and is not used up. A budget without a table allows nothing.
func within(ctx context.Context, stage *scenario.Stage, names *scenario.Names, storage *scenario.Storage,
	requests *scenario.Requests, e *scenario.RoundTrip, table *godog.Table,
	only func(wire.Call) bool, exact bool) error {
	allowed, err := allowances(stage, names, table)
	if err != nil {
		return err
	}
	if err := storage.Settle(ctx); err != nil {
		return err
	}
	storage.Weigh(e)
	judged := &budget.Budget{Step: stage.Step().Text, Request: len(requests.RoundTrips()) - 1, Allowed: allowed,
		Exact: exact, Sent: e.String(), Calls: e.Calls()}
	of := func(call wire.Call) bool { return !call.Provisions() && (only == nil || only(call)) }
	if err := judged.Judge(of, e.Path+e.Sent); err != nil {
		return err
	}
	if err := storage.Judged(judged); err != nil {
		e.Odd = judged.Odd
		return miscounted(stage, judged)
	}
	return nil
}

// miscounted returns the error of a broken budget: a reason to skip the scenario if the budget holds apart from its
// units of capacity, and the store does not count these as its service does.
func miscounted(stage *scenario.Stage, broken *budget.Budget) error {
	why := stage.Lane().Lease.Lacks(store.Units)
	if why == "" || len(broken.Odd) == 0 {
		return broken
	}
	calls := slices.Clone(broken.Allowed)
	for i := range calls {
		calls[i].Capacity, calls[i].Used, calls[i].Units = nil, 0, 0
	}
	if len(budget.Judge(calls, broken.Judged(), "")) > 0 {
		return broken
	}
	return fmt.Errorf("%w: %s", godog.ErrSkip, why)
}
